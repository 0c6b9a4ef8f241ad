"""Reports to a person about each deal, if it was the one that was promised."""

from __future__ import annotations

from collections.abc import Callable

import trio

from hearts.game.deal import deal_code, deal_text, parse_notice
from hearts.game.events import YourHand
from hearts.session.client_events import DealerEvent
from hearts.session.messages import Scores
from hearts_client.words.fairness import CUT_SHORT, NEVER_SHOWN, NOT_SHOWN_YET

from .own_record import OwnRecord

_LAST_DEAL_LIMIT = 2.0
"""Seconds that the chat has to tell the last deal when the session is over."""


class Promises:
    """The reports about deals: one for each, over whichever of two connections it was disclosed."""

    def __init__(
        self, record: OwnRecord, say: Callable[[str], None], *, deal: str, can_repeat: bool
    ) -> None:
        """``deal`` is the text of the first deal, if it was chosen.

        ``can_repeat`` says whether a deal can be played again.
        """
        self.last_deal = deal
        """The text of the last deal that is known; empty if none is."""
        self._record = record
        self._say = say
        self._can_repeat = can_repeat
        self._noticed = trio.Event()

    def receive(self, event: DealerEvent) -> None:
        self._report(self._record.update(event))
        if isinstance(event, YourHand | Scores):
            self._report_overdue()

    def notice(self, text: str) -> bool:
        """Take in a notice of the taunt server; True if it was one about a deal."""
        if parse_notice(text) is None:
            return False
        self._report(self._record.notice(text))
        self._report_overdue()
        self._noticed.set()
        return True

    async def wait_for_last(self, *, is_over: bool) -> None:
        """Wait until the last deal is disclosed, but not for long.

        ``is_over`` says whether the table cannot go on later.
        """
        with trio.move_on_after(_LAST_DEAL_LIMIT):
            while self._record.undisclosed:
                self._noticed = trio.Event()
                await self._noticed.wait()
        tell = NEVER_SHOWN if is_over else NOT_SHOWN_YET
        for deal in self._record.overdue(at_end=True):
            self._report(tell.format(deal))
        if (number := self._record.unfinished) is not None:
            self._report(CUT_SHORT.format(number) if is_over else NOT_SHOWN_YET.format(number))

    def _report_overdue(self) -> None:
        for number in self._record.overdue():
            self._report(NEVER_SHOWN.format(number))

    def _report(self, sentence: str | None) -> None:
        if sentence is None:
            return
        last = self._record.last_deal
        self.last_deal = self.last_deal if last is None else deal_text(*last)
        told = last is not None and deal_code(last[0]) in sentence
        again = "; /again plays it again" if self._can_repeat and told else ""
        self._say(f"* {sentence[0].upper()}{sentence[1:]}{again}.")
