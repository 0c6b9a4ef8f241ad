"""Pages that ask for one thing: a password, a profile, a player to invite."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import urwid

from hearts.session.table_words import InvitableCount, InvitableMessage
from hearts.wire.codec import NAME_LIMIT, TEXT_LIMIT
from hearts_client.commands.arguments import password_text, profile_text
from hearts_client.days.visitor import TodaysDeal
from hearts_client.screen.input.controls import Button, ControlRow, Field
from hearts_client.screen.input.form import FormPage, cut
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.words.tables import invitable_line

_ASKED = "The host asks for a password. What you type is not shown, and not kept."
_WRONG = "That is not the password. Try it again."


class PasswordPage(FormPage[str]):
    """Gives a password; empty if the person has none."""

    def __init__(self, server: str, *, is_wrong: bool, ascii: bool) -> None:
        problem = _WRONG if is_wrong else ""
        super().__init__(f"The password of {server}", "", ascii=ascii, problem=problem)
        help = "The host has told it to you. Enter goes on."
        give = partial(self.do, self._give)
        self._password = Field(
            "Password", "", 30, TEXT_LIMIT, self.changed, help, secret=True, on_enter=give
        )
        self.rows(
            urwid.Text(_ASKED),
            urwid.Divider(),
            self._password,
            ControlRow(
                self.button("Go on", self._give),
                self.button("Back", partial(self.finish, "")),
            ),
        )

    def _give(self) -> None:
        self.finish(self._password.read(password_text))


_DIGITS = 9
_NOBODY = "No profile: the account you are logged in with"
_ABOUT = (
    "Each profile has settings, statistics, games and a name of its own, so that several people "
    "can use one computer."
)


class ProfilesPage(FormPage[str | None]):
    """Gives the name of the profile to use from now on, empty for none; a new one is made.

    None is for the one in use.
    """

    def __init__(self, profile: str, known: Sequence[str], *, ascii: bool) -> None:
        """``profile`` is the one in use, empty for none; ``known`` are those that there are."""
        super().__init__("Profiles", None, ascii=ascii)
        help = "Letters and digits, with blanks, - and _ between them."
        self._new = Field("New profile", "", NAME_LIMIT, NAME_LIMIT, self.changed, help)
        buttons = [
            self.button(
                (name or _NOBODY) + (" (in use)" if name == profile else ""),
                partial(self.finish, name),
                key=str(number) if number <= _DIGITS else "",
                help=f"The same as hearts-client --profile {name}." if name else "",
            )
            for number, name in enumerate(["", *known])
        ]
        self.rows(
            urwid.Text((Ink.DIM, _ABOUT)),
            urwid.Divider(),
            *buttons,
            urwid.Divider(),
            self._new,
            self.button(
                "Make it",
                lambda: self.finish(self._new.read(profile_text)),
                key="m",
                help="And use it.",
            ),
        )


DAY_TITLE = "The deal of the day"


class DayPage(FormPage[bool]):
    """Gives True if the person begins their try, or goes on with it."""

    def __init__(self, today: TodaysDeal, *, goes_on: bool, ascii: bool) -> None:
        super().__init__(DAY_TITLE, False, ascii=ascii)
        label = "Go on with your try" if goes_on else "Begin your try"
        self.rows(
            *map(urwid.Text, today.lines),
            urwid.Divider(),
            ControlRow(
                self.button(label, partial(self.finish, True), key="b"),
                self.button("Not now", partial(self.finish, False), key="n"),
            ),
            urwid.Divider(),
            *map(urwid.Text, today.outcome),
        )


_WIDTH = 70
_ASKING = "Asking the server who is waiting..."
_NOBODY_WAITS = "Nobody is waiting to be invited. New players appear here."


class InvitePage(FormPage[int | None]):
    """Gives the number of the player to invite; None for nobody. :meth:`receive` fills it."""

    def __init__(self, *, ascii: bool) -> None:
        super().__init__("Players waiting to be invited", None, ascii=ascii)
        self._coming: list[InvitableMessage] = []
        self._shown: list[InvitableMessage] | None = None
        self._buttons: dict[int, Button] = {}
        self.rows(urwid.Text(_ASKING))

    def receive(self, told: InvitableMessage | InvitableCount) -> None:
        """Take in a player who waits; or the end of the list, which is shown then."""
        if isinstance(told, InvitableMessage):
            self._coming.append(told)
            return
        coming, self._coming = self._coming, []
        if coming != self._shown:
            self._shown = coming
            self._show(coming)

    def _show(self, waiting: list[InvitableMessage]) -> None:
        at = next((n for n, button in self._buttons.items() if button is self.focused), 0)
        self._buttons = {
            each.number: self.button(
                cut(invitable_line(each), _WIDTH),
                partial(self.finish, each.number),
                help="Invite this player to your table; they have half a minute to answer.",
            )
            for each in waiting
        }
        if not waiting:
            self.rows(urwid.Text(_NOBODY_WAITS))
            return
        self.rows(*self._buttons.values())
        # Somebody else in the list changes nothing for a key that is meant for this one.
        if at in self._buttons:
            self.focus_on(self._buttons[at])
