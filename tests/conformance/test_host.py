"""The kit's table is one of hosting's, with the kit's own seats at it."""

from __future__ import annotations

import pytest

from hearts.game.rules import STANDARD
from hearts.hosting.store import Session, StoredSeat
from hearts.table.effects import TableEvent
from hearts.table.inputs import Setting
from hearts.table.seat import Kind
from hearts_conformance.plain.conversation import PlainKitSeat
from hearts_conformance.session.host import Host
from hearts_conformance.session.script import Script

CLIENT = StoredSeat("Zoë", Kind.CLIENT, 77)
COMPUTER = StoredSeat("Moe", Kind.COMPUTER, 0)
SEATS = (CLIENT, COMPUTER, COMPUTER, COMPUTER)
SESSION = Session(7000, "Conformance", False, Setting(STANDARD, 1, 60, 1e12), SEATS, 0)


class FailingSeat(PlainKitSeat):
    def encode_event(self, event: TableEvent) -> bytes:
        raise ZeroDivisionError


def test_an_error_of_the_kit_does_not_end_the_table_in_silence() -> None:
    host = Host(SESSION, 0, Script("hand", "a hand", 0))
    host.connect(FailingSeat(0))
    with pytest.raises(ZeroDivisionError):
        host.start()


def test_what_a_seat_says_is_kept_with_what_it_comes_from() -> None:
    host = Host(SESSION, 0, Script("hand", "a hand", 0))
    seat = PlainKitSeat(0)
    host.connect(seat)
    host.start()
    (no_cause, welcome), *told = seat.link.take()
    assert no_cause is None
    assert welcome.startswith((7000).to_bytes(4, "big"))
    assert [type(cause).__name__ for cause, _ in told[-2:]] == ["YourHand", "Ask"]
    assert seat.link.take() == []
