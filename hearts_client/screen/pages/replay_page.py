"""The page on which hands that are over are looked at card by card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from hearts.game.cards import Card
from hearts.table.inputs import Question
from hearts_client.screen.input.drawn_page import DrawnPage
from hearts_client.screen.pictures.canvas import Canvas, Theme
from hearts_client.screen.pictures.replay_picture import ReplaySight, draw_replay
from hearts_client.session.analyst import Ask, Opinion
from hearts_client.session.replay import HandReplay, choice_at
from hearts_client.words.opinions import verdict_line

_LOOKING = "A bot is looking at it..."
_FORCED = "No other card could be played."
_NOBODY = "The bot gives no answer."


class ReplayPage(DrawnPage[str | None]):
    """Shows hands from their deals on; gives the text of a deal that is wanted again, or None."""

    def __init__(
        self,
        hands: Sequence[HandReplay],
        theme: Theme,
        *,
        first: int | None = None,
        can_repeat: bool = True,
        ask: Ask | None = None,
    ) -> None:
        """``hands`` are one or more, and ``first`` is the place (from 0) of the one to begin with;
        the last one if nothing is said.

        ``can_repeat`` says whether a deal can be played again from here. ``ask`` asks a bot that
        searches what it thinks of a position.
        """
        go, turn = self._go, self.turn_wheel
        keys: dict[str, Callable[[], object]] = {
            "left": partial(turn, -1),
            "right": partial(turn, 1),
            " ": partial(turn, 1),
            "enter": partial(turn, 1),
            "up": lambda: go(self._hand.previous_trick(self._position)),
            "page up": lambda: go(self._hand.previous_trick(self._position)),
            "down": lambda: go(self._hand.next_trick(self._position)),
            "page down": lambda: go(self._hand.next_trick(self._position)),
            "home": partial(go, 0),
            "end": lambda: go(self._hand.last),
            "n": lambda: self._look_at(self._place + 1),
            "p": lambda: self._look_at(self._place - 1),
            "esc": partial(self.finish, None),
        }
        if ask is not None:
            keys["x"] = self._turn_explaining
        if can_repeat:
            keys["a"] = self._repeat
        super().__init__(keys)
        self._hands = hands
        self._place = len(hands) - 1 if first is None else first
        self._position = 0
        self._theme = theme
        self._can_repeat = can_repeat
        self._ask = ask
        self._explains = False
        self._remarks: dict[tuple[int, int], str] = {}
        """The findings about plays, by place and position."""

    @property
    def sight(self) -> ReplaySight:
        return ReplaySight(
            self._hand,
            self._position,
            self._place + 1,
            len(self._hands),
            self._can_repeat,
            self._ask is not None,
            self._remarks.get((self._place, self._position), "") if self._explains else "",
        )

    @property
    def _hand(self) -> HandReplay:
        return self._hands[self._place]

    def draw(self, size: tuple[int, int]) -> Canvas:
        return draw_replay(self.sight, self._theme, size)

    def turn_wheel(self, step: int) -> None:
        self._go(self._position + step)

    def _turn_explaining(self) -> None:
        self._explains = not self._explains
        self._explain()

    def _repeat(self) -> None:
        if self._hand.deal:
            self.finish(self._hand.deal)

    def _go(self, position: int) -> None:
        self._position = max(0, min(position, self._hand.last))
        self._explain()

    def _explain(self) -> None:
        """Find out what a bot would have played, if that is wanted and not known."""
        at = (self._place, self._position)
        if self._explains and self._remarks.get(at, _LOOKING) == _LOOKING:
            choice = choice_at(self._hand, self._position)
            self._remarks[at] = _FORCED if choice is None else _LOOKING
            if choice is not None and self._ask is not None:
                view, card = choice
                self._ask(Question.CARD, view, partial(self._hear, at, card))

    def _hear(self, at: tuple[int, int], card: Card, opinion: Opinion | None) -> None:
        self._remarks[at] = _NOBODY
        if opinion is not None and opinion.outlook is not None:
            self._remarks[at] = verdict_line(
                opinion.level, opinion.outlook, card, self._theme.style
            )
        self.changed()

    def _look_at(self, place: int) -> None:
        if 0 <= place < len(self._hands):
            self._place = place
            self._go(0)
