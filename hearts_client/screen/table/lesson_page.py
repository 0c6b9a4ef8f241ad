"""The table of a guided first hand: beside it stands what there is to learn at each moment."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from msgspec.structs import replace

from hearts.game.cards import Card
from hearts.game.events import TrickTaken
from hearts.session.client_events import DealerEvent
from hearts_client.screen.pictures.canvas import Ink, Piece, Theme
from hearts_client.screen.pictures.sights import TableSight
from hearts_client.screen.sound import Sound
from hearts_client.session.visit import TakenSeat
from hearts_client.words.lesson import Tutor

from .keys import CHAT_KEYS, SEAT_KEYS
from .seat_page import SeatPage
from .table_page import Leaving


class LessonPage(SeatPage):
    """The page of somebody who plays their first hand; it ends with that."""

    # The texts go with the cards, so no choice is taken back.
    rows = tuple(row for row in SEAT_KEYS if row not in CHAT_KEYS and row.key not in ("u", "U"))

    def __init__(
        self, seat: TakenSeat, theme: Theme, ring: Callable[[Sound], None], **more: Any
    ) -> None:
        super().__init__(seat, theme, ring, **more)
        self._tutor = Tutor(theme.style, self.table.picture, self.table.roster.name)
        self._texts: deque[str] = deque()
        """The text to be read now, and those that follow it."""
        self.choosing.doubts = self._doubt

    def shown(self, event: DealerEvent) -> None:
        super().shown(event)
        if texts := self._tutor.teach(event):
            self._texts = deque(texts)
        elif isinstance(event, TrickTaken):
            self._texts.clear()

    def _doubt(self, cards: Sequence[Card]) -> bool:
        why = self._tutor.doubt(cards)
        if why:
            self._texts = deque([why])
        return bool(why)

    def _stays(self, item: DealerEvent | Piece) -> float:
        return inf if isinstance(item, TrickTaken) and self._texts else super()._stays(item)

    @property
    def is_held(self) -> bool:
        return len(self._texts) > 1 or super().is_held

    def dismiss(self) -> None:
        if len(self._texts) > 1:
            self._texts.popleft()
            self.uncovered()
        elif self._tutor.is_over:
            self.finish(Leaving.ENDED)
        else:
            super().dismiss()

    def sight(self) -> TableSight:
        return replace(super().sight(), lesson=self._texts[0] if self._texts else " ")

    def prompt(self) -> Piece:
        if self.is_held:
            return "Enter goes on.", Ink.STRONG
        if self.choosing.doubted is not None:
            card = self.theme.style.card(self.choosing.doubted)
            return f"Enter plays {card} all the same; or choose another card.", Ink.ALARM
        return super().prompt()
