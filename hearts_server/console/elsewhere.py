"""Tables that other nodes have, as the host sees them at the console of this one."""

from __future__ import annotations

from hearts_server.console_protocol import SeatKind, SeatLine, TableLine, TableStage
from hearts_server.lobby.known_tables import KnownForming, KnownTable


def listed_elsewhere(table: KnownTable) -> TableLine:
    """A table that another node plays."""
    a, b, c, d = (_seat(table, player) for player in range(4))
    return TableLine(
        table.name,
        TableStage.PLAYING if table.connected else TableStage.PAUSED,
        table.private,
        table.begun,
        (a, b, c, d),
        table.game_number,
        table.hand,
        watchers=table.watchers,
    )


def _seat(table: KnownTable, player: int) -> SeatLine:
    if table.computers >> player & 1:
        return SeatLine(player, SeatKind.COMPUTER, table.names[player])
    is_here = bool(table.connected >> player & 1)
    return SeatLine(player, SeatKind.PERSON, table.names[player], connected=is_here)


def listed_forming_elsewhere(table: KnownForming) -> TableLine:
    """A table that forms at another node."""
    a, b, c, d = (
        SeatLine(player, SeatKind.PERSON if name else SeatKind.NOBODY, name, connected=bool(name))
        for player, name in enumerate(table.names)
    )
    return TableLine(table.name, TableStage.FORMING, table.private, table.since, (a, b, c, d))
