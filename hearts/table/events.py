"""What players and watchers are told besides the events of a game."""

from __future__ import annotations

from dataclasses import dataclass

from hearts.game.events import ChosenBy, SeenEvent
from hearts.game.rules import Rules
from hearts.game.scoring import Four

from .inputs import Setting


@dataclass(frozen=True, slots=True)
class SessionTotals:
    """Where the players of a session stand after a number of its hands."""

    scores: Four = (0, 0, 0, 0)
    queens: Four = (0, 0, 0, 0)
    """How often each took the queen of spades in this game."""
    jacks: Four = (0, 0, 0, 0)
    """The same for the jack of diamonds."""
    games: Four = (0, 0, 0, 0)
    """Games of the session that each has won, ties included."""


@dataclass(frozen=True, slots=True)
class GameBegun:
    """A game begins, with this setting."""

    setting: Setting


@dataclass(frozen=True, slots=True)
class GameScored:
    """The last hand of a game is scored; who is asked about another game, if anybody."""

    points: Four
    """What the hand added."""
    scores: Four
    winners: tuple[int, ...]
    decider: int | None


@dataclass(frozen=True, slots=True)
class AgainSettled:
    """Whether another game follows, and who decided that; -1 for nobody."""

    player: int
    yes: bool
    by: ChosenBy


@dataclass(frozen=True, slots=True)
class DealPromised:
    """The commitment of the next deal; deals are counted from 1 within a session."""

    deal: int
    digest: bytes
    """32 bytes."""


@dataclass(frozen=True, slots=True)
class CutSettled:
    """A player's cut of the next deal is settled; told to that player alone."""

    player: int
    by: ChosenBy


@dataclass(frozen=True, slots=True)
class DealDisclosed:
    """What a deal followed from, told when its hand is over."""

    deal: int
    secret: bytes
    cuts: bytes


@dataclass(frozen=True, slots=True)
class RulesProposed:
    """A player is asked whether he agrees to rules for the next game."""

    rules: Rules
    end_score: int
    left: float
    """Seconds to answer in."""


@dataclass(frozen=True, slots=True)
class RulesAgreed:
    """The next game has these rules."""

    rules: Rules
    end_score: int


@dataclass(frozen=True, slots=True)
class RulesRefused:
    """The rules stay as they are; ``player`` did not agree, -1 if no player was against it."""

    player: int
    why: str


TableEvent = (
    SeenEvent
    | GameBegun
    | GameScored
    | AgainSettled
    | DealPromised
    | CutSettled
    | DealDisclosed
    | RulesProposed
    | RulesAgreed
    | RulesRefused
)
