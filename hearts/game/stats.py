"""Statistics of one player, counted from the records of their games.

A record shows every hand, so the cards that a player held and could have played are known. Two
numbers have a meaning only if the jack of diamonds counts:

covered
    The player was third to play to a trick of diamonds and played one above the jack, while the
    player to their left, who came last, held the jack.
not covered
    The player was third, held a diamond above the jack and did not play it, and the player to
    their left played the jack.

Both are counted only if the jack counts. Cards that were taken are counted under all rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import sqrt

from msgspec import Struct
from msgspec.structs import fields

from .cards import HEARTS_MASK, JACK_OF_DIAMONDS, QUEEN_OF_SPADES, Suit, mask_of
from .events import ChooseMoon, ChosenBy, Play, TrickTaken
from .game import Game, Phase
from .record import PlayedHand, Reader
from .rules import Moon
from .scoring import points_by

_QUEEN = 1 << QUEEN_OF_SPADES
_JACK = 1 << JACK_OF_DIAMONDS
_QUEEN_AND_JACK = _QUEEN | _JACK
_ABOVE_JACK = 0b111 << JACK_OF_DIAMONDS + 1


class Numbers(Struct, frozen=True, gc=False):
    """A summary of some numbers, which are not kept themselves."""

    count: int = 0
    total: int = 0
    lowest: int | None = None
    """None if there are no numbers."""
    highest: int | None = None

    @classmethod
    def of(cls, number: int) -> Numbers:
        """Return the summary of a single number."""
        return cls(1, number, number, number)

    def __add__(self, other: Numbers) -> Numbers:
        """Return the summary of both together."""
        lowest = [n for n in (self.lowest, other.lowest) if n is not None]
        highest = [n for n in (self.highest, other.highest) if n is not None]
        return Numbers(
            self.count + other.count,
            self.total + other.total,
            min(lowest, default=None),
            max(highest, default=None),
        )

    @property
    def mean(self) -> float | None:
        """None if there are no numbers."""
        return self.total / self.count if self.count else None


class Statistics(Struct, frozen=True, gc=False):
    """The deeds of one player in some games. A hand counts when it is scored, also in a game that
    was not finished. ``+`` puts the statistics of different games together.
    """

    scores: Numbers = Numbers()
    """The scores at the end of the games that were finished."""
    places: Numbers = Numbers()
    """The places in those games. A winner has place 1; each other player has the number of
    those who are better, and one more. Equal scores are equal places: 1, 1, 3, 4."""
    won: int = 0
    """Games won, alone or with others."""
    won_with_others: int = 0
    unfinished: int = 0
    """Games whose record stops before their end."""
    points: Numbers = Numbers()
    """Points that the hands added to the score."""
    zero_hands: int = 0
    """Hands that added 0."""
    tricks: int = 0
    hearts: int = 0
    queens: int = 0
    jacks: int = 0
    """Jacks of diamonds taken, whether they counted or not."""
    queen_and_jack_in_trick: int = 0
    queen_and_jack_in_hand: int = 0
    """Also those that came in one trick."""
    covered: int = 0
    not_covered: int = 0
    moons: int = 0
    moons_of_others: int = 0
    moon_points_given: int = 0
    """Points that the player's moons put on the others: none if they came off the own score."""
    moon_points_got: int = 0
    """Points that moons of others put on the player."""
    par_hands: int = 0
    """Hands of which the par is known."""
    against_par: float = 0.0
    """The points of these hands less their pars."""
    against_par_squares: float = 0.0
    """The sum of the squares of that."""
    choices: int = 0
    """Passes, cards and decisions about a moon, also those that others made for the player."""
    by_clock: int = 0
    by_stand_in: int = 0
    by_computer: int = 0

    @property
    def games(self) -> int:
        """Games played, finished or not."""
        return self.scores.count + self.unfinished

    @property
    def hands(self) -> int:
        return self.points.count

    @property
    def against_par_mean(self) -> float | None:
        """For each hand with a par; None if there is none."""
        return self.against_par / self.par_hands if self.par_hands else None

    @property
    def against_par_error(self) -> float | None:
        """The standard error of that mean; None for less than two hands."""
        hands = self.par_hands
        if hands < 2:
            return None
        squares = self.against_par_squares - self.against_par**2 / hands
        return sqrt(squares / (hands - 1) / hands)

    def __add__(self, other: Statistics) -> Statistics:
        """Return the summary of both together."""
        return Statistics(
            **{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)}
        )


Pars = Callable[[Game, PlayedHand], Sequence[float] | None]
"""Gives the par of each seat for a hand that is just over in its game; None if it is not known."""


def statistics_of(reader: Reader, player: int, pars: Pars | None = None) -> Statistics:
    """Return the statistics of a player (0-3) in the game of a record that has not been read yet.

    Raises CorruptRecord if something in it is wrong.
    """
    statistics = Statistics()
    for hand in reader.hands():
        if hand.scored is not None:
            points = hand.scored.points[player]
            statistics += _of_hand(hand, points, reader.game, player)
            par = None if pars is None else pars(reader.game, hand)
            if par is not None:
                less = points - par[player]
                statistics += Statistics(
                    par_hands=1, against_par=less, against_par_squares=less * less
                )
    return statistics + _outcome(reader.game, player)


def _outcome(game: Game, player: int) -> Statistics:
    if game.phase is not Phase.OVER:
        return Statistics(unfinished=1)
    won = player in game.winners
    score = game.scores[player]
    better = sum(
        other in game.winners or game.scores[other] < score for other in range(4) if other != player
    )
    return Statistics(
        scores=Numbers.of(score),
        places=Numbers.of(1 if won else 1 + better),
        won=int(won),
        won_with_others=int(won and len(game.winners) > 1),
    )


def _of_hand(hand: PlayedHand, points: int, game: Game, player: int) -> Statistics:
    """Count a hand that was just scored."""
    assert game.play is not None
    plays = hand.plays
    taken = game.play.taken[player]
    tricks = [plays[lead : lead + 4] for lead in range(0, len(plays), 4)]
    winners = [event.winner for event in hand.events if isinstance(event, TrickTaken)]
    won = [
        mask_of(play.card for play in trick)
        for trick, winner in zip(tricks, winners, strict=True)
        if winner == player
    ]
    covered, not_covered = _covers(plays, player) if game.rules.jack else (0, 0)
    shot = game.shooter == player
    suffered = game.shooter is not None and not shot
    chosen = [choice.on_others for choice in hand.choices if isinstance(choice, ChooseMoon)]
    on_others = chosen[0] if chosen else game.rules.moon is Moon.OTHERS
    moon = points_by(game.rules).moon
    by = Counter(choice.by for choice in hand.choices if choice.player == player)
    return Statistics(
        points=Numbers.of(points),
        zero_hands=int(points == 0),
        tricks=taken.bit_count() // 4,
        hearts=(taken & HEARTS_MASK).bit_count(),
        queens=int(bool(taken & _QUEEN)),
        jacks=int(bool(taken & _JACK)),
        queen_and_jack_in_trick=sum(trick & _QUEEN_AND_JACK == _QUEEN_AND_JACK for trick in won),
        queen_and_jack_in_hand=int(taken & _QUEEN_AND_JACK == _QUEEN_AND_JACK),
        covered=covered,
        not_covered=not_covered,
        moons=int(shot),
        moons_of_others=int(suffered),
        moon_points_given=3 * moon if shot and on_others else 0,
        moon_points_got=moon if suffered and on_others else 0,
        choices=by.total(),
        by_clock=by[ChosenBy.CLOCK],
        by_stand_in=by[ChosenBy.STAND_IN],
        by_computer=by[ChosenBy.COMPUTER],
    )


def _covers(plays: Sequence[Play], player: int) -> tuple[int, int]:
    """Count how often a player covered the jack in a whole hand, and how often not."""
    covered = not_covered = 0
    for lead in range(0, len(plays), 4):
        third, last = plays[lead + 2], plays[lead + 3]
        if third.player != player or plays[lead].card.suit is not Suit.DIAMONDS:
            continue
        own, left = (
            mask_of(play.card for play in plays[lead + 2 :] if play.player == one)
            for one in (player, last.player)
        )
        if 1 << third.card & _ABOVE_JACK:
            covered += bool(left & _JACK)
        elif last.card == JACK_OF_DIAMONDS:
            not_covered += bool(own & _ABOVE_JACK)
    return covered, not_covered
