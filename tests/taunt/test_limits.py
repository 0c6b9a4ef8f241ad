"""Floods, with time handed in."""

from __future__ import annotations

from taunt_server.limits import FloodGate, FloodGates


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
        assert [now for now in (5, 6, 34.9, 35, 36) if gate.tell(now)] == [5, 35]


class TestFloodGates:
    def test_each_seat_has_its_own(self) -> None:
        gates = FloodGates()
        gate = gates.of(7, 0, 0)
        assert gates.of(7, 0, 1) is gate
        assert gates.of(7, 1, 1) is not gate
        assert gates.of(8, 0, 1) is not gate

    def test_seats_that_fell_silent_are_forgotten(self) -> None:
        gates = FloodGates()
        for game_number in range(100):
            gates.of(game_number, 0, 0)
        busy = gates.of(0, 0, 20)
        assert gates.of(0, 0, 40) is busy
        assert len(gates) == 1
