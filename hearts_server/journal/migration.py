"""From the files of older versions of hearts-server to that of this one.

Versions 1 and 2 had a row for each line, whether its hand was over or not, and one for each seat.
Version 3 had no place for what players say of themselves, and version 4 no line for somebody whom
the host has removed. The new file is built beside the old
one, so a server that is killed meanwhile begins again.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator, Sequence
from math import isnan

import msgspec
from msgspec.structs import replace

from hearts.game.rules import END_SCORES, parse_rules
from hearts.hosting.store import Session, StoredSeat
from hearts.net.logline import EventLog
from hearts.table import Kind, Setting
from hearts.wire.codec import INT_MAX, INT_MIN
from hearts.wire.text import is_printable

from .lines import PackedHand, UnreadableSession, split_hands
from .rows import Value, encode_seats, read_row
from .sessions import (
    SELECT,
    end_session,
    insert_hand,
    insert_session,
    insert_unreadable,
    replace_row,
)

log = EventLog(__name__)

REPORT_EVERY = 2.0
"""Seconds between two lines of the log about how far it is."""
_SESSIONS_AT_ONCE = 200
_LAST_SECOND = 1 << 36

_SESSIONS = (
    "SELECT game_number, table_name, private, rules, end_score, turn_limit, grace, pause_limit,"
    " begun, ended, why, {opener} FROM sessions WHERE game_number > ? ORDER BY game_number LIMIT ?"
)
_SEATS = (
    "SELECT player, name, kind, process_id, {network} FROM seats WHERE game_number = ?"
    " ORDER BY player"
)
# In one text for each session: to fetch fifty million lines one by one would take minutes.
_LINES = (
    "SELECT count(*), coalesce(min(number), 0), coalesce(max(number), -1),"
    " total(typeof(line) <> 'text'), group_concat(line, char(10))"
    " FROM (SELECT number, line FROM steps WHERE game_number = ? ORDER BY number)"
)
_RAW_LINES = "SELECT line FROM steps WHERE game_number = ? ORDER BY number"
_SESSIONS_3 = f"{SELECT} WHERE game_number > ? ORDER BY game_number LIMIT ?"
_Seat3 = tuple[str, Kind, int, str]
_decode_seats_3 = msgspec.json.Decoder(tuple[_Seat3, _Seat3, _Seat3, _Seat3]).decode


def migrate(old: sqlite3.Connection, version: int, new: sqlite3.Connection) -> None:
    """Copy a journal of an older version into an empty one. Raises sqlite3.Error."""
    (count,) = old.execute("SELECT count(*) FROM sessions").fetchone()
    reported = began = time.monotonic()
    copied = _copied_whole(old, new, version) if version >= 3 else _copied(old, new, version)
    for done, _ in enumerate(copied, 1):
        if time.monotonic() - reported >= REPORT_EVERY:
            reported = time.monotonic()
            log.info("journal-migrating", sessions=done, of=count)
    if count:
        log.info("journal-migrated", sessions=count, seconds=time.monotonic() - began)


def _copied_whole(old: sqlite3.Connection, new: sqlite3.Connection, version: int) -> Iterator[None]:
    """Copy a file page by page, and change the sessions of version 3 one by one."""
    # So what is damaged stays as it is, and is found by whoever looks for it.
    old.backup(new)
    # The mode is copied as well, and a log would take room.
    new.execute("PRAGMA journal_mode=OFF")
    new.execute("BEGIN")
    for values in _in_turn(new, _SESSIONS_3) if version == 3 else ():
        with contextlib.suppress(UnreadableSession, msgspec.ValidationError):
            row = read_row(values)
            if row.seats:
                seats = [StoredSeat(*seat) for seat in _decode_seats_3(row.seats)]
                replace_row(new, replace(row, seats=encode_seats(seats)))
        yield
    new.execute("COMMIT")


def _copied(old: sqlite3.Connection, new: sqlite3.Connection, version: int) -> Iterator[None]:
    """Copy the sessions of a file of version 1 or 2 one by one."""
    known = version >= 2
    sessions = _SESSIONS.format(opener="opener" if known else "''")
    seats = _SEATS.format(network="network" if known else "''")
    new.execute("BEGIN")
    for row in _in_turn(old, sessions):
        _copy(old, new, row, old.execute(seats, row[:1]).fetchall())
        yield
    new.execute("COMMIT")


def _in_turn(old: sqlite3.Connection, statement: str) -> Iterator[Sequence[Value]]:
    after: Value = -(1 << 62)
    while rows := old.execute(statement, (after, _SESSIONS_AT_ONCE)).fetchall():
        yield from rows
        after = rows[-1][0]


def _copy(
    old: sqlite3.Connection,
    new: sqlite3.Connection,
    row: Sequence[Value],
    seats: Sequence[Sequence[Value]],
) -> None:
    game_number, ended, why = row[0], row[9], row[10]
    assert isinstance(game_number, int)
    try:
        session = _session(row, seats)
        text = _lines(old, game_number)
        if ended is not None:
            ended = _whole("ended", ended, 0, _LAST_SECOND)
        why = _text("why", why)
    except ValueError as error:
        log.error("session-unreadable", game=game_number, why=str(error))
        found = old.execute(_RAW_LINES, (game_number,)).fetchall()
        text = "\n".join(str(line).replace("\n", " ") for (line,) in found)
        _pack(new, game_number, text)
        count = len(found)
        insert_unreadable(new, game_number, str(error), is_over=ended is not None, lines=count)
        return
    insert_session(new, session)
    _pack(new, game_number, text)
    if ended is not None:
        end_session(new, game_number, ended, why)


def _pack(new: sqlite3.Connection, game_number: int, text: str) -> None:
    # The hand that is played, or was the last one, is a row as well: what is packed may end
    # anywhere, and the lines that come behind it go into the log.
    first = 0
    for hand in split_hands(text):
        packed = PackedHand.of_text(first, hand)
        insert_hand(new, game_number, packed)
        first += packed.count


def _lines(old: sqlite3.Connection, game_number: int) -> str:
    """The lines of a session, with line breaks between them. Raises ValueError."""
    count, first, last, others, text = old.execute(_LINES, (game_number,)).fetchone()
    if first != 0 or last != count - 1:
        raise ValueError("its lines are not numbered from 0 without a gap")
    text = text or ""
    is_whole = not count or text.count("\n") == count - 1
    if others or not is_whole or not is_printable(text.replace("\n", "")):
        raise ValueError("line is no text")
    return str(text)


def _session(row: Sequence[Value], seats: Sequence[Sequence[Value]]) -> Session:
    number, name, private, rules, end_score, turn_limit, grace, pause_limit, begun = row[:9]
    if [player for player, *_ in seats] != [0, 1, 2, 3]:
        raise ValueError("it has not the seats 0 to 3")
    a, b, c, d = (_seat(*seat) for seat in seats)
    setting = Setting(
        parse_rules(_text("rules", rules)),
        _whole("end_score", end_score, END_SCORES.start, END_SCORES.stop - 1),
        _whole("turn_limit", turn_limit, 0, INT_MAX),
        _seconds("grace", grace),
        _seconds("pause_limit", pause_limit),
    )
    return Session(
        _whole("game_number", number, 1, INT_MAX),
        _text("table_name", name),
        bool(_whole("private", private, 0, 1)),
        setting,
        (a, b, c, d),
        _whole("begun", begun, 0, _LAST_SECOND),
        _text("opener", row[11]),
    )


def _seat(player: Value, name: Value, kind: Value, process_id: Value, network: Value) -> StoredSeat:
    try:
        known = Kind(kind)
    except ValueError:
        raise ValueError(f"seat {player!r} is of no known kind") from None
    return StoredSeat(
        _text("name", name),
        known,
        _whole("process_id", process_id, INT_MIN, INT_MAX),
        _text("network", network),
    )


def _whole(column: str, value: Value, low: int, high: int) -> int:
    if not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{column} is no whole number from {low} to {high}")
    return value


def _seconds(column: str, value: Value) -> float:
    if not isinstance(value, float) or isnan(value) or value < 0:
        raise ValueError(f"{column} is no number of seconds")
    return value


def _text(column: str, value: Value) -> str:
    if not isinstance(value, str) or not is_printable(value):
        raise ValueError(f"{column} is no text")
    return value
