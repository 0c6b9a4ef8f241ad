"""What somebody at a table wants beside playing: a page above it, or to leave."""

from __future__ import annotations

from enum import Enum, auto


class WantedPage(Enum):
    """A page that is wanted above the table; the value is its key."""

    HELP = "?"
    SCORES = "b"
    RULES = "r"
    REPLAY = "v"
    OPTIONS = "o"
    NEWS = "w"
    MENU = "m"
    SOUND = "z"
    """No page: whether anything is heard is turned round."""
    LEAVE = "esc"
    INVITE = "invite"
    """Who waits to be invited to the table that forms. Its key means other things in a game."""


class Leaving(Enum):
    """Why somebody is done with a table."""

    OVER = auto()
    """The players were done, and the person has seen it."""
    LEFT = auto()
    """The person left."""
    AGAIN = auto()
    """The person wants a deal again, alone."""
    ENDED = auto()
    """The person has ended the game for good."""
