"""The list of public tables (SocketSpec.md section 3.5)."""

from __future__ import annotations

from collections.abc import Iterable

from hearts.hosting.hosted_table import HostedTable
from hearts.limits import in_turn
from hearts.session.messages import MAX_LISTED_TABLES, ListedTable

from .forming import FormingTable


def list_tables(
    forming: Iterable[FormingTable], playing: Iterable[HostedTable], asked_at: FormingTable
) -> list[ListedTable]:
    """The public tables, forming ones first, and each time those of many networks before many
    of one. The seat that the asker has at ``asked_at`` counts as open."""
    waiting = (table for table in forming if not table.private and table.opened)
    listed = [
        ListedTable(
            table.name, 0, len(table.free_seats) + (table is asked_at), table.player_names()
        )
        for table in in_turn(waiting, lambda table: table.opener)[:MAX_LISTED_TABLES]
    ]
    hosts = (host for host in playing if not host.session.private)
    listed += [
        ListedTable(
            host.session.table_name,
            host.game_number,
            len(host.rejoin.open_seats),
            host.clients.names,
        )
        for host in in_turn(hosts, lambda host: host.opener)[: MAX_LISTED_TABLES - len(listed)]
    ]
    return listed
