"""Tells clients which players the table waits for (DealerSpec.md section 14.2)."""

from __future__ import annotations

from math import inf

from hearts.session.table_words import Waiting
from hearts.table.inputs import Question
from hearts.table.table import Table

from .rejoin import Rejoin
from .seated_clients import SeatedClients
from .watchers import Watchers

FIRST_AFTER = 1.0
"""Seconds that a table has to wait before anybody is told of it."""
EVERY = 5.0
"""Seconds between two notices."""


class WaitingNotices:
    """The notices that say which players a table waits for, and the times to send them."""

    def __init__(
        self, table: Table, clients: SeatedClients, watchers: Watchers, rejoin: Rejoin
    ) -> None:
        self._table = table
        self._clients = clients
        self._watchers = watchers
        self._rejoin = rejoin
        self._question: tuple[Question, int] | None = None
        self._since = 0.0
        self._told: tuple[int, ...] = ()
        """The players who were named the last time; empty before the first time."""
        self.due = inf
        """The time at which somebody is to be told; ``inf`` for never."""

    @property
    def has_listeners(self) -> bool:
        return bool(self._clients.hearing or self._watchers.broadcast or self._rejoin.newcomers)

    def look(self, now: float) -> None:
        """Note which players the table waits for, after everything else is done."""
        waited_for = self._table.waited_for() if self.has_listeners else []
        if not waited_for:
            self._question = None
            self.due = inf
            return
        _, request = waited_for[0]
        # The winner of a trick leads the next one: that is another wait for the same player.
        each = request.number if request.question is Question.CARD else -1
        question = (request.question, each)
        if question != self._question:
            self._question = question
            self._since = now
            self._told = ()
            self.due = now + FIRST_AFTER
        elif self._told and self._told != tuple(player for player, _ in waited_for):
            self.due = now

    def send_due(self, now: float) -> None:
        waited_for = self._table.waited_for()
        self.due = now + EVERY
        if not waited_for:
            return
        _, request = waited_for[0]
        self._told = tuple(player for player, _ in waited_for)
        deadline = min(
            request.deadline if request.is_unanswered else inf for _, request in waited_for
        )
        left = None if deadline == inf else max(0, round(1000 * (deadline - now)))
        waited = round(1000 * (now - self._since))
        told = Waiting(request.question, self._told, waited, left)
        for client, seat in (*self._clients.hearing, *self._rejoin.following):
            client.send(seat.beside(told))
        self._watchers.waiting(told)
