"""One hand as a player or a watcher sees it."""

from __future__ import annotations

from msgspec import Struct, field

from hearts.game.cards import CARDS, Card, by_wire, mask_of
from hearts.game.deal import Hands
from hearts.game.events import ChooseMoon, Pass, Play, TrickTaken
from hearts.game.kernel import HandPlay
from hearts.game.rules import Direction
from hearts.game.scoring import Four
from hearts.game.verify import passes_of
from hearts.table.effects import RestClaimed

from .messages import HAND_SIZE, Scores

NOBODY: Four = (0, 0, 0, 0)
TRICK_SIZE = 4


class ShownTrick(Struct, frozen=True, gc=False):
    """A trick as it lies: its leader, its cards, and the player who has taken it."""

    number: int
    """From 1 in its hand."""
    leader: int
    cards: tuple[tuple[int, Card], ...] = ()
    """Each player with their card, from the lead on."""
    winner: int | None = None
    """The player who takes the trick; None until it is over."""
    points: int = 0
    """The points that it counts for its winner."""

    @property
    def best(self) -> int | None:
        """The player who would take the trick as it stands; None before the lead."""
        if not self.cards:
            return None
        led = self.cards[0][1].suit
        return max((card, player) for player, card in self.cards if card.suit is led)[1]

    @property
    def turn(self) -> int | None:
        """The player who plays to it next; None when it is full."""
        return None if len(self.cards) == TRICK_SIZE else (self.leader + len(self.cards)) % 4

    def has(self, card: Card) -> bool:
        return any(card == each for _, each in self.cards)

    def of(self, player: int) -> Card | None:
        return next((card for who, card in self.cards if who == player), None)


class SeenHand(Struct):
    """All that is known of a hand, from its deal to its scores."""

    number: int = -1
    """From 0 in its game; -1 before the first."""
    direction: Direction = Direction.HOLD
    player: int = -1
    """The player who sees it; -1 for a watcher."""
    dealt: int = 0
    """The cards that they were dealt, as a mask."""
    first_leader: int = 0
    """The leader of the first trick; before that, the leader of that of the hand before."""
    passed: Pass | None = None
    received: tuple[Card, ...] = ()
    play: HandPlay | None = None
    """The tricks, with what the others played taken out of empty hands."""
    known: int = 0
    """The cards that nobody else can play, as a mask: those that lie or lay open, and our own."""
    plays: list[Play] = field(default_factory=list)
    begun: int = 0
    """Tricks that have begun."""
    taken: list[TrickTaken] = field(default_factory=list)
    broken_by: Card | None = None
    """The card that broke hearts."""
    moon: ChooseMoon | None = None
    claimed: RestClaimed | None = None
    """The claim to the rest of it, if somebody has made one; the server plays it out."""
    scores: Scores | None = None
    """The scores after it."""

    @property
    def is_trick_full(self) -> bool:
        return len(self.plays) == TRICK_SIZE * self.begun

    @property
    def is_over(self) -> bool:
        return len(self.plays) == len(CARDS)

    @property
    def held(self) -> int:
        """The cards that the player holds, as a mask."""
        if self.play is not None:
            return self.play.hands[self.player] if self.player >= 0 else 0
        given = 0 if self.passed is None else mask_of(self.passed.cards)
        return self.dealt & ~given | mask_of(self.received)

    @property
    def points(self) -> Four:
        return self.taken[-1].points if self.taken else NOBODY

    def left(self, player: int) -> int:
        dealt = HAND_SIZE if self.number >= 0 else 0
        return dealt - sum(play.player == player for play in self.plays)

    def tricks(self, player: int) -> int:
        return sum(taken.winner == player for taken in self.taken)

    @property
    def trick(self) -> ShownTrick | None:
        """The trick under way; one that is over lies until the next one begins."""
        return self._trick(self.begun) if self.begun else None

    @property
    def last_trick(self) -> ShownTrick | None:
        return self._trick(len(self.taken)) if self.taken else None

    def _trick(self, number: int) -> ShownTrick:
        before = self.taken[number - 2] if number > 1 else None
        leader = self.first_leader if before is None else before.winner
        end = TRICK_SIZE * number
        cards = tuple((play.player, play.card) for play in self.plays[end - TRICK_SIZE : end])
        if number > len(self.taken):
            return ShownTrick(number, leader, cards)
        winner, points = self.taken[number - 1].winner, self.taken[number - 1].points
        gained = points[winner] - (before.points[winner] if before is not None else 0)
        return ShownTrick(number, leader, cards, winner, gained)

    def passes(self, hands: Hands) -> tuple[tuple[Card, ...], ...] | None:
        """Say what each player passed if this was the deal; None if it cannot have been."""
        played = [mask_of(play.card for play in self.plays if play.player == p) for p in range(4)]
        given = passes_of(hands, played, self.direction)
        if given is None:
            return None
        if self.passed is not None and mask_of(self.passed.cards) != given[self.player]:
            return None
        return tuple(map(by_wire, given))
