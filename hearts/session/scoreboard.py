"""The scores of one game, hand by hand."""

from __future__ import annotations

from typing import NamedTuple

from hearts.game.scoring import Four

from .hand import NOBODY
from .messages import Scores
from .resume_token import ResumeToken


class ScoreRow(NamedTuple):
    """What some hands of a game added to the scores."""

    first: int
    """The first of these hands, from 1; 0 if it is not known which they are."""
    last: int
    points: Four


class Scoreboard:
    """Give it the scores of each hand; it knows what each added."""

    def __init__(self) -> None:
        self.totals: Four = NOBODY
        self.winners: tuple[int, ...] = ()
        self.rows: list[ScoreRow] = []
        self._hands = 0
        self._game_hands = 0

    def begin(self, left_off: ResumeToken | None = None) -> None:
        """A game begins; or one goes on that was left with this progress."""
        if left_off is None or not left_off.knows_count:
            self._clear()
        elif left_off.hands != self._hands:
            self._clear()
            self._hands = left_off.hands
            self._go_on_from(left_off)

    def _clear(self) -> None:
        self.totals = NOBODY
        self.rows = []
        self.winners = ()
        self._game_hands = 0

    def _go_on_from(self, left_off: ResumeToken) -> None:
        """Take over scores whose hands we were not there to see."""
        count = self._game_hands = left_off.game_hands
        if count:
            self.totals = left_off.scores
            self.rows = [ScoreRow(1, count, self.totals)]
        if left_off.latest is not None:
            self.winners = left_off.latest.winners

    def stand(self, totals: Four) -> None:
        """How a game stands for who comes into the middle of it."""
        if totals != self.totals:
            self.totals = totals
            self.rows = [ScoreRow(0, 0, totals)]

    def deal(self, number: int) -> None:
        """A hand of the game is dealt, counted from 0."""
        self._game_hands = number

    def add(self, scores: Scores) -> None:
        """A hand is scored."""
        self._hands += 1
        self._game_hands += 1
        a, b, c, d = (now - before for now, before in zip(scores.scores, self.totals, strict=True))
        self.rows.append(ScoreRow(self._game_hands, self._game_hands, (a, b, c, d)))
        self.totals = scores.scores
        self.winners = scores.winners
