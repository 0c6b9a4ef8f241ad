"""What is told of tables: the list of public ones (SocketSpec.md section 3.5), and one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.table_requests import Message, invitation_told, table_told
from hearts.limits import in_turn
from hearts.session.messages import MAX_LISTED_TABLES, ListedTable, LookedTable
from hearts.table import Setting

from .forming import FormingTable


def list_tables(
    forming: Iterable[FormingTable], playing: Iterable[HostedTable], asked_at: FormingTable
) -> list[ListedTable]:
    """The public tables, forming ones first, and each time those of many networks before many
    of one. The seat that the asker has at ``asked_at`` counts as open."""
    forming, playing = public_tables(forming, playing)
    listed = [
        ListedTable(
            table.name, 0, len(table.free_seats) + (table is asked_at), table.player_names()
        )
        for table in forming
    ]
    listed += [
        ListedTable(
            host.session.table_name,
            host.game_number,
            len(host.rejoin.open_seats),
            host.clients.names,
        )
        for host in playing
    ]
    return listed


def public_tables(
    forming: Iterable[FormingTable], playing: Iterable[HostedTable]
) -> tuple[list[FormingTable], list[HostedTable]]:
    """Those of them that are listed, each time those of many networks before many of one."""
    waiting = (table for table in forming if not table.private and table.opened)
    first = in_turn(waiting, lambda table: table.opener)[:MAX_LISTED_TABLES]
    public = (host for host in playing if not host.session.private)
    most = MAX_LISTED_TABLES - len(first)
    return first, in_turn(public, lambda host: host.session.opener)[:most]


SettingOf = Callable[[FormingTable], Setting]
"""What will be played at a table that forms."""


def describe_forming(table: FormingTable, setting: Setting) -> Message:
    """A table that forms."""
    names = table.player_names()
    return table_told(
        table.name,
        setting,
        names,
        private=table.private,
        open_seats=names.count(""),
        opener=table.opener_player,
        left_ms=table.milliseconds_left(),
    )


def invitation_to(table: FormingTable, setting: Setting, inviter: int, left_ms: int) -> Message:
    """The query for somebody who is invited to a table that forms."""
    return invitation_told(
        table.name,
        setting,
        table.player_names(),
        private=table.private,
        inviter=inviter,
        left_ms=left_ms,
    )


def describe_playing(host: HostedTable) -> Message:
    """A table that plays."""
    session = host.session
    return table_told(
        session.table_name,
        session.setting,
        host.clients.names,
        private=session.private,
        open_seats=len(host.rejoin.open_seats),
        game_number=host.game_number,
    )


def look_at_forming(table: FormingTable, setting: Setting) -> LookedTable:
    """A table that forms, for whoever has not joined it yet."""
    names = table.player_names()
    opener = "" if table.opener_player is None else names[table.opener_player]
    return _looked(setting, names, 0, table.private, len(table.free_seats), opener)


def look_at_playing(host: HostedTable) -> LookedTable:
    """A table that plays, for whoever has not joined it."""
    session = host.session
    open_seats = len(host.rejoin.open_seats)
    names, number = host.clients.names, host.game_number
    return _looked(session.setting, names, number, session.private, open_seats, "")


def _looked(
    setting: Setting,
    names: tuple[str, str, str, str],
    game_number: int,
    private: bool,
    open_seats: int,
    opener: str,
) -> LookedTable:
    return LookedTable(
        game_number,
        private,
        open_seats,
        setting.rules,
        setting.end_score,
        setting.turn_limit,
        opener,
        names,
    )
