"""The page that asks for the password of a host."""

from __future__ import annotations

import urwid

from hearts.wire.codec import TEXT_LIMIT
from hearts_client.commands.arguments import password_text
from hearts_client.screen.input.controls import ControlRow, Field
from hearts_client.screen.input.form import FormPage, Shortcut

_ASKED = "The host asks for a password. What you type is not shown, and not kept."
_WRONG = "That is not the password. Try it again."


class PasswordPage(FormPage[str]):
    """Gives a password; empty if the person has none."""

    def __init__(self, server: str, *, is_wrong: bool, ascii: bool) -> None:
        """``is_wrong`` is for whoever has given one already."""
        problem = _WRONG if is_wrong else ""
        super().__init__(f"The password of {server}", ascii=ascii, problem=problem)
        self._password = Field(
            "Password",
            "",
            width=30,
            limit=TEXT_LIMIT,
            on_change=self.changed,
            on_enter=lambda: self.do(self._give),
            secret=True,
            help="The host has told it to you. Enter goes on.",
        )
        self.rows(
            urwid.Text(_ASKED),
            urwid.Divider(),
            self._password,
            ControlRow(
                self.button("Go on", self._give),
                self.button("Back", self._give_up),
            ),
        )
        self.keys(Shortcut("esc", "Back", self._give_up))

    def _give(self) -> None:
        self.finish(self._password.read(password_text))

    def _give_up(self) -> None:
        self.finish("")
