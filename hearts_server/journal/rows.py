"""Sessions as rows of the journal, and rows as sessions again."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cache
from math import isnan
from typing import Any

from hearts.errors import HeartsError
from hearts.game.rules import END_SCORES, parse_rules
from hearts.hosting.store import Session, StoredSeat
from hearts.table import Kind, Setting
from hearts.wire.codec import INT_MAX, INT_MIN, is_printable

from .store import StoredSession

_INSERT_SESSION = (
    "INSERT INTO sessions (game_number, table_name, private, rules, end_score, turn_limit, grace,"
    " pause_limit, begun, opener) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_SEAT = (
    "INSERT INTO seats (game_number, player, name, kind, process_id, network)"
    " VALUES (?, ?, ?, ?, ?, ?)"
)
_MOVE_SEAT = "UPDATE seats SET network = ? WHERE game_number = ? AND player = ?"
_END_SESSION = "UPDATE sessions SET ended = ?, why = ? WHERE game_number = ?"
_SELECT_SESSION = (
    "SELECT table_name, private, rules, end_score, turn_limit, grace, pause_limit, begun, ended,"
    " why, opener FROM sessions WHERE game_number = ?"
)
_SELECT_SEATS = (
    "SELECT player, name, kind, process_id, network FROM seats WHERE game_number = ?"
    " ORDER BY player"
)
_SELECT_LINES = "SELECT number, line FROM steps WHERE game_number = ? ORDER BY number"
_LAST_SECOND = 1 << 36

Row = tuple[int, int, str]
"""Game number, number of the line within it from 0, line."""


class UnreadableSession(HeartsError):
    """The rows of a session make no sense; the text says which."""


@cache
def insert_lines(count: int) -> str:
    """The one statement that stores so many lines.

    One statement in place of many matters: each is a moment in which the threads of the process
    fight for the interpreter.
    """
    return "INSERT INTO steps (game_number, number, line) VALUES " + ", ".join(
        ["(?, ?, ?)"] * count
    )


def insert_session(connection: sqlite3.Connection, session: Session) -> None:
    """Store the rows of a new session."""
    number, setting = session.game_number, session.setting
    connection.execute(
        _INSERT_SESSION,
        (
            number,
            session.table_name,
            session.private,
            str(setting.rules),
            setting.end_score,
            setting.turn_limit,
            setting.grace,
            setting.pause_limit,
            session.begun,
            session.opener,
        ),
    )
    connection.executemany(
        _INSERT_SEAT,
        [
            (number, player, seat.name, seat.kind.value, seat.process_id, seat.network)
            for player, seat in enumerate(session.seats)
        ],
    )


def move_seat(connection: sqlite3.Connection, game_number: int, player: int, network: str) -> None:
    """Store in which network the client of a seat is now."""
    connection.execute(_MOVE_SEAT, (network, game_number, player))


def end_session(connection: sqlite3.Connection, game_number: int, ended: int, why: str) -> None:
    """Store that a session is over."""
    connection.execute(_END_SESSION, (ended, why, game_number))


def load_session(connection: sqlite3.Connection, game_number: int) -> StoredSession:
    """A session of the journal. Raises UnreadableSession for rows without a sense."""
    row = connection.execute(_SELECT_SESSION, (game_number,)).fetchone()
    seats = connection.execute(_SELECT_SEATS, (game_number,)).fetchall()
    lines = connection.execute(_SELECT_LINES, (game_number,)).fetchall()
    if row is None:
        raise UnreadableSession("there is no such session")
    try:
        return _stored(game_number, row, seats, lines)
    except ValueError as error:
        raise UnreadableSession(str(error)) from None


def _stored(
    game_number: int, row: Sequence[Any], seats: Sequence[Any], lines: Sequence[Any]
) -> StoredSession:
    name, private, rules, end_score, turn_limit, grace, pause_limit, begun, ended, why, opener = row
    if [player for player, *_ in seats] != [0, 1, 2, 3]:
        raise ValueError("it has not the seats 0 to 3")
    if [number for number, _ in lines] != list(range(len(lines))):
        raise ValueError("its lines are not numbered from 0 without a gap")
    a, b, c, d = (_seat(*seat) for seat in seats)
    setting = Setting(
        parse_rules(_text("rules", rules)),
        _whole("end_score", end_score, END_SCORES.start, END_SCORES.stop - 1),
        _whole("turn_limit", turn_limit, 0, INT_MAX),
        _seconds("grace", grace),
        _seconds("pause_limit", pause_limit),
    )
    session = Session(
        _whole("game_number", game_number, 1, INT_MAX),
        _text("table_name", name),
        bool(_whole("private", private, 0, 1)),
        setting,
        (a, b, c, d),
        _whole("begun", begun, 0, _LAST_SECOND),
        _text("opener", opener),
    )
    return StoredSession(
        session,
        tuple(_text("line", line) for _, line in lines),
        None if ended is None else _whole("ended", ended, 0, _LAST_SECOND),
        _text("why", why),
    )


def _seat(
    player: int, name: object, kind: object, process_id: object, network: object
) -> StoredSeat:
    try:
        known = Kind(kind)
    except ValueError:
        raise ValueError(f"seat {player} is of no known kind") from None
    return StoredSeat(
        _text("name", name),
        known,
        _whole("process_id", process_id, INT_MIN, INT_MAX),
        _text("network", network),
    )


def _whole(column: str, value: object, low: int, high: int) -> int:
    if not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{column} is no whole number from {low} to {high}")
    return value


def _seconds(column: str, value: object) -> float:
    if not isinstance(value, float) or isnan(value) or value < 0:
        raise ValueError(f"{column} is no number of seconds")
    return value


def _text(column: str, value: object) -> str:
    if not isinstance(value, str) or not is_printable(value):
        raise ValueError(f"{column} is no text")
    return value
