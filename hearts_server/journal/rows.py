"""Sessions as rows, in whatever database, and rows as sessions again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from hearts.game.rules import parse_rules
from hearts.hosting.store import Session, StoredSeat
from hearts.table import Setting

from .lines import PackedHand, UnreadableSession, checksum_of

COLUMNS = (
    *("game_number", "table_name", "private", "rules", "end_score", "turn_limit", "grace"),
    *("pause_limit", "begun", "opener", "seats", "ended", "why", "games", "hands", "lines"),
)
"""The columns of the table ``sessions``; behind them stands their checksum."""
Value = str | int | float | bytes | None


class _Named(Struct, array_like=True):
    name: str


_decode_seats = msgspec.json.Decoder(tuple[StoredSeat, StoredSeat, StoredSeat, StoredSeat]).decode
_decode_names = msgspec.json.Decoder(list[_Named]).decode
_COLUMNS_AS_TEXT = " ".join(["%s"] * len(COLUMNS))


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
            _encode_seats(session.seats),
        )

    def session(self) -> Session:
        """The session that it is of. Raises UnreadableSession for rules that nobody knows."""
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

    def names(self) -> list[str]:
        """The names of players 0-3."""
        return [seat.name for seat in _decode_names(self.seats)]


def _encode_seats(seats: Sequence[StoredSeat]) -> str:
    return msgspec.json.encode(seats).decode()


def read_row(values: Sequence[Value]) -> SessionRow:
    """The row of the columns and their checksum. Raises UnreadableSession if that does not fit."""
    columns = tuple(values[:-1])
    if _checksum(columns) != values[-1]:
        raise UnreadableSession("its row in the table of sessions does not fit its checksum")
    return SessionRow(*columns)  # type: ignore[arg-type]


def _checksum(columns: tuple[Value, ...]) -> int:
    # As checksum() gives it, in half the time, for a list may have a hundred thousand rows.
    return checksum_of((_COLUMNS_AS_TEXT % columns).encode("utf-8", "surrogateescape"))


def row_values(row: SessionRow) -> tuple[Value, ...]:
    """The columns of a row and their checksum."""
    values = msgspec.structs.astuple(row)
    return (*values, _checksum(values))


def changed_seat(row: SessionRow, player: int, seat: StoredSeat) -> SessionRow:
    """The row with something new of a seat, whose it may not be. Raises UnreadableSession."""
    seats = list(row.session().seats)
    seats[player] = msgspec.structs.replace(
        seats[player], network=seat.network, said=seat.said, muted=seat.muted
    )
    return msgspec.structs.replace(row, seats=_encode_seats(seats))


def ended_row(row: SessionRow, hands: Iterable[PackedHand], ended: int, why: str) -> SessionRow:
    """The row of a session that is over and has these lines. Raises UnreadableSession."""
    games = dealt = lines = 0
    for hand in hands:
        more_games, more_hands = hand.games_and_hands()
        games, dealt, lines = games + more_games, dealt + more_hands, lines + hand.count
    return msgspec.structs.replace(row, ended=ended, why=why, games=games, hands=dealt, lines=lines)


def read_hands(game_number: int, rows: Iterable[Sequence[object]]) -> list[PackedHand]:
    """The packed hands of a session out of their rows, in order. Raises UnreadableSession."""
    hands = []
    following = 0
    for first, count, lines, stored in rows:
        if first != following:
            raise UnreadableSession(f"its line {following} is missing")
        hand = PackedHand(first, count, lines)  # type: ignore[arg-type]
        if not isinstance(lines, bytes) or hand.checksum(game_number) != stored:
            raise UnreadableSession(f"its lines from {first} on do not fit their checksum")
        hands.append(hand)
        following += hand.count
    return hands
