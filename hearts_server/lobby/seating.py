"""Newcomers get seats at public tables, first come first seated: a free one, or one whose holder
does not register.

SocketSpec.md section 3 says how people are seated. A newcomer waits at most WAIT_LIMIT seconds for
those who are still registering; nobody else ever waits for somebody's bytes.

Somebody who holds a seat and says nothing costs others their company. So their seat is given
to others too after a while, and the first who registers has it (SocketSpec.md section 3.10).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from math import inf

import trio
from msgspec import Struct, field

from hearts.hosting.hosted_client import HostedClient
from hearts.limits.networks import networks_of
from hearts.session.messages import Refusal
from hearts.session.registration import RegistrationEnded

from .forming import FormingTable, Sitter
from .named_tables import NamedTables

YIELDS_AFTER = 5.0
"""Seconds after which a seat that waits for a registration is given to others as well."""
SECOND_YIELDS_AFTER = 1.0
"""The same for another network, if the seat is not the first of its network to wait."""
FRIENDS = 4
"""People of one network who may be here unregistered; with more it holds nobody else up."""
TABLES_LOOKED_AT = 16
"""Tables at which it is looked whether a taken seat yields; so a crowd costs the others little."""
_MOST_RIVALS = 12
"""Sitters who may share seats of a table; if there are more, the one who came first has to go."""
WAIT_LIMIT = 3.0
"""Seconds that a newcomer waits for a player 0 who is still registering."""
HURRIED_WAIT = 0.5
"""The same after a restart, when many connect who want no seat at a forming table."""
MOST_WAITING = 16
"""Newcomers who wait at the same time; a crowd beyond them opens tables at once."""
NEWCOMERS_PER_OPENER = 3
"""Newcomers who wait for one player 0; the next one opens a table."""
_FEW_WAITING = 8
"""Newcomers up to whom all are waked at each change; a larger crowd is waked now and then."""
_LOOK_AFTER = 0.05
"""Seconds that changes are collected for before a crowd is waked."""


def wide_network(client: HostedClient) -> str:
    """Return the network that counts as one crowd: the widest one that a client lies in."""
    return networks_of(client.who)[-1]


class Seating:
    """Gives seats of forming tables, and takes them away.

    It knows the clients that hold a seat of a public table, or wait for one, and have not
    registered.
    """

    def __init__(self) -> None:
        # By network, in the order in which they sat down.
        self._seated: dict[str, dict[Sitter, None]] = {}
        self._waiting: Counter[str] = Counter()

    def sits(self, sitter: Sitter) -> None:
        self._seated.setdefault(wide_network(sitter.client), {})[sitter] = None

    def is_done(self, sitter: Sitter) -> None:
        network = wide_network(sitter.client)
        seated = self._seated.get(network, {})
        seated.pop(sitter, None)
        if not seated:
            self._seated.pop(network, None)

    @contextmanager
    def waits(self, network: str) -> Iterator[None]:
        """Count somebody of a network as waiting for a seat, during the block."""
        self._waiting[network] += 1
        try:
            yield
        finally:
            self._waiting[network] -= 1
            if not self._waiting[network]:
                del self._waiting[network]

    def is_crowd(self, network: str) -> bool:
        """Return True if more people of a network are here unregistered than friends would be."""
        return len(self._seated.get(network, ())) + self._waiting[network] > FRIENDS

    def in_the_way(self, holder: Sitter, network: str) -> float:
        """Return the time until which the holder of a seat keeps it from others of a network."""
        own = wide_network(holder.client)
        if own == network:
            return holder.since + YIELDS_AFTER
        if self.is_crowd(own):
            return holder.since
        is_first = holder is next(iter(self._seated.get(own, ())), None)
        return holder.since + (YIELDS_AFTER if is_first else SECOND_YIELDS_AFTER)

    def seat_at(self, tables: Sequence[FormingTable], client: HostedClient) -> Sitter | None:
        """Return a seat at the first of these tables that has a free one, or else one that
        yields.
        """
        for table in tables:
            free = table.free_seats
            if free:
                return self.sit(client, table, free[0])
        now, network = trio.current_time(), wide_network(client)
        for table in tables[:TABLES_LOOKED_AT]:
            for player in range(4):
                if self.yields_at(table, player, network) <= now:
                    return self.sit(client, table, player)
        return None

    def sit(self, client: HostedClient, table: FormingTable, player: int) -> Sitter:
        """Give a client a seat, or a share of one that another holds unregistered."""
        sitter = Sitter(client, table, player, trio.current_time())
        if table.sitters[player] is None:
            table.sitters[player] = sitter
        else:
            if len(table.rivals) == _MOST_RIVALS:
                self.evict(table.rivals.pop(0), "others wait for the seat too; connect again")
            table.rivals.append(sitter)
        if not table.private:
            self.sits(sitter)
        return sitter

    def evict(self, sitter: Sitter, why: str) -> None:
        sitter.evicted = RegistrationEnded(Refusal.TABLE_TAKEN, why)
        self.is_done(sitter)

    def yields_at(self, table: FormingTable, player: int, network: str) -> float:
        """Tell when a newcomer of a network is given a seat that is taken; ``inf`` for never."""
        return table.yields_at(player, lambda holder: self.in_the_way(holder, network))


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
        """Find a seat for a connection that has just come, first come first seated.

        Raises RegistrationEnded.
        """
        hurry = trio.current_time() < self.returns_until
        registering = len(self.tables.forming) - self.tables.settled
        if hurry and registering > MOST_WAITING and not self.tables.open:
            # The whole club comes back: who waits here waits for nothing, and is looked at.
            self.check_open()
            return self.open_table(client)
        newcomer = Waiter(client, wide_network(client))
        limit = trio.current_time() + (HURRIED_WAIT if hurry else WAIT_LIMIT)
        self.waiting.append(newcomer)
        self._choose_openers()
        with self.seating.waits(newcomer.network):
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
            if too_many and self.seating.is_crowd(newcomer.network):
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
            # Others have counted on their table.
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
        """Return the newcomers who wait for a seat, in the order of getting one: a crowd comes
        last.
        """
        waiting = [each for each in self.waiting if each.sitter is None and not each.is_refused]
        if len(waiting) > 1:
            waiting.sort(key=lambda waiter: self.seating.is_crowd(waiter.network))
        return waiting

    def _next_look(self, newcomer: Waiter, limit: float) -> float:
        """Return the time of a newcomer's next look for a seat; now if there is nothing to wait
        for.
        """
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
                    times.append(min(limit, self.seating.in_the_way(first, network)))
        return min((time for time in times if time > now), default=now)

    def _choose_openers(self) -> None:
        """Three of the waiting newcomers wait for each player 0 who registers. Of the others one in
        four opens a table, for themselves and the next three."""
        waiting = self._in_turn()
        if not waiting:
            return
        now = trio.current_time()
        room = 0
        for table in self.tables.forming.values():
            first = _awaited(table)
            if first is not None and self.seating.in_the_way(first, "") > now:
                room += NEWCOMERS_PER_OPENER
        for place, newcomer in enumerate(waiting):
            newcomer.opens = place >= room and (place - room) % (NEWCOMERS_PER_OPENER + 1) == 0


def _awaited(table: FormingTable) -> Sitter | None:
    """Return the player 0 who is registering, and for whom newcomers wait; None if there is
    none.
    """
    is_held = table.holding and not (table.private or table.opened)
    return table.sitters[0] if is_held else None
