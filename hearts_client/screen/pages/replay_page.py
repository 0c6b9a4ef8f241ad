"""The page on which hands that are over are looked at card by card."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import Struct

from hearts.game.cards import Card
from hearts.table import Question
from hearts_client.screen.input.canvas_widget import WHEEL_DOWN, WHEEL_UP, CanvasWidget
from hearts_client.screen.input.ui import Page
from hearts_client.screen.pictures.canvas import Canvas
from hearts_client.screen.pictures.replay_picture import ReplaySight, draw_replay
from hearts_client.screen.pictures.sights import OnButton
from hearts_client.session.analyst import Ask, Opinion
from hearts_client.session.replay import HandReplay, choice_at
from hearts_client.words.opinions import verdict_line
from hearts_client.words.style import Style

_LOOKING = "A bot is looking at it..."
_FORCED = "No other card could be played."
_NOBODY = "The bot gives no answer."


class PlayAgain(Struct, frozen=True, gc=False):
    """Somebody wants to play a deal again, alone."""

    deal: str
    """Its text (:func:`hearts.game.deal.deal_text`)."""


class ReplayPage(Page[PlayAgain | None]):
    """Shows hands from their deals on; its result is None when it is left."""

    def __init__(
        self,
        hands: Sequence[HandReplay],
        style: Style,
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
        self._view = CanvasWidget(self._draw, self.press, self._click)
        super().__init__(self._view)
        self._hands = hands
        self._place = len(hands) - 1 if first is None else first
        self._position = 0
        self._style = style
        self._can_repeat = can_repeat
        self._ask = ask
        self._explains = False
        self._remarks: dict[tuple[int, int], str] = {}
        """What was found out about plays, by place and position."""

    @property
    def sight(self) -> ReplaySight:
        """What is seen."""
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

    def _draw(self, size: tuple[int, int]) -> Canvas:
        return draw_replay(self.sight, size, ascii=self._style.ascii)

    def press(self, key: str) -> bool:
        """Do what a key asks for; whether it is one of this page."""
        match key:
            case "left":
                self._go(self._position - 1)
            case "right" | " " | "enter":
                self._go(self._position + 1)
            case "up" | "page up":
                self._go(self._hand.previous_trick(self._position))
            case "down" | "page down":
                self._go(self._hand.next_trick(self._position))
            case "home":
                self._go(0)
            case "end":
                self._go(self._hand.last)
            case "n":
                self._look_at(self._place + 1)
            case "p":
                self._look_at(self._place - 1)
            case "x" if self._ask is not None:
                self._explains = not self._explains
                self._explain()
            case "a" if self._can_repeat and self._hand.deal:
                self.finish(PlayAgain(self._hand.deal))
            case "esc":
                self.finish(None)
            case _:
                return False
        return True

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
        self._view.changed()

    def _hear(self, at: tuple[int, int], card: Card, opinion: Opinion | None) -> None:
        self._remarks[at] = _NOBODY
        if opinion is not None and opinion.outlook is not None:
            self._remarks[at] = verdict_line(opinion.level, opinion.outlook, card, self._style)
        self._view.changed()

    def _look_at(self, place: int) -> None:
        if 0 <= place < len(self._hands):
            self._place = place
            self._go(0)

    def _click(self, target: object | None, button: int) -> None:
        if button == WHEEL_UP:
            self.press("left")
        elif button == WHEEL_DOWN:
            self.press("right")
        elif isinstance(target, OnButton):
            self.press(target.key)
