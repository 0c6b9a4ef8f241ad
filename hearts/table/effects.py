"""What a table wants done: its effects, each a value that the host carries out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from hearts.errors import Fault, Reason
from hearts.game.events import ChosenBy
from hearts.game.record import Record
from hearts.game.view import View

from .events import TableEvent
from .inputs import Question, Wish


@dataclass(frozen=True, slots=True)
class Persist:
    """Store a line; then give :class:`Durable`."""

    line: str


@dataclass(frozen=True, slots=True)
class Tell:
    """Tell one player what he may see."""

    player: int
    event: TableEvent


@dataclass(frozen=True, slots=True)
class TellAll:
    """Tell every player something that all may see."""

    event: TableEvent


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask a client for a choice; what it needs to choose it was told before."""

    player: int
    question: Question
    left: float
    """Seconds to choose in, once the client owes nothing earlier; inf if there is no limit."""
    legal: int
    """The cards that may be played, as a mask; 0 if no card is asked for."""
    tries: int = 0
    """The illegal tries that were made already."""


@dataclass(frozen=True, slots=True)
class Refuse:
    """A choice is not legal; its player may choose again."""

    player: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class AskBot:
    """Let a bot choose in place of a player, and give :class:`Answered`."""

    request: int
    question: Question
    view: View
    by: ChosenBy


@dataclass(frozen=True, slots=True)
class Announce:
    """Tell everybody at the table in words, over the taunt server."""

    text: str
    about: int | None = None
    """The player who comes or goes, if it is about that."""


@dataclass(frozen=True, slots=True)
class Notify:
    """Tell everybody at the table in words, over every way that there is."""

    text: str


@dataclass(frozen=True, slots=True)
class Show:
    """Tell watchers something that players see in a way of their own."""

    event: TableEvent


@dataclass(frozen=True, slots=True)
class Decline:
    """A player's request cannot be met."""

    player: int
    wish: Wish
    fault: Fault


class Change(Enum):
    """What can happen to a seat; the value is that of SocketSpec.md section 14.3."""

    INTRODUCED = 0
    LEFT = 1
    BACK = 2
    STAND_IN = 3
    COMPUTER = 4
    OPENED = 5
    TAKEN = 6


@dataclass(frozen=True, slots=True)
class Changed:
    """Something has happened to a seat."""

    player: int
    change: Change


@dataclass(frozen=True, slots=True)
class GameRecorded:
    """A game is over, and this is its record."""

    record: Record


@dataclass(frozen=True, slots=True)
class Ended:
    """The session is over; the table takes no more input."""

    why: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """The table takes no more input; if its lines are kept it can be taken up again."""

    why: str


Effect = (
    Persist
    | Tell
    | TellAll
    | Show
    | Ask
    | Refuse
    | Decline
    | AskBot
    | Announce
    | Notify
    | Changed
    | GameRecorded
    | Ended
    | Stopped
)
