"""The rows of sessions and of their packed hands in the file of the journal."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from hearts.hosting.store import Session, StoredSeat

from .lines import PackedHand, UnreadableSession
from .rows import (
    COLUMNS,
    SessionRow,
    Value,
    changed_seat,
    ended_row,
    read_hands,
    read_row,
    row_values,
)

SELECT = f"SELECT {', '.join(COLUMNS)}, checksum FROM sessions"
"""The columns of sessions and their checksums."""
_INSERT = (
    f"INTO sessions ({', '.join(COLUMNS)}, checksum) VALUES ({', '.join('?' * (len(COLUMNS) + 1))})"
)
_INSERT_HAND = (
    "INSERT INTO hands (game_number, first, count, lines, checksum) VALUES (?, ?, ?, ?, ?)"
)
_SELECT_HANDS = (
    "SELECT first, count, lines, checksum FROM hands WHERE game_number = ? ORDER BY first"
)


def rows(connection: sqlite3.Connection, which: str, *values: Value) -> list[Sequence[Value]]:
    """The columns and checksums of sessions; ``which`` is the end of the statement."""
    return connection.execute(f"{SELECT} {which}", values).fetchall()


def load_row(connection: sqlite3.Connection, game_number: int) -> SessionRow:
    """The row of a session. Raises UnreadableSession."""
    found = rows(connection, "WHERE game_number = ?", game_number)
    if not found:
        raise UnreadableSession("there is no such session")
    return read_row(found[0])


def insert_session(connection: sqlite3.Connection, session: Session) -> None:
    """Store a new session."""
    connection.execute(f"INSERT {_INSERT}", row_values(SessionRow.of(session)))


def _replace_row(connection: sqlite3.Connection, row: SessionRow) -> None:
    connection.execute(f"REPLACE {_INSERT}", row_values(row))


def change_seat(
    connection: sqlite3.Connection, game_number: int, player: int, seat: StoredSeat
) -> None:
    """Store what is new of a seat beside whose it is. Raises UnreadableSession."""
    _replace_row(connection, changed_seat(load_row(connection, game_number), player, seat))


def end_session(connection: sqlite3.Connection, game_number: int, ended: int, why: str) -> None:
    """Store that a session is over, all of whose lines are packed. Raises UnreadableSession."""
    row = load_row(connection, game_number)
    hands = load_hands(connection, game_number)
    _replace_row(connection, ended_row(row, hands, ended, why))


# The packed hands of a session


def insert_hand(connection: sqlite3.Connection, game_number: int, hand: PackedHand) -> None:
    """Store a packed hand."""
    values = (game_number, hand.first, hand.count, hand.lines, hand.checksum(game_number))
    connection.execute(_INSERT_HAND, values)


def load_hands(connection: sqlite3.Connection, game_number: int) -> list[PackedHand]:
    """The packed hands of a session, in order. Raises UnreadableSession."""
    return read_hands(game_number, connection.execute(_SELECT_HANDS, (game_number,)).fetchall())
