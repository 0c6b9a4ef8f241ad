"""Whose settings, statistics and games are used: the profiles to choose from, and a new one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import urwid

from hearts.wire.codec import NAME_LIMIT
from hearts_client.commands.arguments import profile_text
from hearts_client.screen.input.controls import Field
from hearts_client.screen.input.form import FormPage, Shortcut
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.wish import Back, UseProfile

_DIGITS = 9
_NOBODY = "No profile: whoever is logged in"
_ABOUT = (
    "Each profile has settings, statistics, games and a name of its own, so that several people "
    "can use one computer."
)


class ProfilesPage(FormPage[UseProfile | Back]):
    """Gives the profile to use from now on."""

    def __init__(self, profile: str, known: Sequence[str], *, ascii: bool) -> None:
        """``profile`` is the one in use, empty for none; ``known`` are those that there are."""
        super().__init__("Profiles", ascii=ascii)
        self._new = Field(
            "New profile",
            "",
            width=NAME_LIMIT,
            limit=NAME_LIMIT,
            on_change=self.changed,
            help="Letters and digits, and between them blanks, - and _.",
        )
        buttons = [
            self.button(
                (name or _NOBODY) + (" (in use)" if name == profile else ""),
                partial(self.finish, UseProfile(name)),
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
            self.button("Make it", self._make, key="m", help="And use it."),
        )
        self.keys(Shortcut("esc", "Back", lambda: self.finish(Back())))

    def _make(self) -> None:
        self.finish(UseProfile(self._new.read(profile_text)))
