"""The events that a client hears in either dialect, beside those in :mod:`hearts.game.events`.

In the plain dialect a client never learns who made the choices of others, so their ``CardPlayed``
say ``ChosenBy.PLAYER``.
"""

from __future__ import annotations

from enum import Enum, auto

from msgspec import Struct

from hearts.errors import HeartsError, Reason
from hearts.game import events
from hearts.game.cards import Card
from hearts.game.scoring import Four
from hearts.table import effects
from hearts.table.inputs import Question
from hearts.wire.credentials import SeatCredentials

from .messages import ListedTable, LookedTable, Refusal, Scores, TableInfo
from .resume_token import Names, ResumeToken
from .table_words import Refused, TableNews


class RegistrationRefused(HeartsError):
    """The server does not let us play; the text says why (SocketSpec.md section 3.7)."""

    def __init__(self, code: int, reason: str) -> None:
        """``reason`` is the server's own; if it gave none, that of the code."""
        if not reason:
            known = code in Refusal.__members__.values()
            reason = Refusal(code).text if known else "the server gave no reason"
        super().__init__(reason)
        self.code = code


class TablesListed(Struct, frozen=True, gc=False):
    """The public tables, as asked for."""

    tables: tuple[ListedTable, ...]
    details: tuple[tuple[str, LookedTable], ...] = ()
    """The tables about which more was asked, by name; not all need be there."""
    greeting: tuple[str, ...] = ()
    """The server's name, which may be empty, and its word of the day, if they were asked for."""
    levels: frozenset[int] = frozenset()
    """The levels that computers may play at, if the greeting was asked for; empty from a server
    that knows of none."""


class TableLooked(Struct, frozen=True, gc=False):
    """The answer to a question about the table of a name."""

    is_known: bool
    """True if the server has told."""
    table: LookedTable | None
    """None if there is no table of that name."""


class WaitingForPlayers(Struct, frozen=True, gc=False):
    """The registration is sent; the table may still wait for players, without a time limit."""

    player: int


class Seated(Struct, frozen=True, gc=False):
    """The table has its players. The credentials are good for the taunt server."""

    credentials: SeatCredentials
    names: Names

    @property
    def player(self) -> int:
        return self.credentials.player


class ScoresSoFar(Struct, frozen=True, gc=False):
    """The scores for a client that comes into the middle of a game. The plain dialect has none."""

    scores: Four


class YourChoice(Struct, frozen=True, gc=False):
    """It is for us to choose."""

    question: Question


class ChoiceTerms(Struct, frozen=True, gc=False):
    """The terms of a choice, told just before it. The plain dialect has none."""

    question: Question
    left: int | None
    """Milliseconds until the server decides for us; None if it has no limit."""
    legal: tuple[Card, ...] = ()
    """The cards that may be played, if a card is to be played."""
    free: int | None = None
    """Milliseconds of :attr:`left` that are not taken from the bank; None if there is no bank."""
    bank: int | None = None
    """Milliseconds in the bank, from which the rest is taken; None if there is no bank."""


class ChoiceRefused(Struct, frozen=True, gc=False):
    """Our choice is not legal; we choose again."""

    question: Question
    reason: Reason


class AgainAnswered(Struct, frozen=True, gc=False):
    """The answer, ours or the clock's, to whether another game is wanted."""

    yes: bool
    by: events.ChosenBy


class AnotherGame(Struct, frozen=True, gc=False):
    """The news that another game follows, or that none does and the session is over."""

    follows: bool


class SessionEnded(Struct, frozen=True, gc=False):
    """The server has ended the connection; nothing follows."""

    complete: bool
    """True if the players wanted no more. If not, the server, the network or a fault ended it."""
    displaced: bool = False
    """True if another program has our seat, because it came back to it later than we did."""


class ConnectionLost(Struct, frozen=True, gc=False):
    """The connection has ended before the session; a client tries to come back (section 5.6)."""

    why: str
    retry_in: float
    """Seconds until the next try."""


class CameBack(Struct, frozen=True):
    """The server gives us our seat again. What follows is past, up to :class:`CaughtUp`.

    It begins with Seated and TableInfo once more, and goes on after the Scores of ``progress``, so
    much of it may have been told before. Nothing in it is for us to choose. It is not known
    who made our own choices in it: they are said to be the clock's.
    """

    decided: int
    """The number of our own choices after those Scores that are decided already."""
    progress: ResumeToken


class CaughtUp(Struct, frozen=True, gc=False):
    """The past is over: what follows happens now. An open choice is asked for next.

    Told when our decided choices are settled and what has arrived is read. If the network
    delivers a replay in pieces, its end may follow as if it happened now; it asks for nothing that
    is decided.
    """


class Score(Struct, frozen=True, gc=False):
    """The standing of one player."""

    points: int
    queens: int
    jacks: int
    games: int


class DoneHand(Struct, frozen=True, gc=False):
    """A hand is over: the cards that each player took, and the standings."""

    queen_winner: int | None
    jack_winner: int | None
    shooter: int | None
    scores: tuple[Score, ...]
    game_winner: int | None
    points: Four
    winners: tuple[int, ...]


class Watching(Struct, frozen=True, gc=False):
    """We watch a table. What follows is past, up to CaughtUp."""

    game_number: int
    table: str


class Fairness(Enum):
    """The fairness of a deal: the parties that can have chosen it, as far as the client knows."""

    NOBODY = auto()
    """Our value is in it, and every other that was promised."""
    WITHHOLDERS = auto()
    """Our value is in it; players who showed none could choose between two deals each."""
    REDRAWN = auto()
    """Our value is in it, but a deal before it was taken back, or never proved."""
    ANYBODY = auto()
    """We cut, and our value is not in it."""
    NOT_CUT = auto()
    """We do not cut."""


class DealChecked(Struct, frozen=True, gc=False):
    """A deal whose hand we have seen was disclosed and is checked, or should have been."""

    deal: int
    problem: str | None
    """The fault, in words; None if the deal is the one that was promised and played."""
    fairness: Fairness = Fairness.NOT_CUT
    missing: tuple[int, ...] = ()
    """The players who were to show a value and did not."""
    counts: tuple[tuple[int, int], ...] = ((0, 0),) * 4
    """For each player, as far as we have seen, the number of missing values, and of all values."""


ClientEvent = (
    TablesListed
    | TableLooked
    | WaitingForPlayers
    | Seated
    | TableInfo
    | events.YourHand
    | events.PassMade
    | events.CardsReceived
    | events.TrickBegun
    | events.CardPlayed
    | events.TrickTaken
    | events.TricksDone
    | events.MoonChosen
    | Scores
    | ScoresSoFar
    | ChoiceTerms
    | YourChoice
    | ChoiceRefused
    | AgainAnswered
    | AnotherGame
    | SessionEnded
    | ConnectionLost
    | CameBack
    | CaughtUp
    | Refused
)
"""All that a client of either dialect may hear."""
DealerEvent = (
    ClientEvent
    | TableNews
    | Watching
    | events.HandBegun
    | DoneHand
    | effects.DealPromised
    | effects.DealDisclosed
    | DealChecked
    | effects.RestClaimed
    | effects.RulesProposed
    | effects.RulesAgreed
    | effects.RulesRefused
    | effects.SeatWanted
    | effects.SeatKept
    | effects.AbortProposed
    | effects.AbortRefused
    | effects.HandAborted
    | effects.GameAborted
    | effects.TakenBack
)
"""All that a client may hear in the dealer dialect, and a watcher."""
