"""What players and watchers are told besides the events of a game."""

from __future__ import annotations

from msgspec import Struct

from hearts.game.cards import Card
from hearts.game.cuts import NO_HASHES, FourHashes, ShownCuts
from hearts.game.events import ChosenBy, SeenEvent
from hearts.game.rules import Rules
from hearts.game.scoring import Four

from .inputs import Abort, Setting


class SessionTotals(Struct, frozen=True, gc=False):
    """Where the players of a session stand after a number of its hands."""

    scores: Four = (0, 0, 0, 0)
    queens: Four = (0, 0, 0, 0)
    """How often each took the queen of spades in this game."""
    jacks: Four = (0, 0, 0, 0)
    """The same for the jack of diamonds."""
    games: Four = (0, 0, 0, 0)
    """Games of the session that each has won, ties included."""


class GameBegun(Struct, frozen=True, gc=False):
    """A game begins, with this setting."""

    setting: Setting


class GameScored(Struct, frozen=True, gc=False):
    """The last hand of a game is scored; who is asked about another game, if anybody."""

    points: Four
    """What the hand added."""
    scores: Four
    winners: tuple[int, ...]
    decider: int | None


class AgainSettled(Struct, frozen=True, gc=False):
    """Whether another game follows, and who decided that; -1 for nobody."""

    player: int
    yes: bool
    by: ChosenBy


class DealPromised(Struct, frozen=True, gc=False):
    """The commitment of the next deal; deals are counted from 1 within a session."""

    deal: int
    digest: bytes
    """32 bytes."""
    hashes: FourHashes = NO_HASHES
    """What those who cut are committed to."""


class CutSettled(Struct, frozen=True, gc=False):
    """A player's cut of the next deal is settled; told to that player alone."""

    player: int
    by: ChosenBy


class DealDisclosed(Struct, frozen=True, gc=False):
    """What a deal followed from, told when its hand is over."""

    deal: int
    secret: bytes
    cuts: bytes
    shown: ShownCuts | None = None
    """Where the cuts are from; None if nobody was to cut."""


class RestClaimed(Struct, frozen=True, gc=False):
    """A player takes all tricks that are left of the hand, whatever the others play."""

    player: int
    cards: tuple[Card, ...]
    """All that he holds, in the order of the wire."""


class RulesProposed(Struct, frozen=True, gc=False):
    """A player is asked whether he agrees to rules for the next game."""

    rules: Rules
    end_score: int
    left: float
    """Seconds to answer in."""


class RulesAgreed(Struct, frozen=True, gc=False):
    """The next game has these rules."""

    rules: Rules
    end_score: int


class RulesRefused(Struct, frozen=True, gc=False):
    """The rules stay as they are; ``player`` did not agree, -1 if no player was against it."""

    player: int
    why: str


class SeatWanted(Struct, frozen=True, gc=False):
    """A player is asked whether he gives up his seat."""

    asker: int
    opens: bool
    """Whether it is open for a person then; else a computer has it."""
    left: float
    """Seconds to answer in."""


class AbortProposed(Struct, frozen=True, gc=False):
    """A player is asked whether he agrees to break the hand or the game off."""

    what: Abort
    left: float
    """Seconds to answer in."""


class SeatKept(Struct, frozen=True, gc=False):
    """A player who was asked for his seat keeps it; told to him and to whoever asked."""

    player: int
    why: str


class AbortRefused(Struct, frozen=True, gc=False):
    """The play goes on; ``player`` did not agree, -1 if no player was against it."""

    player: int
    why: str


class HandAborted(Struct, frozen=True, gc=False):
    """The players have broken a hand off: it counts for nothing, and is dealt anew."""

    deal: int
    """The number of its deal."""


class GameAborted(Struct, frozen=True, gc=False):
    """The players have broken the game off, and another one begins."""


TableEvent = (
    SeenEvent
    | GameBegun
    | GameScored
    | AgainSettled
    | DealPromised
    | CutSettled
    | DealDisclosed
    | RestClaimed
    | RulesProposed
    | RulesAgreed
    | RulesRefused
    | SeatWanted
    | SeatKept
    | AbortProposed
    | AbortRefused
    | HandAborted
    | GameAborted
)
