"""What a table wants done: its effects, each a value that the host carries out."""

from __future__ import annotations

from enum import Enum
from math import inf
from typing import final

from msgspec import Struct

from hearts.errors import Fault, Reason
from hearts.game.events import ChosenBy
from hearts.game.view import View

from .events import TableEvent
from .inputs import Question, Wish


@final
class Persist(Struct, frozen=True, gc=False):
    """Store a line; then give :class:`Durable`."""

    line: str


@final
class Tell(Struct, frozen=True, gc=False):
    """Tell one player what he may see."""

    player: int
    event: TableEvent


@final
class TellAll(Struct, frozen=True, gc=False):
    """Tell every player something that all may see."""

    event: TableEvent


@final
class Ask(Struct, frozen=True, gc=False):
    """Ask a client for a choice; what it needs to choose it was told before."""

    player: int
    question: Question
    left: float
    """Seconds to choose in, once the client owes nothing earlier; inf if there is no limit."""
    legal: int
    """The cards that may be played, as a mask; 0 if no card is asked for."""
    tries: int = 0
    """The illegal tries that were made already."""
    free: float = inf
    """Seconds of those that are taken from no bank; inf if there is none."""
    bank: float = inf
    """Seconds in the bank, from which the rest is taken; inf if there is none."""


class Refuse(Struct, frozen=True, gc=False):
    """A choice is not legal; its player may choose again."""

    player: int
    reason: Reason


class AskBot(Struct, frozen=True):
    """Let a bot choose in place of a player, and give :class:`Answered`."""

    request: int
    question: Question
    view: View
    by: ChosenBy


class Announce(Struct, frozen=True, gc=False):
    """Tell everybody at the table in words, over the taunt server."""

    text: str
    about: int | None = None
    """The player who comes or goes, if it is about that."""


class Notify(Struct, frozen=True, gc=False):
    """Tell everybody at the table in words, over every way that there is."""

    text: str


class Show(Struct, frozen=True, gc=False):
    """Tell watchers something that players see in a way of their own."""

    event: TableEvent


class Restarted(Struct, frozen=True, gc=False):
    """The hand under way is no more: who is told of it as of the past has to come anew."""

    why: str


class Decline(Struct, frozen=True, gc=False):
    """A player's request cannot be met."""

    player: int
    wish: Wish
    fault: Fault


class Granted(Struct, frozen=True, gc=False):
    """A player's request is taken, and is met when its time has come."""

    player: int
    wish: Wish


class Dismiss(Struct, frozen=True, gc=False):
    """A player has left for good: end his connection."""

    player: int


class Removed(Struct, frozen=True, gc=False):
    """The host has removed a player, which is durable: he hears nothing more."""

    player: int


class Change(Enum):
    """What can happen to a seat; the value is that of DealerSpec.md section 14.3."""

    INTRODUCED = 0
    LEFT = 1
    BACK = 2
    STAND_IN = 3
    COMPUTER = 4
    OPENED = 5
    TAKEN = 6


class Changed(Struct, frozen=True, gc=False):
    """Something has happened to a seat."""

    player: int
    change: Change


class GamePlayed(Struct, frozen=True, gc=False):
    """A game is over; until the next one begins, :meth:`Table.record` is its record."""

    actions: int
    """What was dealt and chosen in it."""


class Ended(Struct, frozen=True, gc=False):
    """The session is over; the table takes no more input."""

    why: str


class Stopped(Struct, frozen=True, gc=False):
    """The table takes no more input; if its lines are kept it can be taken up again."""

    why: str


Effect = (
    Persist
    | Tell
    | TellAll
    | Show
    | Restarted
    | Ask
    | Refuse
    | Decline
    | Granted
    | Dismiss
    | Removed
    | AskBot
    | Announce
    | Notify
    | Changed
    | GamePlayed
    | Ended
    | Stopped
)
