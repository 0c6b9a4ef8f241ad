"""Guesses, with time handed in."""

from __future__ import annotations

import pytest

from hearts.limits import GUESSERS_KEPT, GuessLimiter, network_of


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
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("?", "?"),
    ],
)
def test_one_ipv6_network_counts_as_one_address(address: str, network: str) -> None:
    assert network_of(address) == network
