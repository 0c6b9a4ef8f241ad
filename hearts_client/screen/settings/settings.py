"""The settings of a person, and the options by which they are seen and changed."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from hearts.settings.readers import LEVELS, level, seconds
from hearts.taunt.messages import TAUNT_LIMIT
from hearts.wire.codec import NAME_LIMIT
from hearts.wire.text import is_legible, is_visible
from hearts_client.commands.arguments import name_text
from hearts_client.words.style import Sort

SOUND_PROGRAMS = ("pw-play", "paplay", "afplay", "aplay -q")
"""Programs that play sounds; the first one that is there is used."""
LONGEST_STAY = 60.0
"""Seconds for which anything may stay on the screen, or a computer may think."""
MOST_TAUNTS = 9
"""There is a digit for each."""
_COMPUTERS = 3
_SECONDS = seconds(LONGEST_STAY)
_Stay = Annotated[float, Meta(ge=0, le=LONGEST_STAY)]


class Highlight(Enum):
    """The mark of the card that Enter would take."""

    RAISED = "raised"
    INVERTED = "inverted"
    OUTLINE = "outline"


class Design(Enum):
    CLASSIC = "classic"
    """Rank and suit in two corners, and the suit in the middle; pips if there is room."""
    PLAIN = "plain"
    """Rank and suit in one corner."""
    FOUR_COLORS = "four colors"
    """Like classic, but each suit has a colour of its own."""


class Colors(Enum):
    AUTO = "auto"
    """Dark or light as the terminal says, none if it has none."""
    DARK = "dark"
    LIGHT = "light"
    SAFE = "colour-blind"
    """Colours that people who see red and green alike can tell apart; for either background."""
    NONE = "none"


class Settings(Struct, frozen=True, gc=False):
    """The settings of a person; the defaults are as most people want them."""

    sort: Sort = Sort.ALTERNATING
    trick_stays: _Stay | None = 1.5
    """Seconds for which a trick stays when it is over; None for until it is dismissed."""
    bot_pause: _Stay = 0.5
    notice_stays: _Stay = 5.0
    key_waits: _Stay = 0.4
    """Seconds for which a question is to be seen before Enter, or a click, answers it."""
    asks_twice: bool = False
    """True if a queen of spades, king or ace is asked about that takes the trick needlessly."""
    asks_to_finish: bool = True
    """True if the person is asked once before a computer plays their hand out."""
    finishes_slowly: bool = False
    """True if a hand that a computer plays out is shown card by card."""
    shows_par: bool = True
    """True if a hand that is over says what it usually costs."""
    chooses_ahead: bool = False
    """True if a card can be chosen while others are to play."""
    highlight: Highlight = Highlight.RAISED
    design: Design = Design.CLASSIC
    own_cards: Annotated[str, Meta(max_length=100)] = ""
    """The name of cards from a file, which are used if they can be; empty for ours."""
    colors: Colors = Colors.AUTO
    bell: bool = False
    """True if the queen, a moon and one's own turn are heard: the terminal's bell rings."""
    sounds: bool = False
    """True if sounds are played in place of the bell, as far as a program plays them."""
    sound_command: Annotated[str, Meta(max_length=200)] = ""
    """That program with its options, as in a shell; empty for one that the system has."""
    computers: tuple[str, str, str] = ("Moe", "Larry", "Curly")
    """The names of the computers in a game alone: left, across, right."""
    level: str = "swift"
    """Their strength, from the next game on: one of :data:`hearts.settings.readers.LEVELS`."""
    taunts: Annotated[tuple[str, ...], Meta(max_length=MOST_TAUNTS)] = (
        "Well played!",
        "Ouch.",
        "Thanks for the queen.",
        "Somebody stop that moon!",
        "Take your time...",
        "Good game, everybody.",
    )

    @property
    def heard(self) -> bool | None:
        """If sounds are played in place of the bell; None if nothing is heard."""
        return self.sounds if self.bell else None

    @property
    def cards(self) -> Design | str:
        return self.own_cards or self.design

    def having(self, name: str, value: Any) -> Settings:
        """Give the settings in which one of them, or of the two above, has another value."""
        match name, value:
            case "heard", None:
                return replace(self, bell=False)
            case "heard", _:
                return replace(self, bell=True, sounds=value)
            case "cards", Design():
                return replace(self, design=value, own_cards="")
            case "cards", _:
                return replace(self, own_cards=value)
            case _:
                return replace(self, **{name: value})


def taunt_text(text: str) -> str:
    """Return a text that the chat takes. Raises argparse.ArgumentTypeError."""
    size = len(text.encode("utf-8", "replace"))
    if not 1 <= size <= TAUNT_LIMIT or not is_legible(text) or not is_visible(text):
        raise argparse.ArgumentTypeError(
            f"a taunt has 1 to {TAUNT_LIMIT} bytes, something to be seen and no control characters"
        )
    return text


def command_text(text: str) -> str:
    """Return a program with options, as in a shell; or nothing. Raises
    argparse.ArgumentTypeError.
    """
    try:
        is_empty = not shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"this is no command: {error}") from None
    if (is_empty and text) or "\0" in text:
        raise argparse.ArgumentTypeError("this is no command")
    return text


def computer_names(names: Sequence[str]) -> tuple[str, str, str]:
    """Names for the three computers of a game alone. Raises argparse.ArgumentTypeError."""
    left, across, right = (name_text(name.strip()) for name in names)
    if len({left, across, right}) < _COMPUTERS or "," in left + across + right:
        raise argparse.ArgumentTypeError(
            "the three computers need different names, without a comma"
        )
    return left, across, right


def _taunts(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(taunt_text, texts))


class Option(Struct, frozen=True):
    """A setting as a person sees it: chosen, typed or ticked."""

    name: str
    """As :meth:`Settings.having` takes it."""
    labels: tuple[str, ...]
    help: str
    choices: Sequence[tuple[str, object]] = ()
    """The values with their words, if one is chosen."""
    read: Callable[[str], object] | None = None
    """Reads a line, if it is typed. Raises argparse.ArgumentTypeError."""
    join: Callable[[Sequence[Any]], object] = lambda read: read[0]
    """Makes a value of the lines that are read."""
    show: Callable[[Any], Sequence[str]] = lambda value: (value,)
    width: int = 0
    limit: int = 0
    check: Callable[[Any], object] | None = None
    """Takes what a file has in place of a value; needed if the type does not say all."""
    heading: str = ""


def _or_none(text: str) -> float | None:
    return _SECONDS(text) if text else None


def _seconds(
    name: str,
    label: str,
    help: str,
    read: Callable[[str], float | None] = _SECONDS,
    heading: str = "",
) -> Option:
    def show(value: float | None) -> tuple[str]:
        return ("" if value is None else f"{value:g}",)

    return Option(name, (label,), help, read=read, show=show, width=5, limit=5, heading=heading)


def _each(kind: type[Enum], **words: str) -> list[tuple[str, object]]:
    """Give all values with their words, where those are not the values."""
    return [(words.get(each.name, each.value), each) for each in kind]


OPTIONS = (
    Option(
        "cards",
        ("Cards",),
        "What the cards look like.",
        _each(Design, FOUR_COLORS="four colours"),
    ),
    Option(
        "highlight",
        ("Chosen",),
        "How the card is marked that Enter would take.",
        _each(Highlight, OUTLINE="heavy lines"),
    ),
    Option(
        "sort",
        ("Suits",),
        "The order of the suits in your hand: clubs, diamonds, hearts, spades, or mixed.",
        (("black and red in turn", Sort.ALTERNATING), ("always the same", Sort.SUIT)),
    ),
    Option(
        "colors",
        ("Colours",),
        "For a dark or a light background, without red and green, or no colours at all.",
        _each(Colors, AUTO="automatic"),
    ),
    Option(
        "heard",
        ("To hear",),
        "At your turn, the queen and a moon. At the table, z turns it off and on.",
        (("nothing", None), ("the bell", False), ("sounds", True)),
    ),
    Option(
        "sound_command",
        ("Sounds by",),
        f"A program with options, which gets a WAV file; empty: {', '.join(SOUND_PROGRAMS)}.",
        read=command_text,
        width=60,
        limit=200,
        check=command_text,
    ),
    Option(
        "asks_twice",
        ("Ask before a queen of spades, king or ace that need not be played",),
        "Where it would take the trick, though you may play a lower card of its suit.",
    ),
    Option(
        "chooses_ahead",
        ("Choose a card before it is your turn",),
        "Enter or a click chooses it, and again takes it back. It is played in its turn.",
    ),
    Option(
        "asks_to_finish",
        ("Ask before a computer finishes your hand",),
        "f is pressed twice then.",
    ),
    Option(
        "finishes_slowly",
        ("Show each card of a hand that a computer finishes",),
        "Otherwise f finishes it at once, as far as the others let it.",
    ),
    Option(
        "shows_par",
        ("Say what a hand usually costs",),
        "When it is over: the points that the bot swift takes with your cards.",
    ),
    _seconds(
        "trick_stays",
        "A trick",
        "For so long a trick lies; empty: until a key.",
        _or_none,
        heading="Seconds",
    ),
    _seconds("notice_stays", "A notice", "For so long a notice is shown."),
    _seconds("bot_pause", "A computer", "So long a computer thinks, in a game alone."),
    _seconds(
        "key_waits", "Keys", "So long after a change Enter, Space, y, n and clicks do nothing."
    ),
    Option(
        "level",
        ("They play",),
        "As beginners, by rules or by search, from the next game on. Expert is an extra.",
        [(name, name) for name in LEVELS],
        check=level,
        heading="The computers of a game alone",
    ),
    Option(
        "computers",
        ("Left", "Across", "Right"),
        "The name of that computer.",
        read=name_text,
        join=computer_names,
        show=tuple,
        width=30,
        limit=NAME_LIMIT,
        check=computer_names,
    ),
    Option(
        "taunts",
        tuple(f"! {number}" for number in range(1, MOST_TAUNTS + 1)),
        "What is said at the table with these two keys; empty ones are left out.",
        read=lambda text: taunt_text(text) if text else "",
        join=lambda texts: tuple(filter(None, texts)),
        show=lambda taunts: [*taunts, *[""] * (MOST_TAUNTS - len(taunts))],
        width=60,
        limit=TAUNT_LIMIT,
        check=_taunts,
        heading="What can be said with one key",
    ),
)
"""All options, in the order in which they are shown."""
FOR_OWN_MACHINE = frozenset(
    {"heard", "sound_command", "bot_pause", "level", "computers", "shows_par"}
)
"""Options about programs, and about games alone: there are none for a visitor."""

SETTINGS_CHECKS = {option.name: option.check for option in OPTIONS if option.check is not None}
