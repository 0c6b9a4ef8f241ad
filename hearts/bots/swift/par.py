"""Games that four swifts play of a deal, or on from a position, and the par of a deal from them.

All four hands lie open to who asks, so nobody asks before the hand is over. Each swift chooses
from its own view, and takes dearer choices too, by chance. All numbers are whole, so the page
reckons the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import sqrt

from msgspec import Struct

from hearts.game.cards import CARDS, Card, cards_of, four
from hearts.game.deal import Hands
from hearts.game.events import ChooseMoon, Deal, Pass, Play
from hearts.game.game import PASS_SIZE, Game, Phase
from hearts.game.rules import ExactEnd, Rules
from hearts.game.scoring import Four, points_by
from hearts.game.view import View, view_of

from .bot import shipped_network
from .network import Network
from .rows import rows_of

GAMES = 8
"""Games for a par, unless somebody wants another number."""
_WORD = 0xFFFFFFFF
_STEP = 128
"""Of the costs of the network; 0.013 points. Choices that differ by less are alike."""
_LESS = 64_676
"""Of 65,536: the chance of a choice that is dearer by a step. That is e for a point."""
_WEIGHTS = [1 << 16]
while _WEIGHTS[-1]:
    _WEIGHTS.append(_WEIGHTS[-1] * _LESS >> 16)


class Lots:
    """Chance from whole numbers of 32 bits: mulberry32, seeded by a deal and the game's number."""

    def __init__(self, dealt: Hands, number: int) -> None:
        state = 0x811C9DC5
        owners = (player for card in range(52) for player in range(4) if dealt[player] >> card & 1)
        for byte in (*owners, number):
            state = (state ^ byte) * 0x01000193 & _WORD
        self._state = state

    def below(self, end: int) -> int:
        """Return a number from 0 up to, and without, ``end``."""
        self._state = state = self._state + 0x6D2B79F5 & _WORD
        mixed = (state ^ state >> 15) * (state | 1) & _WORD
        mixed ^= mixed + (mixed ^ mixed >> 7) * (mixed | 61) & _WORD
        return (mixed ^ mixed >> 14) * end >> 32


class ChancySwift:
    """Plays as swift does, but takes other choices by chance, the dearer the less often."""

    def __init__(self, lots: Lots, network: Network) -> None:
        self._lots = lots
        self._network = network

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        chosen: list[Card] = []
        while len(chosen) < PASS_SIZE:
            left = [card for card in cards_of(view.hand) if card not in chosen]
            chosen.append(self._draw(rows_of(view, chosen), left))
        return tuple(chosen)

    def choose_card(self, view: View) -> Card:
        legal = view.legal
        if not legal & legal - 1:
            return CARDS[legal.bit_length() - 1]
        return self._draw(rows_of(view), list(cards_of(legal)))

    def _draw(self, rows: list[int], cards: list[Card]) -> Card:
        costs = self._network.costs(rows)
        least = min(costs[card] for card in cards)
        last = len(_WEIGHTS) - 1
        weights = [_WEIGHTS[min((costs[card] - least) // _STEP, last)] for card in cards]
        lot = self._lots.below(sum(weights))
        for card, weight in zip(cards, weights, strict=True):
            lot -= weight
            if lot < 0:
                return card
        raise AssertionError("a lot is below the sum of all weights")


def games_from(
    begin: Callable[[], Game], games: int = GAMES, network: Network | None = None
) -> Iterator[Four]:
    """Let four swifts play a hand to its end, game after game; yield the points of each.

    ``begin`` gives the game as it is at a position of the hand, from the deal on; each time
    another one, that is played on. The choices of game 0, 1 and so on are the same each time. A
    game takes some 15 ms from the pass on. A moon counts on the others if the shooter may choose.
    """
    for number in range(games):
        game = begin()
        bot = ChancySwift(Lots(game.dealt, number), network or shipped_network())
        while game.phase in (Phase.PASS, Phase.PLAY):
            player = game.waiting_for()[0]
            view = view_of(game, player)
            if game.phase is Phase.PASS:
                game.apply(Pass(player, bot.choose_pass(view)))
            else:
                game.apply(Play(player, bot.choose_card(view)))
        if game.shooter is not None and game.phase is Phase.MOON:
            game.apply(ChooseMoon(game.shooter, True))
        yield game.points


class Par(Struct, frozen=True, gc=False):
    """The points that a deal costs each seat, by some games of it."""

    games: int
    sums: Four
    """The points of each seat in all games together."""
    squares: Four
    """The sums of their squares."""

    def mean(self, player: int) -> float:
        return self.sums[player] / self.games

    def spread(self, player: int) -> float:
        """Return the standard deviation of the points of one game."""
        total = self.games * self.squares[player] - self.sums[player] ** 2
        return sqrt(total / (self.games * max(self.games - 1, 1)))


def par_of(points: Iterable[Four]) -> Par:
    """Sum up the points of games, as :func:`games_from` gives them."""
    seats = list(zip(*(games := list(points)), strict=True))
    squares = [sum(number * number for number in seat) for seat in seats]
    return Par(len(games), four(map(sum, seats)), four(squares))


def dealt_game(hands: Hands, rules: Rules, hand_number: int) -> Callable[[], Game]:
    """Return how the games of a par begin; ``hand_number`` counts from 0."""

    def begin() -> Game:
        game = Game(rules, hands=hand_number)
        game.apply(Deal(hands))
        return game

    return begin


def has_par(rules: Rules, end_score: int, before: Four | None) -> bool:
    """Tell whether a par says anything of a hand that begins with these scores.

    The network sees no scores. So if a score of exactly the end does something, and somebody may
    get it in this hand, there is none.
    """
    if rules.exact_end is ExactEnd.NOTHING:
        return True
    worth = points_by(rules)
    most, least = worth.moon, min(0, worth.jack) - (5 if rules.no_trick_bonus else 0)
    return before is not None and not any(least <= end_score - score <= most for score in before)
