"""All tables by name: those that form, those that play, and those that are still to be taken up.

It also has the limits on their number, for the whole server and for one network, and their
descriptions: the list of public ones (SocketSpec.md section 3.5), and a single one.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from math import inf

import trio
from msgspec import Struct, field

from hearts.game.cards import four
from hearts.hosting.hosted_table import HostedTable
from hearts.limits.networks import PerNetwork
from hearts.limits.table_limits import OpenTable, full_network, gives_way, in_turn
from hearts.session.messages import MAX_LISTED_TABLES, ListedTable, LookedTable, Refusal
from hearts.session.registration import RegistrationEnded
from hearts.session.table_words import TableMessage

from .forming import FormingTable
from .sessions import Sessions

ROOM_AFTER = 60.0
"""Seconds without anybody after which a table may end to make room for another."""
LOOK_AFTER = 0.1
"""Seconds after which it is looked again whether a table may end."""
FULL = "the server is full, and nobody played at the table"
"""The reason that such a table ends."""


class NamedTables(Struct, eq=False):
    """The tables of a server as they come and go; no two have one name."""

    sessions: Sessions
    """The tables that play, and those that are still to be taken up."""
    most: int
    most_of_network: PerNetwork
    forming: dict[str, FormingTable] = field(default_factory=dict)
    """The tables that wait for players."""
    open: dict[str, FormingTable] = field(default_factory=dict)
    """The public ones of them whose options are settled."""
    closed: str = ""
    """The reason that no new table begins; "" if one may."""
    settled: int = 0
    """Those that wait for players, and whose options are settled."""
    look_at: float = -inf
    """The time before which no table may end to make room."""
    named: int = 0
    """The public names that were given."""

    def new_public_name(self) -> str:
        while True:
            self.named += 1
            name = f"Table {self.named}"
            if not (self.has(name) or name in self.sessions.awaited.names):
                return name

    def has(self, name: str) -> bool:
        """Return True if a table that is there has this name."""
        return name in self.forming or name in self.sessions.by_name

    def is_forming(self, table: FormingTable) -> bool:
        return self.forming.get(table.name) is table

    async def wait_settled(self, name: str) -> None:
        """Wait as long as a table of a name ends, or is private and has a player 0 who is still
        registering."""
        while (host := self.sessions.by_name.get(name)) is not None and host.is_closed:
            await self.sessions.wait_ended(host)
        while (table := self.forming.get(name)) is not None and table.private and not table.opened:
            await table.settled.wait()

    def remove(self, table: FormingTable) -> None:
        del self.forming[table.name]
        self.open.pop(table.name, None)
        self.settled -= table.opened

    def _is_full(self) -> bool:
        """Tell whether there are as many as there may be. One whose player 0 is still registering
        is none: after a restart most of these are of players who are about to come back."""
        sessions = self.sessions
        room = self.most - sessions.count - sessions.awaited.count - self.settled
        # What ends has made room already, though nobody has heard of it yet.
        return room <= 0 and room + sum(host.is_closed for host in sessions.running) <= 0

    def check_room(self, opener: str = "") -> None:
        """Raise RegistrationEnded if there is no room for one more table, or none for one that
        somebody of this network opens."""
        full = self._full_network(opener) if opener else None
        if full is not None:
            why = f"{full} has opened as many tables as one network may; finish or join one"
            raise RegistrationEnded(Refusal.SERVER_FULL, why)
        if self.closed:
            raise RegistrationEnded(Refusal.SERVER_FULL, self.closed)
        if self._is_full():
            self._make_room()

    def _full_network(self, opener: str) -> str | None:
        forming = (table for table in self.forming.values() if table.opened)
        parts = (self.sessions.by_network, self.sessions.awaited.by_network)
        unfinished: Iterable[OpenTable] = chain(forming, *(part.around(opener) for part in parts))
        return full_network(opener, unfinished, self.most_of_network)

    def _make_room(self) -> None:
        now, host = trio.current_time(), None
        if now >= self.look_at:
            self.look_at = now + LOOK_AFTER
            playing = [each for each in self.sessions.running if not each.is_closed]
            # Sooner than that its players may be on their way back, all at once after a restart.
            host = gives_way(playing, now - ROOM_AFTER)
        if host is None:
            raise RegistrationEnded(Refusal.SERVER_FULL)
        self.look_at = now
        host.end(FULL)

    # What is told of them

    def public(self) -> tuple[list[FormingTable], list[HostedTable]]:
        """Return the public tables that are listed, forming ones and those that play, each time
        those of many networks before many of one.
        """
        forming = (table for table in self.forming.values() if not table.private and table.opened)
        first = in_turn(forming, lambda table: table.opener)[:MAX_LISTED_TABLES]
        playing = (host for host in self.sessions.running if not host.session.private)
        most = MAX_LISTED_TABLES - len(first)
        return first, in_turn(playing, lambda host: host.session.opener)[:most]

    def listed(self, asked_at: FormingTable) -> list[ListedTable]:
        """Return tables as a list; the asker's own seat at ``asked_at`` counts as open."""
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
        setting.rules,
        setting.end_score,
        setting.limit,
        host.clients.names,
    )


def looked_at(told: TableMessage, open_seats: int) -> LookedTable:
    """Tell of a table to somebody who has not joined it; ``open_seats`` can be had now."""
    opener = "" if told.opener is None else told.names[told.opener]
    return LookedTable(
        told.game_number,
        told.private,
        open_seats,
        told.rules,
        told.end_score,
        told.turn_limit,
        opener,
        four(told.names),
    )
