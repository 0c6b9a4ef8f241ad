"""The statements about sessions and packed hands, and how they are read back."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.hosting.store import Session
from hearts_server.journal.lines import PackedHand, UnreadableSession, lines_packed
from hearts_server.journal.reading import LoggedSession, assembled
from hearts_server.journal.rows import (
    COLUMNS,
    SessionRow,
    Value,
    read_hands,
    read_row,
    row_values,
)
from hearts_server.journal.store import StoredSession

from .connecting import Connection

SELECT = f"SELECT {', '.join(COLUMNS)}, checksum FROM sessions"
_INSERT = (
    f"INSERT INTO sessions (life, bytes, {', '.join(COLUMNS)}, checksum)"
    f" VALUES ({', '.join(['%s'] * (len(COLUMNS) + 3))}) ON CONFLICT DO NOTHING"
)
_UPDATE = (
    f"UPDATE sessions SET (bytes, {', '.join(COLUMNS)}, checksum)"
    f" = ROW({', '.join(['%s'] * (len(COLUMNS) + 2))})"
    " WHERE game_number = %s AND life = %s AND ended IS NULL"
)
_HAND_BYTES = 80
"""What a packed hand takes beside its lines."""
SESSION_BYTES = 500
"""What a session takes beside its hands."""


class NotOwn(Exception):
    """A session that is over, another's, or stored with something else; the text says which."""


def rows(connection: Connection, which: str, *values: object) -> list[Sequence[Value]]:
    """The columns and checksums of sessions; ``which`` is the end of the statement."""
    found: list[Sequence[Value]] = [*connection.execute(f"{SELECT} {which}", values)]
    return found


def load_row(connection: Connection, game_number: int) -> SessionRow:
    """The row of a session. Raises UnreadableSession."""
    found = rows(connection, "WHERE game_number = %s", game_number)
    if not found:
        raise UnreadableSession("there is no such session")
    return read_row(found[0])


def insert_session(connection: Connection, life: int, session: Session, *, again: bool) -> None:
    """Store a new session. Raises NotOwn for a number that is taken.

    ``again``: an earlier try may have stored it, whose answer was lost.
    """
    values = row_values(SessionRow.of(session))
    if connection.execute(_INSERT, (life, 0, *values)).rowcount:
        return
    found = rows(connection, "WHERE game_number = %s AND life = %s", session.game_number, life)
    if not (again and found and tuple(found[0]) == values):
        raise NotOwn("its number is taken")


def replace_row(connection: Connection, life: int, row: SessionRow, size: int = 0) -> None:
    """Store a row in place of the one of its number. Raises NotOwn."""
    values = (size, *row_values(row), row.game_number, life)
    if not connection.execute(_UPDATE, values).rowcount:
        raise NotOwn("the session is over, or another's")


def load_hands(connection: Connection, game_number: int) -> list[PackedHand]:
    """The packed hands of a session, in order. Raises UnreadableSession."""
    found = connection.execute(
        "SELECT first, count, lines, checksum FROM hands WHERE game_number = %s ORDER BY first",
        (game_number,),
    )
    return read_hands(game_number, found.fetchall())


def room_of(hands: Sequence[PackedHand]) -> int:
    """About how many bytes a session with these hands takes."""
    return SESSION_BYTES + sum(room_of_hand(hand.lines) for hand in hands)


def room_of_hand(lines: bytes) -> int:
    """About how many bytes a packed hand takes."""
    return _HAND_BYTES + len(lines)


def load_lines(connection: Connection, game_number: int) -> LoggedSession:
    """The lines of a session that are not packed."""
    found = LoggedSession()
    for number, line, checksum in connection.execute(
        "SELECT number, line, checksum FROM lines WHERE game_number = %s ORDER BY number",
        (game_number,),
    ):
        found.add(number, game_number, number, line, checksum)
    return found


def load_session(connection: Connection, game_number: int) -> tuple[StoredSession, int]:
    """A session, and how many of its lines are packed. Raises UnreadableSession."""
    row = load_row(connection, game_number)
    hands = load_hands(connection, game_number)
    logged = load_lines(connection, game_number)
    return assembled(row, hands, logged), lines_packed(hands)
