"""The lobby: who sits at which forming table, and when a table has its four players.

SocketSpec.md section 3 says how people are seated. A newcomer waits at most WAIT_LIMIT seconds
for those who are still registering; nobody else ever waits for somebody's bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from math import inf

import trio

from hearts.errors import RemoteProtocolError
from hearts.hosting.client import HostedClient
from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.rejoin import Newcomer
from hearts.hosting.table_requests import Message
from hearts.limits import PerNetwork, full_network, network_of
from hearts.limits.tables import OpenTable
from hearts.net.logline import EventLog
from hearts.session.messages import ListedTable, LookedTable, LookReply, Options, Refusal
from hearts.session.registration import RegistrationEnded
from hearts.table import COMPUTER_NAMES

from .forming import FormingTable, Sitter, Waiter
from .listing import (
    SettingOf,
    describe_forming,
    list_tables,
    look_at_forming,
    look_at_playing,
    public_tables,
)
from .registering import Registering, wide_network

log = EventLog(__name__)

WAIT_LIMIT = 3.0
"""Seconds that a newcomer waits for a player 0 who is still registering."""
HURRIED_WAIT = 0.5
"""The same after a restart, when many connect who want no seat at a forming table."""
MOST_WAITING = 16
"""Newcomers who wait at the same time; a crowd beyond them opens tables at once."""
_TABLES_LOOKED_AT = 16
"""Tables at which it is looked whether a taken seat yields; so a crowd costs the others little."""
_MOST_RIVALS = 12
"""Those who share seats of a table; beyond that the one who came first has to go."""
_FEW_WAITING = 8
"""Those who wait for a seat and are all waked at each change; a crowd is waked now and then."""
_LOOK_AFTER = 0.05
"""Seconds that changes are collected for before a crowd is waked."""
_NO_LIMIT = PerNetwork.widening(0)


class Lobby:
    """All tables that are forming or playing, by name."""

    def __init__(
        self,
        nursery: trio.Nursery,
        launch: Callable[[FormingTable], HostedTable],
        make_room: Callable[[], bool],
        *,
        setting_of: SettingOf,
        max_tables: int,
        tables_per_network: PerNetwork = _NO_LIMIT,
        fill_after: float,
        computer_names: Sequence[str] = COMPUTER_NAMES,
    ) -> None:
        """``launch`` starts a complete table; ``make_room`` ends one that nobody plays at, and
        says whether there was one. The nursery owns the clocks of forming tables."""
        self._nursery = nursery
        self._launch = launch
        self._make_room = make_room
        self._setting_of = setting_of
        self._max_tables = max_tables
        self._tables_per_network = tables_per_network
        self._fill_after = fill_after
        self._computer_names = computer_names
        self._forming: dict[str, FormingTable] = {}
        self._open_tables: dict[str, FormingTable] = {}
        """The public ones of them whose options are settled."""
        self._running: dict[str, HostedTable] = {}
        self._count = 0
        self._waiting: list[Waiter] = []
        self._looking = False
        self._registering = Registering()
        self._draining = False
        self._closed = ""
        self.returns_until = -inf
        """Until when most of those who connect will come back to a seat of their own."""

    @property
    def table_count(self) -> int:
        """Tables that count towards the limit. One whose player 0 is still registering does not:
        after a restart most of these are of players who are about to come back to their own."""
        return len(self._running) + sum(table.opened for table in self._forming.values())

    @property
    def forming_count(self) -> int:
        """Tables that wait for players."""
        return len(self._forming)

    @property
    def forming(self) -> list[FormingTable]:
        """Tables that wait for players, and whose player 0 has registered."""
        return [table for table in self._forming.values() if table.opened]

    # Newcomers

    async def seat_newcomer(self, client: HostedClient) -> Sitter:
        """The seat of a connection that has just come, first come first seated.

        Raises RegistrationEnded.
        """
        newcomer = Waiter(client, wide_network(client))
        hurry = trio.current_time() < self.returns_until
        limit = trio.current_time() + (HURRIED_WAIT if hurry else WAIT_LIMIT)
        self._waiting.append(newcomer)
        with self._registering.waits(newcomer.network):
            try:
                return await self._wait_for_seat(newcomer, limit)
            finally:
                self._waiting.remove(newcomer)

    async def _wait_for_seat(self, newcomer: Waiter, limit: float) -> Sitter:
        while True:
            self._check_open()
            if not newcomer.turn.is_set():
                self._seat_waiting()
            newcomer.turn = trio.Event()
            if newcomer.sitter is not None:
                return newcomer.sitter
            look_at = self._next_look(newcomer.network, limit)
            too_many = len(self._waiting) > MOST_WAITING
            if too_many and self._registering.is_crowd(newcomer.network):
                look_at = -inf
            if look_at <= trio.current_time():
                return self._open(newcomer.client, self._new_public_name(), private=False)
            with trio.move_on_at(look_at):
                await newcomer.turn.wait()

    def _seat_waiting(self) -> None:
        """Seat those who wait for a seat as far as there are any."""
        tables = list(self._open_tables.values())
        waiting = [newcomer for newcomer in self._waiting if newcomer.sitter is None]
        if tables and len(waiting) > 1:
            waiting.sort(key=lambda waiter: self._registering.is_crowd(waiter.network))
        for newcomer in waiting[:MOST_WAITING]:
            if tables:
                newcomer.sitter = self._seat_at(tables, newcomer.client)
                if newcomer.sitter is not None:
                    newcomer.turn.set()

    def _seat_at(self, tables: Sequence[FormingTable], client: HostedClient) -> Sitter | None:
        """A seat at the first of these tables that has a free one, or else one that yields."""
        for table in tables:
            free = table.free_seats
            if free:
                return self._sit(client, table, free[0])
        now, network = trio.current_time(), wide_network(client)
        for table in tables[:_TABLES_LOOKED_AT]:
            for player in range(4):
                if self._yields_at(table, player, network) <= now:
                    return self._sit(client, table, player)
        return None

    def _next_look(self, network: str, limit: float) -> float:
        """When a newcomer looks again for a seat; at once if there is nothing to wait for."""
        times = []
        for table in islice(self._open_tables.values(), _TABLES_LOOKED_AT):
            yields = (self._yields_at(table, player, network) for player in range(4))
            times += [time for time in yields if time <= limit]
        # The last ones to come keep others waiting longest.
        for table in islice(reversed(self._forming.values()), _TABLES_LOOKED_AT):
            first = table.sitters[0]
            if table.holding and not (table.private or table.opened) and first is not None:
                times.append(min(limit, self._registering.in_the_way(first, network)))
        now = trio.current_time()
        return min((time for time in times if time > now), default=now)

    def _yields_at(self, table: FormingTable, player: int, network: str) -> float:
        return table.yields_at(player, lambda holder: self._registering.in_the_way(holder, network))

    def _check_open(self) -> None:
        if self._draining:
            raise RegistrationEnded(Refusal.SHUTTING_DOWN)

    def _new_public_name(self) -> str:
        while True:
            self._count += 1
            name = f"Table {self._count}"
            if name not in self._forming and name not in self._running:
                return name

    def _open(self, client: HostedClient, name: str, *, private: bool) -> Sitter:
        self._check_open()
        opener = network_of(client.who)
        if private:
            self._check_network(opener)
        self._check_room()
        table = FormingTable(name, private, self._computer_names, opener)
        self._forming[name] = table
        return self._sit(client, table, 0)

    def _check_room(self) -> None:
        if self._closed:
            raise RegistrationEnded(Refusal.SERVER_FULL, self._closed)
        if self.table_count >= self._max_tables and not self._make_room():
            raise RegistrationEnded(Refusal.SERVER_FULL)

    def _check_network(self, opener: str) -> None:
        full = full_network(opener, self._unfinished(), self._tables_per_network)
        if full is not None:
            why = f"{full} has opened as many tables as one network may; finish or join one"
            raise RegistrationEnded(Refusal.SERVER_FULL, why)

    def _unfinished(self) -> Iterator[OpenTable]:
        forming = (table for table in self._forming.values() if table.opened)
        return chain(forming, self._running.values())

    def _sit(self, client: HostedClient, table: FormingTable, player: int) -> Sitter:
        sitter = Sitter(client, table, player, trio.current_time())
        if table.sitters[player] is None:
            table.sitters[player] = sitter
        else:
            if len(table.rivals) == _MOST_RIVALS:
                self._evict(table.rivals.pop(0), "others wait for the seat too; connect again")
            table.rivals.append(sitter)
        if not table.private:
            self._registering.sits(sitter)
        return sitter

    def _evict(self, sitter: Sitter, why: str) -> None:
        sitter.evicted = RegistrationEnded(Refusal.TABLE_TAKEN, why)
        self._registering.is_done(sitter)

    # Options of a registration

    def listing(self, sitter: Sitter) -> list[ListedTable]:
        """The public tables, forming ones first; who asks for them no longer holds newcomers.

        The seat that the asker holds for the moment counts as open, for he may leave it.
        """
        self._check_seated(sitter)
        self._stop_holding(sitter)
        return list_tables(self._forming.values(), self._running.values(), sitter.table)

    async def join(self, sitter: Sitter, name: str) -> Sitter | Newcomer:
        """Move to the table of a name, or open a private one of that name.

        Raises RegistrationEnded.

        A seat of a table that plays is given to a newcomer when the hand is over.
        """
        self._check_seated(sitter)
        self.leave(sitter)
        with trio.move_on_after(WAIT_LIMIT):
            while (table := self._private_table(name)) is not None and not table.opened:
                await table.settled.wait()
        self._check_open()
        table = self._forming.get(name)
        if table is None:
            host = self._running.get(name)
            if host is not None:
                return host.rejoin.hold(sitter.client)
            return self._open(sitter.client, name, private=True)
        if not table.private and not table.opened:
            raise RegistrationEnded(Refusal.TABLE_TAKEN)
        if not table.opened:
            self._settle(table, Options())
        place = self._seat_at([table], sitter.client)
        if place is None:
            raise RegistrationEnded(Refusal.TABLE_TAKEN)
        return place

    def _private_table(self, name: str) -> FormingTable | None:
        table = self._forming.get(name)
        return table if table is not None and table.private else None

    def set_options(self, sitter: Sitter, ints: tuple[int, ...]) -> None:
        """Take note of option -2, if it comes from a player 0 who opens a table.

        Raises RegistrationEnded.
        """
        table = sitter.table
        if sitter.player != 0 or table.opened or sitter.evicted is not None:
            return
        try:
            table.options = Options.decode(ints)
        except RemoteProtocolError as error:
            raise RegistrationEnded(Refusal.BAD_OPTION, str(error)) from None

    def register(self, sitter: Sitter, name: str, process_id: int) -> None:
        """A registration is complete; the table starts if it was the last.

        Raises RegistrationEnded.
        """
        self._check_open()
        self._check_seated(sitter)
        sitter.name = name
        sitter.process_id = process_id
        sitter.registered = True
        if not sitter.table.opened:
            self._settle(sitter.table, sitter.table.options)
        log.info("sat-down", address=sitter.client.who, player=sitter.player, name=name)
        self._registering.is_done(sitter)
        for other in sitter.table.take(sitter):
            self._evict(other, "somebody else has registered for your seat; connect again")
        if not sitter.table.complete:
            self._show(sitter.table)
        self._start_if_complete(sitter.table)

    def _settle(self, table: FormingTable, options: Options) -> None:
        self._check_network(table.opener)
        self._check_room()
        table.options = options
        table.computers = set(options.computers)
        table.opened = True
        table.opened_at = trio.current_time()
        table.settled.set()
        if not table.private:
            self._open_tables[table.name] = table
        if not table.private and table.free_seats and self._fill_after != inf:
            table.fill_clock.deadline = table.opened_at + self._fill_after
            self._nursery.start_soon(self._fill_later, table)
        self._look_again()

    def _stop_holding(self, sitter: Sitter) -> None:
        if not sitter.table.opened:
            sitter.table.holding = False
            self._look_again()

    @staticmethod
    def _check_seated(sitter: Sitter) -> None:
        if sitter.evicted is not None:
            raise sitter.evicted

    # What is told of tables

    def describe(self, table: FormingTable) -> Message:
        """A table that forms, for whoever asks."""
        return describe_forming(table, self._setting_of(table))

    def public_tables(self) -> tuple[list[FormingTable], list[HostedTable]]:
        """The public tables, forming ones and those that play."""
        return public_tables(self._forming.values(), self._running.values())

    def forming_table(self, name: str) -> FormingTable | None:
        """The forming table of a name."""
        return self._forming.get(name)

    def is_forming(self, table: FormingTable) -> bool:
        """Whether a table is still forming."""
        return self._forming.get(table.name) is table

    def playing(self, name: str) -> HostedTable | None:
        """The table of a name that plays."""
        return self._running.get(name)

    def _show(self, table: FormingTable) -> None:
        table.show(self.describe(table))

    def look(self, sitter: Sitter, name: str) -> LookedTable | LookReply:
        """What the table of a name is; who asks no longer holds newcomers."""
        self._check_seated(sitter)
        self._stop_holding(sitter)
        forming = self._forming.get(name)
        if forming is not None and forming.opened:
            return look_at_forming(forming, self._setting_of(forming))
        host = self._running.get(name)
        return LookReply.NO_TABLE if host is None else look_at_playing(host)

    # Leaving, filling, starting

    def start(self, table: FormingTable) -> None:
        """Let computers take the free seats now."""
        if self.is_forming(table):
            self._fill(table)

    def leave(self, sitter: Sitter) -> None:
        """Free a seat; a forming table that nobody is left at is gone."""
        table = sitter.table
        self._registering.is_done(sitter)
        if not table.free(sitter):
            return
        if self._forming.get(table.name) is table:
            if sitter.registered:
                who = sitter.client.who
                log.info("stood-up", address=who, player=sitter.player, name=sitter.name)
            if not any(table.sitters):
                self._remove(table)
            elif table.opened:
                self._show(table)
        self._look_again()

    def _look_again(self) -> None:
        """Seat those who wait, in the order in which they came; the others look again soon."""
        self._seat_waiting()
        if len(self._waiting) <= _FEW_WAITING:
            self._wake_waiting()
        elif not self._looking:
            self._looking = True
            self._nursery.start_soon(self._look_soon)

    async def _look_soon(self) -> None:
        # A crowd registers and leaves hundreds of times a second, and each time all would wake.
        await trio.sleep(_LOOK_AFTER)
        self._looking = False
        self._wake_waiting()

    def _wake_waiting(self) -> None:
        for newcomer in self._waiting:
            newcomer.turn.set()

    def _remove(self, table: FormingTable) -> None:
        del self._forming[table.name]
        self._open_tables.pop(table.name, None)
        table.settled.set()
        table.fill_clock.cancel()

    async def _fill_later(self, table: FormingTable) -> None:
        with table.fill_clock:
            await trio.sleep_forever()
        if table.name in self._forming and self._forming[table.name] is table:
            self._fill(table)

    def _fill(self, table: FormingTable) -> None:
        for sitter in table.unregistered:
            self._evict(sitter, "the table has begun without you; connect again")
            table.free(sitter)
        table.computers.update(table.free_seats)
        if any(table.sitters):
            self._start_if_complete(table)
        else:
            self._remove(table)

    def _start_if_complete(self, table: FormingTable) -> None:
        if not table.complete:
            return
        self._remove(table)
        try:
            self._running[table.name] = self._launch(table)
        except OSError as error:
            log.error("cannot-start-table", why=error)
            refused = RegistrationEnded(Refusal.SERVER_FULL, "the server cannot start a table now")
            for sitter in table.sitters:
                if sitter is not None:
                    sitter.client.refuse(refused)

    def take_up(self, host: HostedTable) -> None:
        """A table that was stored goes on."""
        self._running[host.session.table_name] = host

    def table_ended(self, name: str, game_number: int) -> None:
        """A table that played is done; its name is free again, unless another has it by now."""
        table = self._running.get(name)
        if table is not None and table.game_number == game_number:
            del self._running[name]

    def drain(self) -> None:
        """Let nobody new in, and send those away who wait for players."""
        self._draining = True
        self._send_away(RegistrationEnded(Refusal.SHUTTING_DOWN))

    def close(self, why: str) -> None:
        """Let no new table begin, and send those away who wait for one; "" lets them again."""
        self._closed = why
        if why:
            self._send_away(RegistrationEnded(Refusal.SERVER_FULL, why))

    def _send_away(self, refused: RegistrationEnded) -> None:
        for table in list(self._forming.values()):
            self._remove(table)
            for sitter in table.sitters + table.rivals:
                if sitter is not None:
                    sitter.evicted = refused
                    if sitter.registered:
                        sitter.client.refuse(refused)
        self._wake_waiting()
