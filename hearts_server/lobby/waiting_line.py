"""Newcomers who wait for a seat at a public table, first come first seated.

SocketSpec.md section 3 says how people are seated. A newcomer waits at most WAIT_LIMIT seconds
for those who are still registering; nobody else ever waits for somebody's bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from math import inf

import trio
from msgspec import Struct, field

from hearts.hosting.client import HostedClient
from hearts.session.registration import RegistrationEnded

from .forming import FormingTable, Sitter
from .named_tables import NamedTables
from .seating import TABLES_LOOKED_AT, Registering, Seating, wide_network

WAIT_LIMIT = 3.0
"""Seconds that a newcomer waits for a player 0 who is still registering."""
HURRIED_WAIT = 0.5
"""The same after a restart, when many connect who want no seat at a forming table."""
MOST_WAITING = 16
"""Newcomers who wait at the same time; a crowd beyond them opens tables at once."""
COMPANY = 3
"""Newcomers who wait for one player 0; the next one opens a table."""
_FEW_WAITING = 8
"""Newcomers up to whom all are waked at each change; a larger crowd is waked now and then."""
_LOOK_AFTER = 0.05
"""Seconds that changes are collected for before a crowd is waked."""


class Waiter(Struct, eq=False):
    """A connection that waits for its seat."""

    client: HostedClient
    network: str
    """The widest one that it lies in."""
    sitter: Sitter | None = None
    opens: bool = False
    """True if it waits for no player 0 who is registering, or is about to."""
    is_refused: bool = False
    """True if it could open no table."""
    turn: trio.Event = field(default_factory=trio.Event)
    """Set when it is seated, or is to look again."""


class WaitingLine(Struct, eq=False):
    """The newcomers who have just connected and have no seat yet."""

    nursery: trio.Nursery
    """It owns the task that wakes a crowd."""
    seating: Seating
    registering: Registering
    tables: NamedTables
    check_open: Callable[[], None]
    """Raises RegistrationEnded if nobody is let in."""
    open_table: Callable[[HostedClient], Sitter]
    """Raises RegistrationEnded if no table can be opened."""
    waiting: list[Waiter] = field(default_factory=list)
    is_looking: bool = False
    returns_until: float = -inf
    """Until when most of those who connect will come back to a seat of their own."""

    async def seat(self, client: HostedClient) -> Sitter:
        """The seat of a connection that has just come, first come first seated.

        Raises RegistrationEnded.
        """
        newcomer = Waiter(client, wide_network(client))
        hurry = trio.current_time() < self.returns_until
        limit = trio.current_time() + (HURRIED_WAIT if hurry else WAIT_LIMIT)
        self.waiting.append(newcomer)
        self._choose_openers()
        with self.registering.waits(newcomer.network):
            try:
                return await self._wait_for_seat(newcomer, limit)
            finally:
                self.waiting.remove(newcomer)

    async def _wait_for_seat(self, newcomer: Waiter, limit: float) -> Sitter:
        while True:
            self.check_open()
            if not newcomer.turn.is_set():
                self._seat_waiting()
            newcomer.turn = trio.Event()
            if newcomer.sitter is not None:
                return newcomer.sitter
            look_at = self._next_look(newcomer, limit)
            too_many = len(self.waiting) > MOST_WAITING
            if too_many and self.registering.is_crowd(newcomer.network):
                look_at = -inf
            if look_at <= trio.current_time():
                return self._open(newcomer)
            with trio.move_on_at(look_at):
                await newcomer.turn.wait()
            if not newcomer.turn.is_set():
                self._choose_openers()

    def _open(self, newcomer: Waiter) -> Sitter:
        try:
            return self.open_table(newcomer.client)
        except RegistrationEnded:
            # Others have counted on his table.
            newcomer.is_refused = True
            self.look_again()
            raise

    def look_again(self) -> None:
        """Seat those who wait, in the order in which they came; the others look again soon."""
        self._seat_waiting()
        if len(self.waiting) <= _FEW_WAITING:
            self.wake()
        elif not self.is_looking:
            self.is_looking = True
            self.nursery.start_soon(self._look_soon)

    def wake(self) -> None:
        self._choose_openers()
        for newcomer in self.waiting:
            newcomer.turn.set()

    async def _look_soon(self) -> None:
        # A crowd registers and leaves hundreds of times a second, and each time all would wake.
        await trio.sleep(_LOOK_AFTER)
        self.is_looking = False
        self.wake()

    def _seat_waiting(self) -> None:
        tables = list(self.tables.open.values())
        for newcomer in self._in_turn()[:MOST_WAITING] if tables else ():
            newcomer.sitter = self.seating.seat_at(tables, newcomer.client)
            if newcomer.sitter is not None:
                newcomer.turn.set()

    def _in_turn(self) -> list[Waiter]:
        """The newcomers who wait for a seat, in the order of getting one: a crowd comes last."""
        waiting = [each for each in self.waiting if each.sitter is None and not each.is_refused]
        if len(waiting) > 1:
            waiting.sort(key=lambda waiter: self.registering.is_crowd(waiter.network))
        return waiting

    def _next_look(self, newcomer: Waiter, limit: float) -> float:
        """The time of a newcomer's next look for a seat; now if there is nothing to wait for."""
        now, network = trio.current_time(), newcomer.network
        times = []
        for table in islice(self.tables.open.values(), TABLES_LOOKED_AT):
            yields = (self.seating.yields_at(table, player, network) for player in range(4))
            times += [time for time in yields if time <= limit]
        if not newcomer.opens:
            times.append(limit)
            # The last ones to come keep others waiting longest.
            for table in islice(reversed(self.tables.forming.values()), TABLES_LOOKED_AT):
                first = _awaited(table)
                if first is not None:
                    times.append(min(limit, self.registering.in_the_way(first, network)))
        return min((time for time in times if time > now), default=now)

    def _choose_openers(self) -> None:
        """Three of the waiting newcomers wait for each player 0 who registers. Of the others one in
        four opens a table, for themselves and the next three."""
        now = trio.current_time()
        room = 0
        for table in self.tables.forming.values():
            first = _awaited(table)
            if first is not None and self.registering.in_the_way(first, "") > now:
                room += COMPANY
        for place, newcomer in enumerate(self._in_turn()):
            newcomer.opens = place >= room and (place - room) % (COMPANY + 1) == 0


def _awaited(table: FormingTable) -> Sitter | None:
    """The player 0 who is registering, and for whom newcomers wait; None if there is none."""
    is_held = table.holding and not (table.private or table.opened)
    return table.sitters[0] if is_held else None
