"""The page of those who wait to be invited to the table that forms."""

from __future__ import annotations

from functools import partial

import urwid

from hearts.session.table_words import InvitableCount, InvitableMessage
from hearts_client.screen.input.controls import Button
from hearts_client.screen.input.form import FormPage, Shortcut, cut
from hearts_client.words.tables import invitable_line

_WIDTH = 70
_ASKING = "Asking the server who waits..."
_NOBODY = "Nobody waits to be invited; whoever comes to wait is shown here."


class InvitePage(FormPage[int | None]):
    """Gives the number of the player to invite; None for nobody. It is filled by :meth:`hear`."""

    def __init__(self, *, ascii: bool) -> None:
        super().__init__("Players who wait to be invited", ascii=ascii)
        self._coming: list[InvitableMessage] = []
        self._shown: list[InvitableMessage] | None = None
        self._buttons: dict[int, Button] = {}
        self.rows(urwid.Text(_ASKING))
        self.keys(Shortcut("esc", "Back", partial(self.finish, None)))

    def hear(self, told: InvitableMessage | InvitableCount) -> None:
        """One who waits; or that those were all, who are shown then."""
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
                help="Invite this player to your table; there is half a minute to answer.",
            )
            for each in waiting
        }
        if not waiting:
            self.rows(urwid.Text(_NOBODY))
            return
        self.rows(*self._buttons.values())
        # Somebody else in the list changes nothing for a key that is meant for this one.
        if at in self._buttons:
            self.focus_on(self._buttons[at])
