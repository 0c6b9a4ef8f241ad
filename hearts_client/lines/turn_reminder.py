"""Reminders of the turn: its player, the time that it has taken, and the time that is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter
from typing import get_args

import trio

from hearts.session.client_events import ChoiceTerms, ConnectionLost, DealChecked, DealerEvent
from hearts.session.table_words import TableNews, Waiting
from hearts.table.effects import (
    AbortProposed,
    AbortRefused,
    RulesAgreed,
    RulesProposed,
    RulesRefused,
    SeatKept,
    SeatWanted,
)
from hearts_client.library.client import Client
from hearts_client.library.dialects import Dialect
from hearts_client.session.own_limit import OwnLimit
from hearts_client.words.narrator import Narrator

_WARNINGS = (20.0, 5.0)
"""Seconds before the end of the person's own time at which they are reminded."""
_PATIENCE = 6.0
"""Seconds of silence after which it is said who is waited for."""
_GOES_ON = (
    *get_args(TableNews),
    *(DealChecked, ChoiceTerms, RulesProposed, RulesAgreed, RulesRefused),
    *(SeatWanted, SeatKept, AbortProposed, AbortRefused),
)
"""Events that leave the game as it was."""


class TurnClock:
    """The time since somebody was asked. The server's clock decides; this one only tells."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._since = 0.0
        self._reminders: Sequence[tuple[float, Callable[[], str]]] = ()
        self._alarm = trio.CancelScope()

    @property
    def seconds(self) -> int:
        return int(trio.current_time() - self._since)

    def start_own(
        self,
        limit: int,
        until_bank: float | None = None,
        bank_line: Callable[[], str] = str,
    ) -> None:
        """Note that the person is asked; ``limit`` is in seconds, 0 for none.

        What ``bank_line`` gives is said after ``until_bank`` seconds.
        """
        reminders: list[tuple[float, Callable[[], str]]] = [
            (limit - left, partial("{:g} seconds left.".format, left))
            for left in _WARNINGS
            if limit >= 2 * left
        ]
        if until_bank is not None:
            reminders.append((until_bank, bank_line))
        self._start(sorted(reminders, key=itemgetter(0)))

    def start_other(self, line: Callable[[], str]) -> None:
        """Begin a question to somebody else; if it takes long, the text of ``line`` is said."""
        self._start([(_PATIENCE, line)])

    def _start(self, reminders: Sequence[tuple[float, Callable[[], str]]]) -> None:
        self._since = trio.current_time()
        self._reminders = reminders
        self._alarm.cancel()

    async def run(self) -> None:
        """Say the reminders when they are due, until cancelled."""
        while True:
            self._alarm = trio.CancelScope()
            with self._alarm:
                for after, line in self._reminders:
                    await trio.sleep_until(self._since + after)
                    if text := line():
                        self._say(text)
                await trio.sleep_forever()


class TurnReminder(TurnClock):
    """Reminds the person of their own time, and names others who are waited for."""

    def __init__(
        self, client: Client, narrator: Narrator, say: Callable[[str], None], dialect: Dialect
    ) -> None:
        super().__init__(say)
        self.own = OwnLimit()
        self._client = client
        self._narrator = narrator
        self._dialect = dialect
        self._waited_for: tuple[int, ...] = ()
        """Players who are waited for, if the server has said so."""

    def receive(self, event: DealerEvent) -> None:
        self.own.receive(event, self._client.player)
        match event:
            case ConnectionLost():
                self._start([])
            case Waiting(question, players) if question is not None:
                self._waited_for = tuple(p for p in players if p != self._client.player)

    def watch(self, event: DealerEvent) -> None:
        """Note an event after which somebody else may be waited for."""
        if self._client.asked is None and not isinstance(event, _GOES_ON):
            self._waited_for = ()
            self.start_other(self._waiting_line)

    def _waiting_line(self) -> str:
        if self._client.seated is None and self._narrator.roster.infos:
            return ""  # It was told how the table forms.
        return self.others

    @property
    def others(self) -> str:
        turn = self._client.picture.turn
        roster = self._narrator.roster
        if self._client.seated is None:
            # A table that forms tells a client of the dealer dialect at once who is there.
            if self._dialect is Dialect.DEALER and not roster.infos:
                return "The table is playing. You play from the next hand on."
        elif turn is not None and turn != self._client.player:
            return f"Waiting for {self._narrator.name(turn)}."
        elif self._waited_for:
            return f"Waiting for {roster.all_names(self._waited_for)}."
        return "Waiting for the others."

    # The person's own time

    def begin(self) -> int:
        """Begin a question to the person; return their seconds for it, 0 for no limit."""
        limit = self.limit
        self.start_own(limit, self.own.until_bank, self._bank_line)
        return limit

    @property
    def limit(self) -> int:
        """Seconds for the choice that is open; 0 for no limit."""
        return int(self.own.seconds)

    def _bank_line(self) -> str:
        bank = self.own.bank or 0.0
        return f"Now your time bank is running; it has {bank:.0f} seconds for this hand."
