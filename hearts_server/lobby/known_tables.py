"""Tables that play at other nodes, as the lobby and the list of tables need them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import trio
from msgspec import Struct
from msgspec.structs import replace

from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.registrar import BegunElsewhere
from hearts.hosting.store import Session, StoredSeat
from hearts.net import Link
from hearts.session.registration import ToPlaying
from hearts.session.table_words import PlayerInfo
from hearts.table import Kind, Setting

from .forming import FormingTable

Four = tuple[str, str, str, str]


class KnownTable(Struct, frozen=True):
    """A table that plays, as it is told to whoever does not play there."""

    game_number: int
    name: str
    private: bool
    opener: str
    """The network of whoever opened it; empty if it is not known."""
    setting: Setting
    names: Four
    """Of players 0-3."""
    networks: Four
    """Of the people who have seats 0-3, or had them last; empty for computers."""
    begun: int
    """Unix time in seconds."""
    open_seats: int = 0
    computers: int = 0
    """The players who are computers, as bits."""
    connected: int = 0
    """Those who are connected, as bits."""
    hand: int = 0
    """The hand of the game, from 1; 0 if it is not known."""
    watchers: int = 0

    @property
    def client_count(self) -> int:
        """The number of people who are connected."""
        return self.connected.bit_count()


class KnownForming(Struct, frozen=True):
    """A table that forms, as it is told to whoever is not there."""

    name: str
    private: bool
    opener: str
    """The network of whoever opened it."""
    setting: Setting
    names: Four
    """Of those who have registered for seats 0-3."""
    opener_player: int | None
    left_ms: int | None
    """Until computers take the free seats; None for never."""
    since: int
    """The Unix time in seconds at which it was opened."""


class KnownInvitable(Struct, frozen=True):
    """Somebody who waits to be invited, as he is told of to whoever is elsewhere."""

    number: int
    info: PlayerInfo


def known_forming(table: FormingTable, setting: Setting) -> KnownForming:
    """A table that forms here, for those who are elsewhere."""
    return KnownForming(
        table.name,
        table.private,
        table.opener,
        setting,
        table.player_names(),
        table.opener_player,
        table.milliseconds_left(),
        int(time.time() - (trio.current_time() - table.opened_at)),
    )


def known(host: HostedTable) -> KnownTable:
    """A table that plays here, for those who are elsewhere."""
    clients = host.clients
    connected = 0
    for player in range(4):
        client = clients.client(player)
        connected |= (client is not None and not client.link.ending) << player
    return replace(
        _known(host.session, clients.seats),
        open_seats=len(host.rejoin.open_seats),
        connected=connected,
        hand=host.table.game.progress[0],
        watchers=host.watchers.count,
    )


def known_session(session: Session) -> KnownTable:
    """The same of one that is stored, and that nobody has told of yet."""
    return _known(session, session.seats)


def _known(session: Session, seats: Sequence[StoredSeat]) -> KnownTable:
    a, b, c, d = (seat.name for seat in seats)
    e, f, g, h = (seat.network for seat in seats)
    return KnownTable(
        session.game_number,
        session.table_name,
        session.private,
        session.opener,
        session.setting,
        (a, b, c, d),
        (e, f, g, h),
        session.begun,
        computers=sum(1 << n for n, seat in enumerate(seats) if seat.kind is Kind.COMPUTER),
    )


class OtherTables(Protocol):
    """Knows the tables that play and are not tables of this lobby, as those of other nodes."""

    def __iter__(self) -> Iterator[KnownTable]:
        """All of them."""

    def __len__(self) -> int: ...

    def named(self, name: str) -> KnownTable | None:
        """The one of this name."""

    def numbered(self, game_number: int) -> KnownTable | None:
        """The one that plays this game."""

    @property
    def forming(self) -> Sequence[KnownForming]:
        """Tables that form at another node."""

    @property
    def invitable(self) -> Sequence[KnownInvitable]:
        """Those who wait there to be invited."""


class NoOtherTables:
    """There are none: this server has all tables."""

    def __iter__(self) -> Iterator[KnownTable]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def named(self, _name: str) -> None:
        return None

    def numbered(self, _game_number: int) -> None:
        return None

    @property
    def forming(self) -> Sequence[KnownForming]:
        return ()

    @property
    def invitable(self) -> Sequence[KnownInvitable]:
        return ()


class LedElsewhere(Exception):
    """A client that registers has asked for a table that another part of the club plays."""

    def __init__(self, game_number: int, item: ToPlaying) -> None:
        """``item`` is what it has asked with, which has no reply yet."""
        super().__init__(f"game {game_number}")
        self.game_number = game_number
        self.item = item


Lead = Callable[[Link, int, BegunElsewhere], None]
"""Ends the connection of a client, and leads it to whoever plays a game, by its number."""


class ClubPart(Struct, frozen=True):
    """The parts that are otherwise in the server of a node."""

    tables: OtherTables
    """All tables that play."""
    place: Callable[[FormingTable], None]
    """Has a complete table played by some node."""
    lead: Lead
    """Leads a client to whoever plays its game."""
    make_room: Callable[[], bool]
    """Has a table end that nobody plays at; whether there is one."""
