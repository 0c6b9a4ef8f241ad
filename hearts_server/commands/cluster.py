"""``hearts-server cluster``: the nodes that share a store, and the standbys of its database."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hearts.errors import HeartsError
from hearts.settings.table import CommandParser
from hearts_server import setting_values
from hearts_server.cluster.membership import LEASE

from .stores import psycopg_wanted

if TYPE_CHECKING:
    from hearts_server.postgres.club import ClubState

_COLUMNS = ("node", "life", "lobby", "last beat", "lease", "tables", "version", "address")


def main(arguments: Sequence[str]) -> int:
    """Run ``hearts-server cluster`` with these words; gives the exit status."""
    parser = CommandParser(
        prog="hearts-server cluster",
        description="Show the nodes that share a store: which of them is the lobby, how long ago "
        "each has beaten, for how long it may tell what is not stored, how many tables it has, how "
        "many tables wait for a node, and how far the standbys of the database are behind.",
        epilog="A node is live until another one has ended its life, 2.5 s after its last beat. "
        "Exit status: 0 one node is the lobby, 1 none is, 2 the database cannot be read.",
    )
    parser.add_argument(
        "--store",
        metavar="URL",
        type=setting_values.store,
        required=True,
        help="the --store of the nodes: postgresql://USER@HOST/DATABASE",
    )
    try:
        given = parser.parse_args(arguments)
        with psycopg_wanted():
            from hearts_server.postgres.club import read_club
        club = read_club(given.store)
    except HeartsError as error:
        print(f"hearts-server cluster: {error}", file=sys.stderr)
        return 2
    for line in _lines(club):
        print(line)
    return 0 if any(node.is_lobby for node in club.nodes) else 1


def _lines(club: ClubState) -> Iterator[str]:
    if club.nodes:
        yield from _nodes(club)
    else:
        yield "no node is live"
    if club.left_tables:
        yield f"tables that wait for a node to go on with them: {club.left_tables}"
    for standby in club.standbys:
        lag = "not behind" if standby.seconds is None else f"{standby.seconds:.1f} s behind"
        yield f"standby {standby.name}: {standby.how}, {lag}"


def _nodes(club: ClubState) -> Iterator[str]:
    rows = [
        _COLUMNS,
        *(
            (
                node.name,
                str(node.life),
                "lobby" if node.is_lobby else "-",
                f"{node.seconds:.1f} s ago",
                f"{LEASE - node.seconds:.1f} s left" if node.seconds < LEASE else "over",
                str(node.tables),
                node.program,
                node.address,
            )
            for node in club.nodes
        ),
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, strict=True)
        yield "  ".join(cell.ljust(width) for cell, width in cells).rstrip()
