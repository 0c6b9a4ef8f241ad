"""The server's side of the client's seat, whose messages are kept apart."""

from __future__ import annotations

from math import inf

from hearts.errors import Reason
from hearts.plain.seat import PlainSeat
from hearts.table import Ask, Question, TableEvent
from hearts_conformance.session.kept_link import KeptLink


class PlainKitSeat(PlainSeat):
    """The seat of the client under test."""

    def __init__(self, player: int) -> None:
        super().__init__(player)
        self.link = KeptLink()

    def tell(self, event: TableEvent) -> bytes:
        return self.link.keep(event, super().tell(event))

    def ask(self, asked: Ask) -> bytes:
        return self.link.keep(asked, super().ask(asked))

    def refuse(self, reason: Reason) -> bytes:
        return self.link.keep(reason, super().refuse(reason))

    def recall(self, missed: TableEvent | Question) -> bytes:
        data = super().recall(missed)
        if isinstance(missed, Question):
            self.link.keep(Ask(self.player, missed, inf, 0), data)
        return data
