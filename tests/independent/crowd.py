"""Many independent clients in one process, each on a thread: each plays a session of its own.

    python -m tests.independent.crowd PORT TABLES CLIENTS-PER-TABLE END-SCORE

The tables are private ones. It ends with status 0 if every session ended as it should.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from tests.independent.plain_client import ClientHabits, play


def members(tables: int, clients: int, end: int) -> Iterator[ClientHabits]:
    computers = sum(1 << player for player in range(clients, 4))
    for seed in range(tables * clients):
        table, seat = divmod(seed, clients)
        yield ClientHabits(
            name=f"{table}-{seat}",
            process_id=table,
            table=f"crowd {clients}-{table}",
            options=(1 << 4 | computers, end, 0),
            seed=4 * table + seat,
        )


def main(port: int, tables: int, clients: int, end: int) -> int:
    """Let them all play; how many have not come to the end of a game."""
    with ThreadPoolExecutor(tables * clients) as threads:
        sessions = threads.map(partial(play, "127.0.0.1", port), members(tables, clients, end))
        endings = [[fact.kind for fact in session.facts[-2:]] for session in sessions]
    return sum(ending != ["new game", "end"] for ending in endings)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
