"""What is told of tables: the list of public ones (SocketSpec.md section 3.5), and one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hearts.hosting.hosted_table import HostedTable
from hearts.limits import in_turn
from hearts.session.messages import MAX_LISTED_TABLES, ListedTable, LookedTable
from hearts.session.table_words import RulesInfo, TableMessage
from hearts.table import Setting

from .forming import FormingTable
from .known_tables import KnownForming, KnownTable, known

Playing = HostedTable | KnownTable
"""A table that plays, here or elsewhere."""


def list_tables(
    forming: Iterable[FormingTable], playing: Iterable[Playing], asked_at: FormingTable
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
        ListedTable(table.name, table.game_number, table.open_seats, table.names)
        for table in map(_known, playing)
    ]
    return listed


def public_tables(
    forming: Iterable[FormingTable], playing: Iterable[Playing]
) -> tuple[list[FormingTable], list[Playing]]:
    """Those of them that are listed, each time those of many networks before many of one."""
    waiting = (table for table in forming if not table.private and table.opened)
    first = in_turn(waiting, lambda table: table.opener)[:MAX_LISTED_TABLES]
    public = (table for table in playing if not _is_private(table))
    return first, in_turn(public, lambda table: table.opener)[: MAX_LISTED_TABLES - len(first)]


def _known(table: Playing) -> KnownTable:
    return table if isinstance(table, KnownTable) else known(table)


def _is_private(table: Playing) -> bool:
    return table.private if isinstance(table, KnownTable) else table.session.private


SettingOf = Callable[[FormingTable], Setting]
"""What will be played at a table that forms."""


def describe_forming(table: KnownForming) -> TableMessage:
    """A table that forms."""
    free, left = table.names.count(""), table.left_ms
    return _described(table, 0, free, table.opener_player, left)


def describe_playing(playing: Playing) -> TableMessage:
    """A table that plays."""
    table = _known(playing)
    return _described(table, table.game_number, table.open_seats, None, None)


def _described(
    table: KnownForming | KnownTable,
    game_number: int,
    open_seats: int,
    opener: int | None,
    left: int | None,
) -> TableMessage:
    setting = table.setting
    return TableMessage(
        table.name,
        game_number,
        table.private,
        opener,
        open_seats,
        left,
        RulesInfo(setting.rules, setting.end_score),
        setting.turn_limit,
        table.names,
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
