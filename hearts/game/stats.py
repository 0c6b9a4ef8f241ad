"""Statistics of one player, counted from the records of his games.

A record shows every hand, so what a player held and what he could have done are facts. What only
the jack of diamonds gives a meaning to:

covered
    The player was third to play to a trick of diamonds and played one above the jack, while the
    player to his left, who came last, held the jack.
not covered
    He was third, held a diamond above the jack and did not play it, and the player to his left
    played the jack.

Both are counted only if the jack counts. Cards that were taken are counted under all rules.
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct, field
from msgspec.structs import fields

from .cards import HEARTS_MASK, JACK_OF_DIAMONDS, QUEEN_OF_SPADES, Suit, mask_of
from .events import (
    AbortHand,
    ChooseMoon,
    ChosenBy,
    Deal,
    Event,
    HandScored,
    MoonChosen,
    Pass,
    Play,
    TrickTaken,
)
from .game import Game, Phase
from .kernel import HandPlay
from .record import Reader
from .rules import Moon
from .scoring import points_by

_QUEEN = 1 << QUEEN_OF_SPADES
_JACK = 1 << JACK_OF_DIAMONDS
_QUEEN_AND_JACK = _QUEEN | _JACK
_ABOVE_JACK = 0b111 << JACK_OF_DIAMONDS + 1


class Numbers(Struct, frozen=True, gc=False):
    """Some numbers, of which no more is kept than this."""

    count: int = 0
    total: int = 0
    lowest: int | None = None
    """None if there are no numbers."""
    highest: int | None = None

    @classmethod
    def of(cls, number: int) -> Numbers:
        """One number."""
        return cls(1, number, number, number)

    def __add__(self, other: Numbers) -> Numbers:
        """Both together."""
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
    """What one player did in some games. A hand counts when it is scored, also in a game that
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
    """What the hands added to the score."""
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
    choices: int = 0
    """Passes, cards and decisions about a moon, whoever made them for the player."""
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

    def __add__(self, other: Statistics) -> Statistics:
        """Both together."""
        return Statistics(
            **{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)}
        )


def statistics_of(reader: Reader, player: int) -> Statistics:
    """The statistics of a player (0-3) in the game of a record that has not been read yet.

    Raises CorruptRecord where something in it is wrong.
    """
    game = reader.game
    statistics = Statistics()
    hand = _Hand(player)
    while (step := reader.read()) is not None:
        action, events = step
        if isinstance(action, Deal | AbortHand):
            hand = _Hand(player)
        else:
            hand.note(action, events, game)
        if events and isinstance(events[-1], HandScored):
            statistics += hand.statistics(events[-1], game)
    return statistics + _outcome(game, player)


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


class _Hand(Struct):
    """What is counted while a hand is played."""

    player: int
    by: Counter[ChosenBy] = field(default_factory=Counter)
    queen_and_jack: bool = False
    """Whether the player took both in one trick."""
    covered: int = 0
    not_covered: int = 0
    may_regret: bool = False
    """Whether he has just kept a diamond that would have covered the jack."""
    moon_on_others: bool | None = None
    """What was chosen; None where nothing was."""

    def note(self, action: Pass | Play | ChooseMoon, events: list[Event], game: Game) -> None:
        """Take in a choice that is made in the game."""
        if action.player == self.player:
            self.by[action.by] += 1
        if isinstance(action, Play) and game.rules.jack and game.play is not None:
            self._note_cover(action, game.play)
        for event in events:
            match event:
                case TrickTaken(winner) if winner == self.player:
                    trick = mask_of(game.history[-4:])
                    self.queen_and_jack |= trick & _QUEEN_AND_JACK == _QUEEN_AND_JACK
                case MoonChosen():
                    self.moon_on_others = event.on_others
                case _:
                    pass

    def _note_cover(self, action: Play, play: HandPlay) -> None:
        regrets, self.may_regret = self.may_regret, False
        if regrets:
            self.not_covered += action.card == JACK_OF_DIAMONDS
        third = action.player == self.player and len(play.trick) == 3
        if third and play.suit == Suit.DIAMONDS:
            if 1 << action.card & _ABOVE_JACK:
                self.covered += bool(play.hands[(self.player + 1) % 4] & _JACK)
            else:
                self.may_regret = bool(play.hands[self.player] & _ABOVE_JACK)

    def statistics(self, scored: HandScored, game: Game) -> Statistics:
        """Those of this hand, which has just been scored."""
        assert game.play is not None
        taken = game.play.taken[self.player]
        points = scored.points[self.player]
        shot = game.shooter == self.player
        suffered = game.shooter is not None and not shot
        on_others = self.moon_on_others
        if on_others is None:
            on_others = game.rules.moon is Moon.OTHERS
        moon = points_by(game.rules).moon
        return Statistics(
            points=Numbers.of(points),
            zero_hands=int(points == 0),
            tricks=taken.bit_count() // 4,
            hearts=(taken & HEARTS_MASK).bit_count(),
            queens=int(bool(taken & _QUEEN)),
            jacks=int(bool(taken & _JACK)),
            queen_and_jack_in_trick=int(self.queen_and_jack),
            queen_and_jack_in_hand=int(taken & _QUEEN_AND_JACK == _QUEEN_AND_JACK),
            covered=self.covered,
            not_covered=self.not_covered,
            moons=int(shot),
            moons_of_others=int(suffered),
            moon_points_given=3 * moon if shot and on_others else 0,
            moon_points_got=moon if suffered and on_others else 0,
            choices=self.by.total(),
            by_clock=self.by[ChosenBy.CLOCK],
            by_stand_in=self.by[ChosenBy.STAND_IN],
            by_computer=self.by[ChosenBy.COMPUTER],
        )
