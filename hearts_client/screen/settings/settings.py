"""How a person wants the table to be."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from msgspec import Meta, Struct

from hearts_client.words.style import Sort

LONGEST_STAY = 60.0
"""Seconds for which anything may stay on the screen, or a computer may think."""
MOST_TAUNTS = 9
"""There is a digit for each."""
_Stay = Annotated[float, Meta(ge=0, le=LONGEST_STAY)]


class Highlight(Enum):
    """How the card is marked that Enter would take."""

    RAISED = "raised"
    INVERTED = "inverted"
    OUTLINE = "outline"


class Design(Enum):
    """What the cards look like."""

    CLASSIC = "classic"
    """Rank and suit in two corners, and the suit in the middle; pips if there is room."""
    PLAIN = "plain"
    """Rank and suit in one corner."""
    FOUR_COLORS = "four colors"
    """As classic, and each suit has a colour of its own."""


class Colors(Enum):
    """Which colours are used."""

    AUTO = "auto"
    """Dark or light as the terminal says, none if it has none."""
    DARK = "dark"
    """For a dark background."""
    LIGHT = "light"
    """For a light background."""
    SAFE = "colour-blind"
    """Told apart by who sees red and green alike; for either background."""
    NONE = "none"


class Settings(Struct, frozen=True, gc=False):
    """The settings of a person; what is not said is as most people want it."""

    sort: Sort = Sort.ALTERNATING
    trick_stays: _Stay | None = 1.5
    """Seconds for which a trick stays when it is over; None for until it is dismissed."""
    bot_pause: _Stay = 0.5
    """Seconds before each choice of a computer, in a game alone."""
    notice_stays: _Stay = 5.0
    """Seconds for which a notice stays."""
    key_waits: _Stay = 0.4
    """Seconds for which a question is to be seen before Enter, or a click, answers it."""
    asks_twice: bool = False
    """Whether a queen of spades, king or ace is asked about that takes the trick needlessly."""
    finishes_slowly: bool = False
    """Whether a hand that a computer plays out is shown card by card."""
    chooses_ahead: bool = False
    """Whether a card can be chosen while others are to play."""
    highlight: Highlight = Highlight.RAISED
    design: Design = Design.CLASSIC
    own_cards: Annotated[str, Meta(max_length=100)] = ""
    """The name of cards from a file, which are used if they can be; empty for ours."""
    colors: Colors = Colors.AUTO
    bell: bool = False
    """Whether the queen, a moon and one's own turn are heard: the terminal's bell rings."""
    sounds: bool = False
    """Whether sounds are played in place of the bell, as far as a program plays them."""
    sound_command: Annotated[str, Meta(max_length=200)] = ""
    """That program with its options, as in a shell; empty for one that the system has."""
    computers: tuple[str, str, str] = ("Moe", "Larry", "Curly")
    """The names of the computers in a game alone: left, across, right."""
    level: str = "simple"
    """How well they play, from the next game on: one of :data:`hearts.arguments.LEVELS`."""
    taunts: Annotated[tuple[str, ...], Meta(max_length=MOST_TAUNTS)] = (
        "Well played!",
        "Ouch.",
        "Thanks for the queen.",
        "Somebody stop that moon!",
        "Take your time...",
        "Good game, everybody.",
    )
    """What can be said with one key."""
