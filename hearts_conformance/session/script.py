"""A scenario as data: what is played, and what the kit does to the client."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto

from msgspec import Struct, field

from hearts.game.rules import STANDARD, Rules
from hearts.session.messages import ListedTable, Refusal
from hearts.table.inputs import Question

from .deals import Wish

MAX_GAMES = 2
"""Games after which nobody is asked about another one."""
MAX_HANDS = 12
"""Hands after which a session is ended, however its games stand."""
FOUR_HANDS = 79
"""An end of game that nobody can have before the fourth hand."""


class SendStyle(Enum):
    WHOLE = auto()
    """A message in one write, and the next one when it is answered."""
    JOINED = auto()
    """In one write all that can be said before the client has to choose."""
    SPLIT = auto()


class Twist(Enum):
    REFUSE = auto()
    """The choice gets a negative status, though it is legal."""
    FORCE_FIRST = auto()
    """The time is up before the choice is made."""
    FORCE_CROSSING = auto()
    """The time is up while the choice is on its way."""
    DROP_ASKED = auto()
    """The connection is lost when the choice is asked for."""
    DROP_ANSWERED = auto()
    """The connection is lost with the answer on its way."""
    DROP_DECIDED = auto()
    """The connection is lost when the choice is asked for, and the clock decides meanwhile."""
    DROP_CHOSEN = auto()
    """The connection is lost after the choice is made, before its status."""
    DROP_BEFORE = auto()
    """The connection is lost before the choice is asked for: after the Scores before it."""
    PROPOSE = auto()
    """Player 0 proposes other rules while the choice is asked for."""
    PROPOSE_ABORT_HAND = auto()
    """Player 0 proposes to break off the hand while the choice is asked for."""
    PROPOSE_ABORT_GAME = auto()
    """Player 0 proposes to break off the game while the choice is asked for."""
    WANT_SEAT = auto()
    """Player 0 asks for the client's seat while the choice is asked for."""
    ABORT = auto()
    """The table ends when the choice is asked for."""
    ABORT_FOR_NOW = auto()
    """The table ends when the choice is asked for, but the client can come back to the session."""


DROPS = {
    Twist.DROP_ASKED,
    Twist.DROP_ANSWERED,
    Twist.DROP_DECIDED,
    Twist.DROP_CHOSEN,
    Twist.DROP_BEFORE,
    Twist.ABORT_FOR_NOW,
}


class ChatBehavior(Enum):
    GOOD = auto()
    JOINED = auto()
    SPLIT = auto()
    REFUSES = auto()
    DIES = auto()
    AWAY = auto()


class Extra(Enum):
    """Things that a later version of the server may say."""

    NOTHING = auto()
    UNKNOWN = auto()
    """Frames of types that are not known yet, after every frame."""
    LONGER = auto()
    """Bytes after the known fields, in every payload."""


class PromiseTwist(Enum):
    """The promises of the deal that the client cuts first."""

    ONCE = auto()
    TWICE = auto()
    """At once, with another commitment."""
    OTHERWISE = auto()
    """After the client has come back, with another hash of another player."""


class NameTwist(Enum):
    """The way in which a server that has names takes part in a proof (SocketSpec.md, annex E)."""

    GUEST = auto()
    """It has names; if you prove none you are a guest, and so is everybody else."""
    OWN = auto()
    CLAIMED = auto()
    FREE = auto()
    TAKEN = auto()
    """The name is somebody else's, as it is for a key that was revoked."""
    UNTOLD = auto()
    REFUSED = auto()
    """The claim is refused."""
    NOT_ASKED = auto()
    """There is no challenge any more."""
    OTHER_KEY = auto()
    """Another key than before makes and signs the challenge."""
    UNSIGNED = auto()
    """Another key than the one that the challenge has in it has signed it."""
    RELAYED = auto()
    """The challenge was signed for another address."""
    REPLAYED = auto()
    """The challenge was signed for another chance of the client."""


class Script(Struct, frozen=True):
    id: str
    title: str
    seat: int
    style: SendStyle = SendStyle.WHOLE
    dialect: str = ""
    """The dialect in which the script is played; empty for both."""
    dealer_title: str = ""
    rules: Rules = STANDARD
    end_score: int = 1
    """With 1 most games are over after one hand."""
    deals: tuple[Wish, ...] = ()
    """The first hands; the others are dealt by chance."""
    people: bool = True
    """The other seats are taken by clients; the lowest of them decides about a new game."""
    more_games: int = 0
    """The number of games that they wish for besides."""
    twists: Mapping[tuple[Question, int], Twist] = field(default_factory=dict)
    """Twists by the kind of choice and its number in the session, from 0."""
    own: str = ""
    """The requirement that the script is there for: it failed if something goes wrong only here."""
    chat: ChatBehavior = ChatBehavior.GOOD
    refusal: Refusal | None = None
    """The registration is refused, with this in place of the Game number."""
    at_once: bool = False
    """The refusal comes in place of the Player ID."""
    plainly: bool = False
    """The refusal after the Process ID is no frame, just like a refusal before it."""
    refused_block: Refusal | None = None
    """The first block after -10 that has a reply is refused."""
    tables: tuple[ListedTable, ...] | None = None
    day: tuple[str, ...] = ()
    """Lines of block -16 for a visitor of the days, who has played that of today."""
    levels: frozenset[int] = frozenset({0})
    """The levels of computers that block -15 allows; with others than 0 the script is about it."""
    first_return: Refusal | None = None
    """The first try to come back is refused."""
    has_clock: bool = True
    """False lets a client that is alone with computers take choices back; the script is about it.
    """
    claims: bool = False
    """Another player claims the rest of a hand as soon as it is certain to be theirs."""
    takes_open_seat: bool = False
    """The client comes to a table that plays; player 0, a client, has opened its seat."""
    extra: Extra = Extra.NOTHING
    invites: bool = False
    """The client can invite somebody while its table forms, and is invited if it waits."""
    asides: bool = False
    """Notices, changes and waiting come at every query."""
    proposed: str = ""
    """The rules that player 0 proposes for the next game, if a twist says when."""
    loses_end: bool = False
    """The connection is lost between P_DONE_HAND and P_END_GAME."""
    promises: PromiseTwist = PromiseTwist.ONCE
    watched: int | None = None
    wrong_proof: bool = False
    names: NameTwist | None = None
    """The server has names, and the script is about them."""

    @property
    def is_about_levels(self) -> bool:
        return len(self.levels) > 1

    @property
    def drops(self) -> bool:
        return self.loses_end or not DROPS.isdisjoint(self.twists.values())
