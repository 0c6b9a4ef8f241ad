"""The looks of the inks on a terminal: for 16 and for 256 colours, and without any.

The background of the terminal stays what it is. What could be taken for either has a background
of its own, so that a wrong guess between dark and light leaves everything legible.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.settings.settings import Colors

PaletteEntry = tuple[str, str, str, str, str, str]
"""As urwid has it: name, colours for 16, attributes without colour, colours for 256."""

_MONO = {
    Ink.STRONG: "bold",
    Ink.TITLE: "bold",
    Ink.CARD_CURSOR: "standout",
    Ink.CARD_RED_CURSOR: "standout",
    Ink.CARD_GREEN_CURSOR: "standout",
    Ink.CARD_BLUE_CURSOR: "standout",
    Ink.TURN: "bold,underline",
    Ink.CLOCK: "bold",
    Ink.HURRY: "standout",
    Ink.ALARM: "bold",
    Ink.FLASH: "standout",
    Ink.CHAT_NAME: "bold",
    Ink.UNREAD: "bold",
    Ink.FIELD: "underline",
    Ink.KEY: "bold",
    Ink.BUTTON_FOCUS: "standout",
}
_LIGHT_GROUNDS = ("7", "15")
"""The backgrounds in COLORFGBG that are light."""
_WITHOUT_COLOR = frozenset({"dumb", "vt100", "vt102", "vt220", "linux-m"})


class _Shade(Struct, frozen=True, gc=False):
    """A colour among the 16 of every terminal, and among 256."""

    few: str
    many: str


class _Scheme(Struct, frozen=True, gc=False):
    """The colours that differ from one kind of background, or of eyes, to the next."""

    title: _Shade
    red: _Shade
    green: _Shade
    blue: _Shade
    """The colours of suits, on the background of the terminal."""
    paper: _Shade
    """The ground of cards that can be played."""
    paper_red: _Shade
    paper_green: _Shade
    paper_blue: _Shade
    turn: tuple[_Shade, _Shade]
    """Text and background of whose turn it is."""
    alarm: tuple[_Shade, _Shade]
    good: _Shade
    """News and times that are in order."""
    key: _Shade


_DEFAULT = _Shade("default", "default")
_BLACK = _Shade("black", "#000")
_WHITE = _Shade("white", "#fff")
_GRAY = _Shade("dark gray", "g50")

_DARK = _Scheme(
    title=_Shade("light cyan", "#0af"),
    red=_Shade("light red", "#f66"),
    green=_Shade("light green", "#6c6"),
    blue=_Shade("light blue", "#6af"),
    paper=_Shade("light gray", "g93"),
    paper_red=_Shade("dark red", "#c00"),
    paper_green=_Shade("dark green", "#060"),
    paper_blue=_Shade("dark blue", "#00c"),
    turn=(_BLACK, _Shade("yellow", "#fd0")),
    alarm=(_WHITE, _Shade("dark red", "#a00")),
    good=_Shade("light green", "#6c6"),
    key=_Shade("light cyan", "#0af"),
)
_LIGHT = _Scheme(
    title=_Shade("dark blue", "#00a"),
    red=_Shade("dark red", "#a00"),
    green=_Shade("dark green", "#060"),
    blue=_Shade("dark blue", "#00c"),
    paper=_Shade("white", "#fff"),
    paper_red=_Shade("dark red", "#c00"),
    paper_green=_Shade("dark green", "#060"),
    paper_blue=_Shade("dark blue", "#00c"),
    turn=(_BLACK, _Shade("yellow", "#fd0")),
    alarm=(_WHITE, _Shade("dark red", "#a00")),
    good=_Shade("dark green", "#060"),
    key=_Shade("dark blue", "#00a"),
)
# Orange, blue and their neighbours: Okabe and Ito's colours, nearly.
_SAFE = _Scheme(
    title=_Shade("dark cyan", "#08d"),
    red=_Shade("brown", "#d60"),
    green=_Shade("dark magenta", "#a6a"),
    blue=_Shade("dark cyan", "#08d"),
    paper=_Shade("light gray", "g93"),
    paper_red=_Shade("brown", "#a40"),
    paper_green=_Shade("dark magenta", "#808"),
    paper_blue=_Shade("dark blue", "#06a"),
    turn=(_WHITE, _Shade("dark blue", "#06a")),
    alarm=(_BLACK, _Shade("brown", "#f80")),
    good=_Shade("dark cyan", "#08d"),
    key=_Shade("dark cyan", "#08d"),
)


_SCHEMES = {Colors.DARK: _DARK, Colors.LIGHT: _LIGHT, Colors.SAFE: _SAFE}


def palette(colors: Colors, *, environ: Mapping[str, str]) -> list[PaletteEntry]:
    """Give the look of every ink; ``environ`` tells of the terminal if that is asked."""
    if colors is Colors.AUTO:
        colors = _colors_of(environ)
    return _plain() if colors is Colors.NONE else _colored(_SCHEMES[colors])


def _colors_of(environ: Mapping[str, str]) -> Colors:
    if environ.get("NO_COLOR") or environ.get("TERM", "") in _WITHOUT_COLOR:
        return Colors.NONE
    ground = environ.get("COLORFGBG", "").rpartition(";")[2]
    return Colors.LIGHT if ground in _LIGHT_GROUNDS else Colors.DARK


def _plain() -> list[PaletteEntry]:
    entries = []
    for ink in Ink:
        mono = _MONO.get(ink, "default")
        text = "default" if mono == "default" else f"default,{mono}"
        entries.append((ink.value, text, "default", mono, text, "default"))
    return entries


def _colored(scheme: _Scheme) -> list[PaletteEntry]:
    entries = []
    for ink, (text, ground, attributes) in _looks(scheme).items():
        more = f",{attributes}" if attributes else ""
        mono, few, many = _MONO.get(ink, "default"), text.few + more, text.many + more
        entries.append((ink.value, few, ground.few, mono, many, ground.many))
    return entries


def _looks(scheme: _Scheme) -> dict[Ink, tuple[_Shade, _Shade, str]]:
    """Text, background and attributes of every ink."""
    text = ground = _DEFAULT
    paper = scheme.paper
    turn_text, turn_ground = scheme.turn
    alarm_text, alarm_ground = scheme.alarm
    return {
        Ink.TEXT: (text, ground, ""),
        Ink.DIM: (_GRAY, ground, ""),
        Ink.STRONG: (text, ground, "bold"),
        Ink.TITLE: (scheme.title, ground, "bold"),
        Ink.LINE: (_GRAY, ground, ""),
        Ink.RED: (scheme.red, ground, "bold"),
        Ink.CARD: (_BLACK, paper, ""),
        Ink.CARD_RED: (scheme.paper_red, paper, ""),
        Ink.CARD_GREEN: (scheme.paper_green, paper, ""),
        Ink.CARD_BLUE: (scheme.paper_blue, paper, ""),
        Ink.CARD_DIM: (text, ground, ""),
        Ink.CARD_RED_DIM: (scheme.red, ground, ""),
        Ink.CARD_GREEN_DIM: (scheme.green, ground, ""),
        Ink.CARD_BLUE_DIM: (scheme.blue, ground, ""),
        Ink.CARD_CURSOR: (paper, _BLACK, "bold"),
        Ink.CARD_RED_CURSOR: (paper, scheme.paper_red, "bold"),
        Ink.CARD_GREEN_CURSOR: (paper, scheme.paper_green, "bold"),
        Ink.CARD_BLUE_CURSOR: (paper, scheme.paper_blue, "bold"),
        Ink.CARD_BACK: (scheme.blue, ground, ""),
        Ink.TURN: (turn_text, turn_ground, "bold"),
        Ink.CLOCK: (scheme.good, ground, "bold"),
        Ink.HURRY: (alarm_text, alarm_ground, "bold"),
        Ink.NOTICE: (scheme.good, ground, ""),
        Ink.ALARM: (alarm_text, alarm_ground, "bold"),
        Ink.FLASH: (alarm_text, alarm_ground, "bold"),
        Ink.CHAT: (text, ground, ""),
        Ink.CHAT_NAME: (scheme.title, ground, "bold"),
        Ink.UNREAD: (text, ground, "bold"),
        Ink.FIELD: (text, ground, "underline"),
        Ink.KEY: (scheme.key, ground, "bold"),
        Ink.BUTTON: (text, ground, ""),
        Ink.BUTTON_FOCUS: (_BLACK, scheme.turn[1], "bold"),
    }
