"""All tables by name: those that form, those that play, and those that are still to be taken up.

It also has the limits on their number, for the whole server and for one network, and their
descriptions: the list of public ones (SocketSpec.md section 3.5), and a single one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

import trio
from msgspec import Struct, field

from hearts.hosting.hosted_table import HostedTable
from hearts.limits.networks import PerNetwork
from hearts.limits.tables import OpenTable, full_network, in_turn
from hearts.session.messages import MAX_LISTED_TABLES, ListedTable, LookedTable, Refusal
from hearts.session.registration import RegistrationEnded
from hearts.session.table_words import RulesInfo, TableMessage

from .awaited import AwaitedSessions
from .forming import FormingTable


class NamedTables(Struct, eq=False):
    """The tables of a server as they come and go; no two have one name."""

    awaited: AwaitedSessions
    make_room: Callable[[], bool]
    """Ends a table that nobody plays at, and says if there was one."""
    most: int
    most_of_network: PerNetwork
    forming: dict[str, FormingTable] = field(default_factory=dict)
    """The tables that wait for players."""
    open: dict[str, FormingTable] = field(default_factory=dict)
    """The public ones of them whose options are settled."""
    playing: dict[str, HostedTable] = field(default_factory=dict)
    closed: str = ""
    """The reason that no new table begins; "" if one may."""
    named: int = 0
    """The public names that were given."""
    some_ended: trio.Event = field(default_factory=trio.Event)

    def new_public_name(self) -> str:
        while True:
            self.named += 1
            name = f"Table {self.named}"
            if not (self.has(name) or self.awaited.has_name(name)):
                return name

    def has(self, name: str) -> bool:
        """True if a table that is there has this name."""
        return name in self.forming or name in self.playing

    def is_forming(self, table: FormingTable) -> bool:
        return self.forming.get(table.name) is table

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
        self.some_ended.set()
        self.some_ended = trio.Event()

    async def wait_ended(self, host: HostedTable) -> None:
        while not host.is_over or self.playing.get(host.session.table_name) is host:
            await self.some_ended.wait()

    @property
    def count(self) -> int:
        """Count the tables. One whose player 0 is still registering is none: after a restart most
        of these are of players who are about to come back to their own."""
        # What ends has made room already, though nobody has heard of it yet.
        playing = sum(not host.is_closed for host in self.playing.values())
        forming = sum(table.opened for table in self.forming.values())
        return playing + self.awaited.count + forming

    def check_room(self, opener: str = "") -> None:
        """Raise RegistrationEnded if there is no room for one more table, or none for one that
        somebody of this network opens."""
        forming = (table for table in self.forming.values() if table.opened)
        unfinished: Iterable[OpenTable] = chain(forming, self.playing.values(), self.awaited.tables)
        full = full_network(opener, unfinished, self.most_of_network)
        if full is not None:
            why = f"{full} has opened as many tables as one network may; finish or join one"
            raise RegistrationEnded(Refusal.SERVER_FULL, why)
        if self.closed:
            raise RegistrationEnded(Refusal.SERVER_FULL, self.closed)
        if self.count >= self.most and not self.make_room():
            raise RegistrationEnded(Refusal.SERVER_FULL)

    # What is told of them

    def public(self) -> tuple[list[FormingTable], list[HostedTable]]:
        """The public tables that are listed, forming ones and those that play, each time those of
        many networks before many of one."""
        forming = (table for table in self.forming.values() if not table.private and table.opened)
        first = in_turn(forming, lambda table: table.opener)[:MAX_LISTED_TABLES]
        playing = (host for host in self.playing.values() if not host.session.private)
        most = MAX_LISTED_TABLES - len(first)
        return first, in_turn(playing, lambda host: host.session.opener)[:most]

    def listed(self, asked_at: FormingTable) -> list[ListedTable]:
        """The same as a list; the seat that the asker has at ``asked_at`` counts as open."""
        forming, playing = self.public()
        return [
            *(
                ListedTable(
                    table.name, 0, len(table.free_seats) + (table is asked_at), table.player_names()
                )
                for table in forming
            ),
            *(
                ListedTable(
                    host.session.table_name,
                    host.game_number,
                    len(host.rejoin.open_seats),
                    host.clients.names,
                )
                for host in playing
            ),
        ]


def describe_playing(host: HostedTable) -> TableMessage:
    session = host.session
    setting = session.setting
    return TableMessage(
        session.table_name,
        host.game_number,
        session.private,
        None,
        len(host.rejoin.open_seats),
        None,
        RulesInfo(setting.rules, setting.end_score),
        setting.turn_limit,
        host.clients.names,
    )


def looked_at(told: TableMessage, open_seats: int) -> LookedTable:
    """Tell of a table to somebody who has not joined it; ``open_seats`` can be had now."""
    opener = "" if told.opener is None else told.names[told.opener]
    a, b, c, d = told.names
    return LookedTable(
        told.game_number,
        told.private,
        open_seats,
        told.rules.rules,
        told.rules.end_score,
        told.turn_limit,
        opener,
        (a, b, c, d),
    )
