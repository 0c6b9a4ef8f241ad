"""Sessions put into a journal's file without being played, for tests of many."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

from hearts_server.journal.lines import PackedHand
from hearts_server.journal.opening import connect, open_database
from hearts_server.journal.rows import StoreTables, end_session, insert_session, pack
from hearts_server.journal.sqlite import SqliteTables

from .desk import session

LINES_A_HAND = 53


def tables_in(path: Path) -> SqliteTables:
    return SqliteTables(open_database(path), path)


def insert_finished(tables: StoreTables, number: int, hands: int, ended: int | None) -> None:
    """A session of so many hands that ended at a time, or goes on; as the journal packs them."""
    chance = random.Random(number)
    insert_session(tables, session(number))
    for hand in range(hands):
        # Lines that are as hard to pack as cards in any order.
        plays = [f"play {n % 4} {chance.randbytes(1).hex()}" for n in range(LINES_A_HAND - 1)]
        lines = [f"deal {chance.randbytes(16).hex()}", *plays]
        pack(tables, [(number, PackedHand.of(hand * LINES_A_HAND, lines))])
    if ended is not None:
        end_session(tables, number, ended, "the players are done")


def sessions_in(path: Path) -> list[int]:
    with contextlib.closing(connect(path, "mode=ro")) as reader:
        rows = reader.execute("SELECT game_number FROM sessions ORDER BY 1").fetchall()
    return [number for (number,) in rows]
