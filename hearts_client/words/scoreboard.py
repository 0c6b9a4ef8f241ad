"""The scores of one game, hand by hand, as they are shown."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.game.scoring import Four
from hearts.session.messages import Scores
from hearts.session.progress import Progress

from .style import table

_NOBODY: Four = (0, 0, 0, 0)
Row = tuple[str, Sequence[int]]


class Scoreboard:
    """Give it the scores of each hand; it knows what each added."""

    def __init__(self) -> None:
        self.totals: Four = _NOBODY
        self.winners: tuple[int, ...] = ()
        self.rows: list[Row] = []
        self._hands = 0
        self._game_hands = 0

    def begin(self, left_off: Progress | None = None) -> None:
        """A game begins; or one goes on that was left with this progress."""
        if left_off is None:
            self._clear()
        elif left_off.hands != self._hands:
            self._clear()
            self._hands = left_off.hands
            self._go_on_from(left_off)

    def _clear(self) -> None:
        self.totals = _NOBODY
        self.rows = []
        self.winners = ()
        self._game_hands = 0

    def _go_on_from(self, left_off: Progress) -> None:
        """Take over scores whose hands we were not there to see."""
        count = self._game_hands = left_off.game_hands
        if count:
            self.totals = left_off.scores
            self.rows = [("hand 1" if count == 1 else f"hands 1-{count}", self.totals)]
        if left_off.latest is not None:
            self.winners = left_off.latest.winners

    def stand(self, totals: Four) -> None:
        """How a game stands for who comes into the middle of it."""
        if totals != self.totals:
            self.totals = totals
            self.rows = [("so far", totals)]

    def deal(self, number: int) -> None:
        """A hand of the game is dealt, counted from 0."""
        self._game_hands = number

    def add(self, scores: Scores) -> list[Row]:
        """A hand is scored; its row and that of the totals."""
        self._hands += 1
        self._game_hands += 1
        row = [after - before for after, before in zip(scores.scores, self.totals, strict=True)]
        self.rows.append((f"hand {self._game_hands}", row))
        self.totals = scores.scores
        self.winners = scores.winners
        return [self.rows[-1], self._total]

    @property
    def _total(self) -> Row:
        return ("total", self.totals)

    def lines(self, head: Sequence[str]) -> list[str]:
        """All hands of the game; ``head`` is what the four players are called."""
        if not self.rows:
            return ["No hand is scored yet."]
        return table(head, [*self.rows, self._total])
