"""The looks of the inks on a terminal: for 16 and for 256 colours, and without any.

The background of the terminal stays what it is. What could be taken for either has a background
of its own, so that a wrong guess between dark and light leaves everything legible.
"""

from __future__ import annotations

from collections.abc import Mapping

from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.settings.settings import Colors

PaletteEntry = tuple[str, str, str, str, str, str]
"""An entry as urwid has it: name, colours for 16, attributes without colour, colours for 256."""

_LIGHT_GROUNDS = ("7", "15")
"""The backgrounds in COLORFGBG that are light."""
_WITHOUT_COLOR = frozenset({"dumb", "vt100", "vt102", "vt220", "linux-m"})
_SCHEMES = (Colors.DARK, Colors.LIGHT, Colors.SAFE)
_SHADES = {
    "title": ("light cyan #0af", "dark blue #00a", "dark cyan #08d"),
    "red": ("light red #f66", "dark red #a00", "brown #d60"),
    "green": ("light green #6c6", "dark green #060", "dark magenta #a6a"),
    "blue": ("light blue #6af", "dark blue #00c", "dark cyan #08d"),
    "paper": ("light gray g93", "white #fff", "light gray g93"),
    "red on paper": ("dark red #c00", "dark red #c00", "brown #a40"),
    "green on paper": ("dark green #060", "dark green #060", "dark magenta #808"),
    "blue on paper": ("dark blue #00c", "dark blue #00c", "dark blue #06a"),
    "turn": ("black #000", "black #000", "white #fff"),
    "turn ground": ("yellow #fd0", "yellow #fd0", "dark blue #06a"),
    "alarm": ("white #fff", "white #fff", "black #000"),
    "alarm ground": ("dark red #a00", "dark red #a00", "brown #f80"),
    "good": ("light green #6c6", "dark green #060", "dark cyan #08d"),
    "key": ("light cyan #0af", "dark blue #00a", "dark cyan #08d"),
    "black": ("black #000",) * 3,
    "gray": ("dark gray g50",) * 3,
    "": ("default default",) * 3,
}
"""The names of the colours below, with those of each scheme among the 16 of every terminal and
among 256. The safe ones are orange, blue and their neighbours: Okabe and Ito's, nearly."""
_LOOKS = {
    Ink.TEXT: ("", "", "", ""),
    Ink.DIM: ("gray", "", "", ""),
    Ink.STRONG: ("", "", "bold", "bold"),
    Ink.TITLE: ("title", "", "bold", "bold"),
    Ink.LINE: ("gray", "", "", ""),
    Ink.RED: ("red", "", "bold", ""),
    Ink.CARD: ("black", "paper", "", ""),
    Ink.CARD_RED: ("red on paper", "paper", "", ""),
    Ink.CARD_GREEN: ("green on paper", "paper", "", ""),
    Ink.CARD_BLUE: ("blue on paper", "paper", "", ""),
    Ink.CARD_DIM: ("", "", "", ""),
    Ink.CARD_RED_DIM: ("red", "", "", ""),
    Ink.CARD_GREEN_DIM: ("green", "", "", ""),
    Ink.CARD_BLUE_DIM: ("blue", "", "", ""),
    Ink.CARD_CURSOR: ("paper", "black", "bold", "standout"),
    Ink.CARD_RED_CURSOR: ("paper", "red on paper", "bold", "standout"),
    Ink.CARD_GREEN_CURSOR: ("paper", "green on paper", "bold", "standout"),
    Ink.CARD_BLUE_CURSOR: ("paper", "blue on paper", "bold", "standout"),
    Ink.CARD_BACK: ("blue", "", "", ""),
    Ink.TURN: ("turn", "turn ground", "bold", "bold,underline"),
    Ink.CLOCK: ("good", "", "bold", "bold"),
    Ink.HURRY: ("alarm", "alarm ground", "bold", "standout"),
    Ink.NOTICE: ("good", "", "", ""),
    Ink.ALARM: ("alarm", "alarm ground", "bold", "bold"),
    Ink.FLASH: ("alarm", "alarm ground", "bold", "standout"),
    Ink.CHAT: ("", "", "", ""),
    Ink.CHAT_NAME: ("title", "", "bold", "bold"),
    Ink.UNREAD: ("", "", "bold", "bold"),
    Ink.FIELD: ("", "", "underline", "underline"),
    Ink.KEY: ("key", "", "bold", "bold"),
    Ink.BUTTON: ("", "", "", ""),
    Ink.BUTTON_FOCUS: ("black", "turn ground", "bold", "standout"),
}
"""The colours of text and of ground, attributes beside them, and attributes without colours."""


def palette(colors: Colors, *, environ: Mapping[str, str]) -> list[PaletteEntry]:
    """Give the look of every ink; ``environ`` tells of the terminal if that is asked."""
    if colors is Colors.AUTO:
        colors = _colors_of(environ)
    entries = []
    for ink, (text, ground, attributes, mono) in _LOOKS.items():
        if colors is Colors.NONE:
            text, ground, attributes = "", "", mono
        scheme = _SCHEMES.index(colors) if colors in _SCHEMES else 0
        few, _, many = _SHADES[text][scheme].rpartition(" ")
        few_ground, _, many_ground = _SHADES[ground][scheme].rpartition(" ")
        more = f",{attributes}" if attributes else ""
        looks = (few + more, few_ground, mono or "default", many + more, many_ground)
        entries.append((ink.value, *looks))
    return entries


def _colors_of(environ: Mapping[str, str]) -> Colors:
    if environ.get("NO_COLOR") or environ.get("TERM", "") in _WITHOUT_COLOR:
        return Colors.NONE
    ground = environ.get("COLORFGBG", "").rpartition(";")[2]
    return Colors.LIGHT if ground in _LIGHT_GROUNDS else Colors.DARK
