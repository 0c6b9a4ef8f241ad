"""All tables by name: those that form, those that play, and those that are still to be taken up."""

from __future__ import annotations

import trio

from hearts.hosting.hosted_table import HostedTable

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
        """A name that no table has."""
        while True:
            self._count += 1
            name = f"Table {self._count}"
            taken = name in self.forming or name in self.playing
            if not (taken or self.awaited.has_name(name)):
                return name

    def is_forming(self, table: FormingTable) -> bool:
        """Whether a table is still forming."""
        return self.forming.get(table.name) is table

    def public(self) -> tuple[list[FormingTable], list[HostedTable]]:
        """The public tables, forming ones and those that play."""
        return public_tables(self.forming.values(), self.playing.values())

    async def wait_settled(self, name: str) -> None:
        """Wait as long as a table of a name ends, or is private and has a player 0 who is still
        registering."""
        while (host := self.playing.get(name)) is not None and host.is_closed:
            await self.wait_ended(host)
        while (table := self.forming.get(name)) is not None and table.private and not table.opened:
            await table.settled.wait()

    def remove(self, table: FormingTable) -> None:
        """A table forms no more."""
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
        """Wait until a table that played is done."""
        while not host.is_over or self.playing.get(host.session.table_name) is host:
            await self._some_ended.wait()
