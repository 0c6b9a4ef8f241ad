"""``hearts-server cluster``: the nodes that share a store, and the copies of its database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.json import encode

from hearts.settings.table import CommandParser
from hearts_server.config import psycopg_wanted
from hearts_server.given_settings import add_store

from .session_list import table_lines

if TYPE_CHECKING:
    from hearts_server.postgres.nodes import NodesState

_COLUMNS = ("node", "life", "role", "last beat", "lease", "tables", "version", "address")


def main(arguments: Sequence[str]) -> int:
    parser = CommandParser(
        prog="hearts-server cluster",
        description="Show the nodes that share a store: which of them plays, how long ago each has "
        "beaten, for how long it may tell what is not stored, how many tables it has, how many "
        "tables wait for a node, and how far copies of the database are behind.",
        epilog="A node is live until another one has ended its life, 2.5 s after its last beat. "
        "Exit status: 0 one node plays, 1 none does or its lease is over, 2 the database cannot be "
        "read.",
    )
    parser.add_argument(
        "what",
        nargs="?",
        choices=["show", "take-over"],
        default="show",
        help="'take-over' ends the life of the node that plays, for one that stands by (default: "
        "%(default)s)",
    )
    add_store(parser, "the --store of the nodes", required=True)
    parser.add_argument("--json", action="store_true", help="show it for a program")
    given = parser.parse_args(arguments)
    with psycopg_wanted():
        from hearts_server.postgres.nodes import end_active, read_nodes
    if given.what == "take-over":
        print(f"node {end_active(given.store)} plays")
        return 0
    state = read_nodes(given.store)
    print(encode(state).decode() if given.json else "\n".join(_lines(state)))
    return 0 if any(node.plays and node.lease for node in state.nodes) else 1


def _lines(state: NodesState) -> Iterator[str]:
    if state.nodes:
        yield from table_lines(_nodes(state))
    else:
        yield "no node is live"
    if state.left_tables:
        yield f"tables that wait for a node to go on with them: {state.left_tables}"
    if state.waits_for:
        yield f"a silent node cannot be ended: its rows are held by {state.waits_for}"
    for copy in state.copies:
        lag = "not behind" if copy.seconds is None else f"{copy.seconds:.1f} s behind"
        yield f"copy of the database {copy.name}: {copy.how}, {lag}"


def _nodes(state: NodesState) -> Iterator[Sequence[str]]:
    yield _COLUMNS
    for node in state.nodes:
        yield (
            node.name,
            str(node.life),
            "plays" if node.plays else "stands by",
            f"{node.seconds:.1f} s ago",
            f"{node.lease:.1f} s left" if node.lease else "over",
            str(node.tables),
            node.program,
            node.address,
        )
