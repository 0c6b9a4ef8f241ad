"""Pages for the devices that have a name: let in by a code, listed, revoked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import urwid

from hearts.names.codes import shown_code
from hearts_client.names import own_keys
from hearts_client.names.kept import KeptNames
from hearts_client.names.own_keys import IS_YOURS, TYPE_THERE
from hearts_client.screen.input.form import FormPage
from hearts_client.screen.input.ui import Ui, waiting
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.session.visit import Guest
from hearts_client.words.others import shown_name

_DEVICES = "Each device has a key of its own. Choose one whose key is to be revoked."
_REVOKES = "From then on it is a guest here. Only a device that has the name can let it in again."


class ChoicePage(FormPage[int | None]):
    """Says something, and gives the number of the button that is chosen; None for none."""

    def __init__(
        self,
        title: str,
        said: Sequence[str],
        labels: Sequence[str],
        *,
        ascii: bool,
        problem: str = "",
    ) -> None:
        super().__init__(title, None, ascii=ascii, problem=problem)
        first, *others = said
        buttons = (
            self.button(label, partial(self.finish, number)) for number, label in enumerate(labels)
        )
        texts = (urwid.Text(text) for text in others)
        self.rows(urwid.Text((Ink.STRONG, first)), *texts, urwid.Divider(), *buttons)


async def ask_in(ui: Ui, kept: KeptNames, guest: Guest, *, ascii: bool) -> str:
    """Ask that this device has the name of a guest too; give what is to be said. Raises as
    :func:`~hearts_client.names.own_name.claim` does."""
    codes, problem, done = list[str](), "", f"{shown_name(guest.name)} is your name here too."
    with waiting(ui, "Asking for a code..."):
        codes.append(await own_keys.ask_in(kept, guest))
    if not any(codes):
        return done if codes else ""
    page = partial(ChoicePage, "This device too", [shown_code(codes[0]), TYPE_THERE], ascii=ascii)
    while await ui.run(page(["I have typed it there"], problem=problem)) == 0:
        if await own_keys.is_let_in(kept, guest):
            return done
        problem = "It is not let in yet."
    return ""


async def let_in(ui: Ui, kept: KeptNames, guest: Guest, typed: str, *, ascii: bool) -> str:
    """Let in the device that shows a code; as :func:`ask_in`."""
    device = await own_keys.find_waiting(kept, guest, typed)
    said = [device.line, IS_YOURS]
    if await ui.run(ChoicePage("Another device", said, ["Let it in"], ascii=ascii)) != 0:
        return ""
    await own_keys.let_in(kept, guest, device)
    return f"{shown_name(guest.name)} is the name of that device too."


async def show_devices(ui: Ui, kept: KeptNames, guest: Guest, *, ascii: bool) -> str:
    """Show the devices that have a name, and revoke one; as :func:`ask_in`."""
    keys = await own_keys.keys_of(kept, guest)
    lines = [each.line for each in keys]
    chosen = await ui.run(ChoicePage("Devices", [_DEVICES], lines, ascii=ascii))
    if chosen is None:
        return ""
    said = [lines[chosen], _REVOKES]
    if await ui.run(ChoicePage("Revoke a key", said, ["Revoke it"], ascii=ascii)) != 0:
        return ""
    await own_keys.revoke(kept, guest, keys[chosen])
    return "Its key is revoked."
