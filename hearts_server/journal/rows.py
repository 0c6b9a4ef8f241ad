"""Sessions as rows and rows as sessions again, with the statements about them.

The statements are the same for each database, but for what is a method of :class:`StoreTables`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from hearts.game.rules import parse_rules
from hearts.hosting.store import Session, StoredSeat
from hearts.table.inputs import Setting

from .lines import (
    PackedHand,
    StoredLines,
    UnpackedLines,
    UnreadableSession,
    checksum,
    games_and_hands,
    line_checksum,
)
from .store import StoredLine, StoredSession

Value = str | int | float | bytes | None
Row = tuple[Any, ...]

_HAND_BYTES = 80
"""The room that a packed hand takes beside its lines."""
_SESSION_BYTES = 500
"""The room that a session takes beside its hands."""


class NotOwn(Exception):
    """A session that is over, another's, or stored with something else; the text says which."""


class StoreTables(Protocol):
    """The tables of a store, over a connection that one thread at a time uses."""

    life: int
    """The life that stores; 0 in a file, and for a program that only reads or deletes."""

    def rows(self, statement: str, *values: Value) -> list[Row]:
        """Do a statement, which has ``?`` for each value; its rows."""

    def change(self, statement: str, *values: Value) -> int:
        """Do a statement; return the number of rows it has changed."""

    def change_all(self, statement: str, rows: Iterable[Sequence[Value]]) -> None:
        """Do a statement for each of some rows of values."""

    def has_table(self, name: str) -> bool:
        """Tell whether there is a table of this name."""

    def transaction(self) -> AbstractContextManager[object]:
        """Do all of the block or nothing, and nothing if the life is over."""

    def append(self, lines: Sequence[StoredLine]) -> None:
        """Store lines. Up to ROWS_AT_ONCE are stored all or none, even without a transaction."""

    def size(self) -> int:
        """Compute how many bytes are stored."""

    def give_back(self) -> bool:
        """Give a little of the free room back to the disk; True if there is more."""

    def wipe(self) -> bool:
        """Leave nothing of what was replaced or deleted; False if somebody still reads it."""

    def connected(self) -> AbstractContextManager[bool]:
        """Make the connection again if it is broken, and tell whether it was.

        In the block an error of the database is StoreTrouble if it may pass, whatever became of a
        commit. Raises Fenced besides.
        """

    def clear_errors(self) -> AbstractContextManager[None]:
        """Raise ConfigError or TryLater, saying what to do, for an error of the database."""

    def close(self) -> None:
        """Let go of the database."""


ROWS_AT_ONCE = 64
"""Lines that one statement stores at most."""


_decode_seats = msgspec.json.Decoder(tuple[StoredSeat, StoredSeat, StoredSeat, StoredSeat]).decode


class SessionRow(Struct, frozen=True):
    """A row of the table ``sessions``, whose columns fit its checksum."""

    game_number: int
    table_name: str
    private: int
    rules: str
    end_score: int
    turn_limit: int
    grace: float
    pause_limit: float
    begun: int
    opener: str
    seats: str
    ended: int | None = None
    why: str = ""
    games: int = 0
    hands: int = 0
    lines: int = 0
    bytes: int = 0

    @classmethod
    def of(cls, session: Session) -> SessionRow:
        """Return the row of a session that begins."""
        setting = session.setting
        return cls(
            session.game_number,
            session.table_name,
            int(session.private),
            str(setting.rules),
            setting.end_score,
            setting.turn_limit,
            float(setting.grace),
            float(setting.pause_limit),
            session.begun,
            session.opener,
            _encode_seats(session.seats),
        )

    def session(self) -> Session:
        """Return the session that it is of. Raises UnreadableSession for rules that nobody
        knows.
        """
        try:
            seats = _decode_seats(self.seats)
            setting = Setting(
                parse_rules(self.rules),
                self.end_score,
                self.turn_limit,
                self.grace,
                self.pause_limit,
                not self.private,
            )
        except (ValueError, msgspec.ValidationError) as error:
            raise UnreadableSession(str(error)) from None
        return Session(
            self.game_number,
            self.table_name,
            bool(self.private),
            setting,
            seats,
            self.begun,
            self.opener,
        )


def _encode_seats(seats: Sequence[StoredSeat]) -> str:
    return msgspec.json.encode(seats).decode()


COLUMNS = SessionRow.__struct_fields__
"""The columns of the table ``sessions`` that its checksum covers; the checksum comes after them."""
_COLUMNS_AS_TEXT = " ".join(["%s"] * len(COLUMNS))
_NAMES = f"{', '.join(COLUMNS)}, checksum"
_MARKS = ", ".join("?" * (len(COLUMNS) + 1))
_INSERT = f"INSERT INTO sessions ({_NAMES}, life) VALUES ({_MARKS}, ?) ON CONFLICT DO NOTHING"
_CHANGE = f"UPDATE sessions SET ({_NAMES}) = ({_MARKS}) WHERE game_number = ?"
_REPLACE = f"{_CHANGE} AND life = ? AND ended IS NULL"


def read_row(values: Sequence[Value]) -> SessionRow:
    """Read columns and their checksum. Raises UnreadableSession if that does not fit."""
    columns = tuple(values[:-1])
    if _checksum(columns) != values[-1]:
        raise UnreadableSession("its row in the table of sessions does not fit its checksum")
    return SessionRow(*columns)  # type: ignore[arg-type]


def _checksum(columns: tuple[Value, ...]) -> int:
    # At once, for a list may have a hundred thousand rows.
    return checksum(_COLUMNS_AS_TEXT % columns)


def _values(row: SessionRow) -> tuple[Value, ...]:
    columns = msgspec.structs.astuple(row)
    return (*columns, _checksum(columns))


# Sessions


def session_rows(tables: StoreTables, which: str, *values: Value) -> list[Row]:
    """Read the columns and checksums of sessions; ``which`` is the end of the statement."""
    return tables.rows(f"SELECT {_NAMES} FROM sessions {which}", *values)


def _load_row(tables: StoreTables, game_number: int) -> SessionRow:
    found = session_rows(tables, "WHERE game_number = ?", game_number)
    if not found:
        raise UnreadableSession("there is no such session")
    return read_row(found[0])


def insert_session(tables: StoreTables, session: Session, *, again: bool = False) -> None:
    """Store a new session. Raises NotOwn for a number that is taken.

    ``again``: an earlier try may have stored it, but its answer was lost.
    """
    values = _values(SessionRow.of(session))
    if tables.change(_INSERT, *values, tables.life):
        return
    which = "WHERE game_number = ? AND life = ?"
    if not again or session_rows(tables, which, session.game_number, tables.life) != [values]:
        raise NotOwn("its number is taken")


def _replace_row(tables: StoreTables, row: SessionRow) -> None:
    if not tables.change(_REPLACE, *_values(row), row.game_number, tables.life):
        raise NotOwn("the session is over, or another's")


def change_seat(tables: StoreTables, game_number: int, player: int, seat: StoredSeat) -> None:
    """Store the new network and text of a seat. Raises UnreadableSession or NotOwn."""
    row = _load_row(tables, game_number)
    seats = list(row.session().seats)
    seats[player] = msgspec.structs.replace(seats[player], network=seat.network, said=seat.said)
    _replace_row(tables, msgspec.structs.replace(row, seats=_encode_seats(seats)))


def end_session(tables: StoreTables, game_number: int, ended: int, why: str) -> None:
    """Store that a session is over; all its lines are packed already.

    Raises UnreadableSession or NotOwn.
    """
    row = _load_row(tables, game_number)
    if (row.ended, row.why) == (ended, why):
        # An earlier try did it, whose answer was lost.
        return
    hands = load_hands(tables, game_number)
    lines = StoredLines(hands, ())
    games, dealt = games_and_hands(lines)
    over = msgspec.structs.replace(
        row, ended=ended, why=why, games=games, hands=dealt, lines=len(lines), bytes=_size(hands)
    )
    _replace_row(tables, over)


def _size(hands: Iterable[PackedHand]) -> int:
    return _SESSION_BYTES + sum(_HAND_BYTES + len(hand.lines) for hand in hands)


def change_ended(
    tables: StoreTables, row: SessionRow, session: Session, hands: Sequence[PackedHand]
) -> None:
    """Store other seats, another opener and other lines of a session that has ended."""
    of = SessionRow.of(session)
    changed = msgspec.structs.replace(row, seats=of.seats, opener=of.opener, bytes=_size(hands))
    with tables.transaction():
        tables.change(_CHANGE, *_values(changed), row.game_number)
        tables.change_all(
            "UPDATE hands SET lines = ?, checksum = ? WHERE game_number = ? AND first = ?",
            [(h.lines, h.checksum(row.game_number), row.game_number, h.first) for h in hands],
        )


# Their lines


def pack(tables: StoreTables, hands: Sequence[tuple[int, PackedHand]]) -> None:
    """Store hands of sessions, in place of their lines; if they are there, do nothing."""
    if hands:
        tables.change_all(
            "INSERT INTO hands (game_number, first, count, lines, checksum) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            [(n, hand.first, hand.count, hand.lines, hand.checksum(n)) for n, hand in hands],
        )
        tables.change_all(
            "DELETE FROM lines WHERE game_number = ? AND number >= ? AND number < ?",
            [(n, hand.first, hand.first + hand.count) for n, hand in hands],
        )


def load_hands(tables: StoreTables, game_number: int) -> list[PackedHand]:
    """Read the packed hands of a session, in order. Raises UnreadableSession."""
    hands: list[PackedHand] = []
    following = 0
    for first, count, lines, stored in tables.rows(
        "SELECT first, count, lines, checksum FROM hands WHERE game_number = ? ORDER BY first",
        game_number,
    ):
        if first != following:
            raise UnreadableSession(f"its line {following} is missing")
        hand = PackedHand(first, count, lines)
        if not isinstance(lines, bytes) or hand.checksum(game_number) != stored:
            raise UnreadableSession(f"its lines from {first} on do not fit their checksum")
        hands.append(hand)
        following += hand.count
    return hands


def _load_unpacked(tables: StoreTables, game_number: int, first: int) -> UnpackedLines:
    """Read the lines of a session that are not packed, from the number ``first`` on."""
    found = UnpackedLines(first)
    for number, line, stored in tables.rows(
        "SELECT number, line, checksum FROM lines WHERE game_number = ? AND number >= ?"
        " ORDER BY number",
        *(game_number, first),
    ):
        if number != found.following:
            raise UnreadableSession(f"its line {found.following} is missing")
        if not isinstance(line, str) or line_checksum(game_number, number, line) != stored:
            raise UnreadableSession(f"its line {number} does not fit its checksum")
        found.add(line)
    return found


def load_session(tables: StoreTables, game_number: int) -> tuple[StoredSession, UnpackedLines]:
    """Read a session, and those of its lines that are not packed. Raises UnreadableSession.

    Packed hands are unpacked when they are asked for.
    """
    row = _load_row(tables, game_number)
    hands = load_hands(tables, game_number)
    latest = UnpackedLines(check_whole(row, hands))
    if row.ended is None:
        latest = _load_unpacked(tables, game_number, latest.first)
    lines = StoredLines(hands, latest.lines)
    return StoredSession(row.session(), lines, row.ended, row.why), latest


def check_whole(row: SessionRow, hands: Iterable[PackedHand]) -> int:
    """Count the lines of hands. Raises UnreadableSession if the session has ended with others."""
    packed = sum(hand.count for hand in hands)
    if row.ended is not None and packed != row.lines:
        raise UnreadableSession(f"it has {packed} of its {row.lines} lines")
    return packed


def game_numbers(tables: StoreTables, which: str, *values: Value) -> list[int]:
    """Read the numbers of sessions; ``which`` is the end of the statement."""
    found = tables.rows(f"SELECT game_number FROM sessions {which}", *values)
    return [number for (number,) in found]


def highest_number(tables: StoreTables) -> int:
    """Read the highest number that a session has; 0 without any."""
    ((highest,),) = tables.rows("SELECT coalesce(max(game_number), 0) FROM sessions")
    return int(highest)


def among(numbers: Iterable[int]) -> str:
    """Return the condition that a session has one of some numbers."""
    return f"game_number IN ({', '.join(map(str, numbers))})"
