"""All tables by name: those that form, those that play, and those that are still to be taken up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

import trio

from hearts.hosting.hosted_table import HostedTable
from hearts.limits.networks import PerNetwork
from hearts.limits.tables import OpenTable, full_network
from hearts.session.messages import Refusal
from hearts.session.registration import RegistrationEnded

from .awaited import AwaitedSessions
from .forming import FormingTable
from .listing import public_tables


class NamedTables:
    """The tables of a server as they come and go; no two have one name."""

    def __init__(self, awaited: AwaitedSessions) -> None:
        self.forming: dict[str, FormingTable] = {}
        """Those that wait for players."""
        self.open: dict[str, FormingTable] = {}
        """The public ones of them whose options are settled."""
        self.playing: dict[str, HostedTable] = {}
        self.awaited = awaited
        self._count = 0
        self._some_ended = trio.Event()

    def new_public_name(self) -> str:
        while True:
            self._count += 1
            name = f"Table {self._count}"
            taken = name in self.forming or name in self.playing
            if not (taken or self.awaited.has_name(name)):
                return name

    def is_forming(self, table: FormingTable) -> bool:
        return self.forming.get(table.name) is table

    def public(self) -> tuple[list[FormingTable], list[HostedTable]]:
        return public_tables(self.forming.values(), self.playing.values())

    async def wait_settled(self, name: str) -> None:
        """Wait as long as a table of a name ends, or is private and has a player 0 who is still
        registering."""
        while (host := self.playing.get(name)) is not None and host.is_closed:
            await self.wait_ended(host)
        while (table := self.forming.get(name)) is not None and table.private and not table.opened:
            await table.settled.wait()

    def remove(self, table: FormingTable) -> None:
        del self.forming[table.name]
        self.open.pop(table.name, None)

    def ended(self, name: str, game_number: int) -> None:
        """A table that played is done; its name is free again, unless another has it by now."""
        table = self.playing.get(name)
        if table is not None and table.game_number == game_number:
            del self.playing[name]
        self._some_ended.set()
        self._some_ended = trio.Event()

    async def wait_ended(self, host: HostedTable) -> None:
        while not host.is_over or self.playing.get(host.session.table_name) is host:
            await self._some_ended.wait()


class TableLimits:
    """Says whether one more table may be opened."""

    def __init__(
        self,
        make_room: Callable[[], bool],
        max_tables: int,
        tables_per_network: PerNetwork,
        tables: NamedTables,
    ) -> None:
        """``make_room`` ends a table that nobody plays at, and says whether there was one."""
        self._make_room = make_room
        self._max_tables = max_tables
        self._tables_per_network = tables_per_network
        self._tables = tables
        self.closed = ""
        """Why no new table begins; "" if one may."""

    @property
    def table_count(self) -> int:
        """Tables that count towards the limit. One whose player 0 is still registering does not:
        after a restart most of these are of players who are about to come back to their own."""
        # What ends has made room already, though nobody has heard of it yet.
        playing = sum(not host.is_closed for host in self._tables.playing.values())
        forming = sum(table.opened for table in self._tables.forming.values())
        return playing + self._tables.awaited.count + forming

    def check_room(self) -> None:
        """Raises RegistrationEnded if the server has no room for one more table."""
        if self.closed:
            raise RegistrationEnded(Refusal.SERVER_FULL, self.closed)
        if self.table_count >= self._max_tables and not self._make_room():
            raise RegistrationEnded(Refusal.SERVER_FULL)

    def check_network(self, opener: str) -> None:
        """Raises RegistrationEnded if the network of an opener has as many as it may."""
        full = full_network(opener, self._unfinished(), self._tables_per_network)
        if full is not None:
            why = f"{full} has opened as many tables as one network may; finish or join one"
            raise RegistrationEnded(Refusal.SERVER_FULL, why)

    def _unfinished(self) -> Iterator[OpenTable]:
        forming = (table for table in self._tables.forming.values() if table.opened)
        return chain(forming, self._tables.playing.values(), self._tables.awaited.tables)
