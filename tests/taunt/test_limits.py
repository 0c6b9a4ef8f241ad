"""Floods, with time handed in."""

from __future__ import annotations

from collections import OrderedDict

from taunt_server.limits import FloodGate, Gates, gate_of


class TestFloodGate:
    def test_a_place_is_free_again_thirty_seconds_after_it_was_taken(self) -> None:
        gate = FloodGate()
        for second in range(15):
            gate.admit(second)
        assert not gate.admit(29.9)
        assert gate.admit(30)
        assert not gate.admit(30.9)
        assert gate.admit(31)

    def test_a_notice_is_due_once_in_thirty_seconds(self) -> None:
        gate = FloodGate()
        assert [now for now in (5, 6, 34.9, 35, 36) if gate.allow_notice(now)] == [5, 35]


def test_seats_that_fell_silent_are_forgotten_and_each_other_keeps_its_own() -> None:
    gates: Gates = OrderedDict()
    for game_number in range(100):
        gate_of(gates, (game_number, 0), 0)
    busy = gate_of(gates, (0, 0), 20)
    assert gate_of(gates, (0, 1), 20) is not busy
    assert gate_of(gates, (1, 0), 20) is not busy
    assert gate_of(gates, (0, 0), 40) is busy
    assert len(gates) == 3
