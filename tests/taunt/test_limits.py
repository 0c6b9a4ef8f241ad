"""Floods and guesses, with time handed in."""

from __future__ import annotations

import pytest

from taunt_server.limits import GUESSERS_KEPT, FloodGate, FloodGates, GuessLimiter, network_of


class TestFloodGate:
    def test_fifteen_pass_and_the_sixteenth_does_not(self) -> None:
        gate = FloodGate()
        assert [gate.admit(second) for second in range(16)] == [True] * 15 + [False]

    def test_a_place_is_free_again_thirty_seconds_after_it_was_taken(self) -> None:
        gate = FloodGate()
        for second in range(15):
            gate.admit(second)
        assert not gate.admit(29.9)
        assert gate.admit(30)
        assert not gate.admit(30.9)
        assert gate.admit(31)

    def test_the_ones_that_were_dropped_do_not_count(self) -> None:
        gate = FloodGate()
        for _ in range(100):
            gate.admit(0)
        assert [gate.admit(30) for _ in range(16)] == [True] * 15 + [False]

    def test_a_notice_is_due_once_in_thirty_seconds(self) -> None:
        gate = FloodGate()
        assert [gate.tell(now) for now in (5, 6, 34.9, 35, 36)] == [
            True,
            False,
            False,
            True,
            False,
        ]


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


class TestGuessLimiter:
    def test_five_wrong_ones_are_free_and_then_one_in_ten_seconds(self) -> None:
        guesses = GuessLimiter()
        waits = [guesses.attempt("a", genuine=False, now=0) for _ in range(10)]
        assert waits == [0, 0, 0, 0, 0, 10, 20, 30, None, None]

    def test_a_right_one_waits_like_a_wrong_one_but_costs_nothing(self) -> None:
        guesses = GuessLimiter()
        for _ in range(6):
            guesses.attempt("a", genuine=False, now=0)
        assert guesses.attempt("a", genuine=True, now=0) == 20
        assert guesses.attempt("a", genuine=False, now=0) == 20

    def test_beyond_the_longest_wait_a_right_one_is_refused_too(self) -> None:
        guesses = GuessLimiter()
        for _ in range(8):
            guesses.attempt("a", genuine=False, now=0)
        assert guesses.attempt("a", genuine=True, now=0) is None
        assert guesses.attempt("a", genuine=True, now=10) == 30

    def test_right_ones_alone_never_wait(self) -> None:
        guesses = GuessLimiter()
        assert {guesses.attempt("a", genuine=True, now=0) for _ in range(100)} == {0}
        assert len(guesses) == 0

    def test_other_addresses_notice_nothing(self) -> None:
        guesses = GuessLimiter()
        for _ in range(20):
            guesses.attempt("a", genuine=False, now=0)
        assert guesses.attempt("b", genuine=False, now=0) == 0

    def test_time_heals(self) -> None:
        guesses = GuessLimiter()
        for _ in range(8):
            guesses.attempt("a", genuine=False, now=0)
        assert [guesses.attempt("a", genuine=False, now=80) for _ in range(6)][4:] == [0, 10]

    def test_the_table_is_bounded_and_empties(self) -> None:
        guesses = GuessLimiter()
        for number in range(GUESSERS_KEPT + 100):
            guesses.attempt(str(number), genuine=False, now=0)
        assert len(guesses) == GUESSERS_KEPT
        guesses.attempt("late", genuine=False, now=1000)
        assert len(guesses) == 1


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("?", "?"),
    ],
)
def test_one_ipv6_network_counts_as_one_address(address: str, network: str) -> None:
    assert network_of(address) == network
