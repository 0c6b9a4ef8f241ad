"""What is told of tables: the list of public ones (SocketSpec.md section 3.5), and one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hearts.hosting.hosted_table import HostedTable
from hearts.limits.tables import in_turn
from hearts.session.messages import MAX_LISTED_TABLES, ListedTable, LookedTable
from hearts.session.table_words import RulesInfo, TableMessage
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


def describe_forming(table: FormingTable, setting: Setting) -> TableMessage:
    names = table.player_names()
    return TableMessage(
        table.name,
        0,
        table.private,
        table.opener_player,
        names.count(""),
        table.milliseconds_left(),
        RulesInfo(setting.rules, setting.end_score),
        setting.turn_limit,
        names,
    )


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
    """The same for whoever has not joined it; ``open_seats`` are those that could be had now."""
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
