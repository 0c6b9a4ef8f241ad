"""What goes into a table (inputs), what it wants done (effects), and what players are told.

An input or an effect is a value; the host that carries effects out may be a server, a tournament
or a test.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from hearts.errors import Reason
from hearts.events import By, ChooseMoon, Pass, Play, SeenEvent
from hearts.record import Record
from hearts.rules import Rules
from hearts.scoring import Four
from hearts.view import View


@dataclass(frozen=True, slots=True)
class Setting:
    """What is played at a table, and how long anybody has."""

    rules: Rules
    end_score: int
    turn_limit: int
    """Seconds for a choice; 0 for no limit."""
    grace: float
    """Seconds until a stand-in plays for somebody whose connection is gone."""
    pause_limit: float = 0.0
    """Seconds until a table ends at which no client is connected; 0 ends it at once."""


class Question(Enum):
    """What a player is asked to choose."""

    PASS = "pass"
    CARD = "card"
    MOON = "moon"
    AGAIN = "again"


@dataclass(frozen=True, slots=True)
class AnswerAgain:
    """Whether another game is played; ``player`` is -1 where nobody was asked."""

    player: int
    yes: bool
    by: By = By.PLAYER


Choice = Pass | Play | ChooseMoon | AnswerAgain


# Inputs


@dataclass(frozen=True, slots=True)
class Chosen:
    """A player made a choice; None for one that means nothing (a try all the same)."""

    player: int
    choice: Choice | None


@dataclass(frozen=True, slots=True)
class Durable:
    """The oldest line that the store was given is durable."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed; some deadline may be over."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A bot's answer to :class:`AskBot`; ``request`` is that of the question."""

    request: int
    choice: Choice


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """A client owes nothing earlier any more than the choice that it was asked for."""

    player: int


@dataclass(frozen=True, slots=True)
class CameLate:
    """A choice arrived that was decided already: its player is there after all."""

    player: int


@dataclass(frozen=True, slots=True)
class Left:
    """A client's connection is gone."""

    player: int


@dataclass(frozen=True, slots=True)
class CameBack:
    """A client is there again and was told all that it missed, the open question included."""

    player: int


@dataclass(frozen=True, slots=True)
class Drain:
    """The server shuts down: the table stops after this hand."""


Input = Chosen | Durable | Tick | Answered | CaughtUp | CameLate | Left | CameBack | Drain


# What players are told beside the events of a game


@dataclass(frozen=True, slots=True)
class GameBegun:
    """A game begins, with this setting."""

    setting: Setting


@dataclass(frozen=True, slots=True)
class GameScored:
    """The last hand of a game is scored; who is asked about another game, if anybody."""

    scores: Four
    winners: tuple[int, ...]
    decider: int | None


@dataclass(frozen=True, slots=True)
class AgainSettled:
    """Whether another game follows, and who decided that; -1 for nobody."""

    player: int
    yes: bool
    by: By


TableEvent = SeenEvent | GameBegun | GameScored | AgainSettled


# Effects


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
    by: By


@dataclass(frozen=True, slots=True)
class Announce:
    """Tell everybody at the table in words, over the taunt server."""

    text: str


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
    """The table takes no more input; where its lines are kept it can be taken up again."""

    why: str


Effect = (
    Persist | Tell | TellAll | Ask | Refuse | AskBot | Announce | GameRecorded | Ended | Stopped
)
