"""Sessions as rows of the journal, and rows as sessions again."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from hearts.game.rules import parse_rules
from hearts.hosting.store import Description, Session, StoredSeat
from hearts.table import Kind, Setting

from .lines import PackedHand, UnreadableSession, checksum

COLUMNS = (
    *("game_number", "table_name", "private", "rules", "end_score", "turn_limit", "grace"),
    *("pause_limit", "begun", "opener", "seats", "ended", "why", "games", "hands", "lines"),
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

Value = str | int | float | bytes | None
_Seat = tuple[str, Kind, int, str, Description]
_decode_seats = msgspec.json.Decoder(tuple[_Seat, _Seat, _Seat, _Seat]).decode


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

    @classmethod
    def of(cls, session: Session) -> SessionRow:
        """The row of a session that begins."""
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
            encode_seats(session.seats),
        )

    def session(self) -> Session:
        """The session that it is of. Raises UnreadableSession for rules that nobody knows."""
        if not self.seats:
            raise UnreadableSession(self.why)
        try:
            a, b, c, d = (StoredSeat(*seat) for seat in _decode_seats(self.seats))
            setting = Setting(
                parse_rules(self.rules),
                self.end_score,
                self.turn_limit,
                self.grace,
                self.pause_limit,
            )
        except (ValueError, msgspec.ValidationError) as error:
            raise UnreadableSession(str(error)) from None
        return Session(
            self.game_number,
            self.table_name,
            bool(self.private),
            setting,
            (a, b, c, d),
            self.begun,
            self.opener,
        )

    def names(self) -> list[str]:
        """The names of players 0-3. Raises UnreadableSession."""
        if not self.seats:
            raise UnreadableSession(self.why)
        return [name for name, *_ in _decode_seats(self.seats)]


def encode_seats(seats: Sequence[StoredSeat]) -> str:
    """The seats 0-3 as they are stored."""
    plain = [(seat.name, seat.kind, seat.process_id, seat.network, seat.said) for seat in seats]
    return msgspec.json.encode(plain).decode()


def read_row(values: Sequence[Value]) -> SessionRow:
    """The row of the columns and their checksum. Raises UnreadableSession if that does not fit."""
    if checksum(*values[:-1]) != values[-1]:
        raise UnreadableSession("its row in the table of sessions does not fit its checksum")
    return SessionRow(*values[:-1])  # type: ignore[arg-type]


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
    insert_row(connection, SessionRow.of(session))


def insert_row(connection: sqlite3.Connection, row: SessionRow) -> None:
    """Store a row whose number is not there."""
    connection.execute(f"INSERT {_INSERT}", _values(row))


def insert_unreadable(
    connection: sqlite3.Connection, game_number: int, why: str, *, is_over: bool, lines: int
) -> None:
    """Store the row of a session of which an older file has no more than lines, and says why."""
    ended = 0 if is_over else None
    blank = ("", 0, "", 0, 0, 0.0, 0.0, 0, "", "")
    insert_row(connection, SessionRow(game_number, *blank, ended, why, lines=lines))


def replace_row(connection: sqlite3.Connection, row: SessionRow) -> None:
    """Store a row in place of the one of its number."""
    connection.execute(f"REPLACE {_INSERT}", _values(row))


def _values(row: SessionRow) -> tuple[Value, ...]:
    values = msgspec.structs.astuple(row)
    return (*values, checksum(*values))


def move_seat(connection: sqlite3.Connection, game_number: int, player: int, network: str) -> None:
    """Store in which network the client of a seat is now. Raises UnreadableSession."""
    _change_seat(connection, game_number, player, network=network)


def describe_seat(
    connection: sqlite3.Connection, game_number: int, player: int, said: Description
) -> None:
    """Store what the player of a seat says of himself. Raises UnreadableSession."""
    _change_seat(connection, game_number, player, said=said)


def _change_seat(
    connection: sqlite3.Connection, game_number: int, player: int, **changed: str | Description
) -> None:
    row = load_row(connection, game_number)
    seats = list(row.session().seats)
    seats[player] = msgspec.structs.replace(seats[player], **changed)
    replace_row(connection, msgspec.structs.replace(row, seats=encode_seats(seats)))


def end_session(connection: sqlite3.Connection, game_number: int, ended: int, why: str) -> None:
    """Store that a session is over, all of whose lines are packed. Raises UnreadableSession."""
    row = load_row(connection, game_number)
    games = hands = lines = 0
    for hand in load_hands(connection, game_number):
        more_games, more_hands = hand.games_and_hands()
        games, hands, lines = games + more_games, hands + more_hands, lines + hand.count
    replace_row(
        connection,
        msgspec.structs.replace(row, ended=ended, why=why, games=games, hands=hands, lines=lines),
    )


# The packed hands of a session


def insert_hand(connection: sqlite3.Connection, game_number: int, hand: PackedHand) -> None:
    """Store a packed hand."""
    values = (game_number, hand.first, hand.count, hand.lines, hand.checksum(game_number))
    connection.execute(_INSERT_HAND, values)


def load_hands(connection: sqlite3.Connection, game_number: int) -> list[PackedHand]:
    """The packed hands of a session, in order. Raises UnreadableSession."""
    hands = []
    following = 0
    for first, count, lines, stored in connection.execute(_SELECT_HANDS, (game_number,)).fetchall():
        if first != following:
            raise UnreadableSession(f"its line {following} is missing")
        hand = PackedHand(first, count, lines)
        if not isinstance(lines, bytes) or hand.checksum(game_number) != stored:
            raise UnreadableSession(f"its lines from {first} on do not fit their checksum")
        hands.append(hand)
        following += count
    return hands


def lines_packed(hands: Sequence[PackedHand]) -> int:
    """How many lines those of a session are."""
    return hands[-1].first + hands[-1].count if hands else 0
