"""The erasing of names that were given up: a number takes the place of each in what is stored.

What is erased are games from the claim of the name on, with what its owner had said of themselves
and the networks of their seats, and the results of the name, which nobody could be shown. A kill
leaves sessions that are whole, with the name or with the number; the next run does the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from hearts.errors import CorruptRecord
from hearts.game.cards import four
from hearts.hosting.store import StoredSeat
from hearts.session.table_words import Description
from hearts.table.seat import Kind
from hearts.table.steps import SeatChange, format_step, parse_step
from hearts_server.journal.lines import PackedHand
from hearts_server.journal.rows import (
    SessionRow,
    StoreTables,
    change_ended,
    game_numbers,
    load_hands,
    read_row,
    session_rows,
)
from hearts_server.names.stored import GivenUp

_Numbers = Mapping[str, str]
"""By a name, the text that takes its place."""
_SEAT = "seat "
"""The beginning of a line that gives a seat to somebody."""


def erase_names(tables: StoreTables, names: Sequence[GivenUp]) -> list[int]:
    """Erase names in all sessions that have ended, and their results.

    Return the numbers of those that are nowhere any more. A name that may have a seat at a table
    that goes on is to be erased again when that has ended. A damaged session stays as it is.
    """
    if not names:
        return []
    # First: what ends in the meantime is met by the next run.
    ((oldest,),) = tables.rows("SELECT min(begun) FROM sessions WHERE ended IS NULL")
    for each in names:
        tables.change("DELETE FROM standings WHERE name = ? AND since = ?", each.name, each.claimed)
    which = "WHERE ended >= ? ORDER BY game_number"
    for number in game_numbers(tables, which, min(each.claimed for each in names)):
        for columns in session_rows(tables, "WHERE game_number = ?", number):
            try:
                _erase(tables, read_row(columns), names)
            except CorruptRecord:
                continue
    gone = [each.number for each in names if oldest is None or oldest > each.at]
    return gone if tables.wipe() else []


def _erase(tables: StoreTables, row: SessionRow, names: Sequence[GivenUp]) -> None:
    """Erase names in a session that has ended. Raises CorruptRecord."""
    session, hands = row.session(), load_hands(tables, row.game_number)
    numbers = {
        each.name: each.stands
        for each in names
        if row.begun <= each.at and each.claimed <= (row.ended or 0)
    }
    met = {at for at, seat in enumerate(session.seats) if _is_meant(seat, numbers)}
    erased = [_erased_hand(hand, numbers, met) for hand in hands]
    if met:
        seats = [
            _erased_seat(seat, numbers) if at in met else seat
            for at, seat in enumerate(session.seats)
        ]
        is_theirs = session.opener in {session.seats[at].network for at in met}
        opener = "" if is_theirs else session.opener
        change_ended(tables, row, replace(session, seats=four(seats), opener=opener), erased)


def _erased_hand(hand: PackedHand, numbers: _Numbers, met: set[int]) -> PackedHand:
    """``met`` gets the seats that somebody with one of the names has taken."""
    lines, is_changed = hand.unpack(), False
    for at, line in enumerate(lines):
        if line.startswith(_SEAT):
            change = parse_step(line)
            if isinstance(change, SeatChange) and _is_meant(change, numbers):
                met.add(change.seat)
                is_changed = True
                lines[at] = format_step(replace(change, name=numbers[change.name]))
    return PackedHand.of(hand.first, lines) if is_changed else hand


def _is_meant(holder: StoredSeat | SeatChange, numbers: _Numbers) -> bool:
    return holder.kind is Kind.CLIENT and holder.name in numbers


def _erased_seat(seat: StoredSeat, numbers: _Numbers) -> StoredSeat:
    name = numbers[seat.name] if _is_meant(seat, numbers) else seat.name
    return replace(seat, name=name, network="", said=Description(seat.said.kind))
