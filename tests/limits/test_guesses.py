"""Guesses, with time handed in."""

from __future__ import annotations

from math import inf

import pytest

from hearts.limits.buckets import Bucket, Buckets
from hearts.limits.networks import network_of, networks_of
from hearts.limits.tries import (
    FREE_TRIES,
    LONGEST_WORD_WAIT,
    SEATS_KEPT,
    WORDS_A_SECOND,
    GuessLimiter,
    WordLimiter,
)

SEAT = 7, 2
ANN = "192.0.2.1"
BOB = "198.51.100.1"


def guess(
    guesses: GuessLimiter,
    address: str = ANN,
    now: float = 0,
    *,
    seat: tuple[int, int] = SEAT,
    home: str = "",
    right: bool = False,
) -> float | None:
    return guesses.attempt(seat, address, home=home, right=right, now=now)


def guess_elsewhere(guesses: GuessLimiter, count: int, address: str = ANN) -> list[float | None]:
    """At many seats at once, so that only the network counts."""
    return [guess(guesses, address, seat=(number, 0)) for number in range(100, 100 + count)]


class TestGuessesOfANetwork:
    def test_five_wrong_ones_are_free_and_then_one_in_ten_seconds(self) -> None:
        guesses = GuessLimiter()
        waits = guess_elsewhere(guesses, 8)
        assert waits == [0, 0, 0, 0, 0, 10, None, None]
        assert guess(guesses, now=10) == pytest.approx(10)

    def test_a_right_one_waits_like_a_wrong_one_but_costs_nothing(self) -> None:
        guesses = GuessLimiter()
        guess_elsewhere(guesses, 5)
        assert guess(guesses, right=True) == 10
        assert guess(guesses, right=True) == 10
        assert guess(guesses) == 10
        assert guess(guesses, right=True) is None

    def test_right_ones_alone_never_wait(self) -> None:
        guesses = GuessLimiter()
        assert {guess(guesses, right=True) for _ in range(100)} == {0}

    def test_other_addresses_notice_nothing(self) -> None:
        guesses = GuessLimiter()
        guess_elsewhere(guesses, 20)
        assert guess(guesses, BOB) == 0

    def test_a_network_of_ipv4_counts_for_four_hosts(self) -> None:
        guesses = GuessLimiter()
        waits = [
            guess(guesses, f"203.0.113.{number}", seat=(number, 0)) for number in range(1, 200)
        ]
        assert waits[:20] == [0] * 20
        assert waits[20:24] == [2.5, 5, 7.5, 10]
        assert set(waits[24:]) == {None}

    @pytest.mark.heavy
    def test_many_networks_of_one_ipv6_provider_are_slowed(self) -> None:
        guesses = GuessLimiter()
        looked_at = 0
        for number in range(20_000):
            address = f"2001:db8:1:{number % 5000:x}::{number:x}"
            # Two hundred a second, each at a seat of its own.
            looked_at += guess(guesses, address, number / 200, seat=(number, 0)) is not None
        assert looked_at == pytest.approx(20 + 4 * (100 + 10) / 10, abs=2)

    def test_time_heals(self) -> None:
        guesses = GuessLimiter()
        guess_elsewhere(guesses, 20)
        assert guess(guesses, now=20) == pytest.approx(0)


class TestGuessesAtASeat:
    def test_one_a_second_is_looked_at_in_turn_over_networks(self) -> None:
        guesses = GuessLimiter()
        waits = [guess(guesses, f"10.0.{number}.1") for number in range(20)]
        assert waits == [*range(11), *[None] * 9]
        assert guess(guesses, "10.0.100.1", 1) == 10

    def test_a_network_has_one_try_that_waits(self) -> None:
        guesses = GuessLimiter()
        assert [guess(guesses, f"10.0.0.{number}") for number in range(4)] == [0, 1, None, None]
        assert guess(guesses, BOB) == 2
        assert guess(guesses, "10.0.0.9", 1) == pytest.approx(2)

    def test_beyond_the_longest_wait_a_right_one_is_refused_too(self) -> None:
        guesses = GuessLimiter()
        for number in range(11):
            guess(guesses, f"10.0.{number}.1")
        assert guess(guesses, BOB, right=True) is None
        assert guess(guesses, BOB, 1, right=True) == 10

    def test_other_seats_notice_nothing(self) -> None:
        guesses = GuessLimiter()
        for number in range(20):
            guess(guesses, f"10.0.{number}.1")
        assert guess(guesses, BOB, seat=(7, 3), right=True) == 0

    def test_guesses_of_thousands_of_networks_never_hold_up_the_home(self) -> None:
        guesses = GuessLimiter()
        for number in range(5000):
            guess(guesses, f"10.{number // 250}.{number % 250}.1", home=ANN)
        assert guess(guesses, ANN, home=ANN, right=True) == 0

    def test_guesses_at_other_seats_never_hold_up_their_own_home(self) -> None:
        guesses = GuessLimiter()
        guess_elsewhere(guesses, 100)
        assert guess(guesses, ANN, home=ANN, right=True) == 0

    def test_within_the_home_one_a_second_is_looked_at(self) -> None:
        guesses = GuessLimiter()
        waits = [guess(guesses, ANN, home=ANN) for _ in range(13)]
        assert waits == [*range(11), None, None]
        assert guess(guesses, ANN, 3, home=ANN, right=True) == 8

    def test_the_tables_are_bounded_and_empty(self) -> None:
        guesses = GuessLimiter()
        for number in range(2 * SEATS_KEPT):
            address = f"10.{number // 65536}.{number // 256 % 256}.{number % 256}"
            guess(guesses, address, seat=(number, 0))
            guess(guesses, address, seat=(number, 0))
        assert 1 < len(guesses._lines) <= SEATS_KEPT
        guess(guesses, now=1000)
        assert len(guesses._lines) == 1


def word(
    words: WordLimiter,
    address: str = ANN,
    now: float = 0,
    *,
    known: bool = False,
    right: bool = False,
) -> float | None:
    return words.attempt(address, known=known, right=right, now=now)


class TestWords:
    def test_after_five_wrong_ones_one_a_second_is_looked_at(self) -> None:
        words = WordLimiter()
        waits = [word(words, now=number / 10) for number in range(100)]
        assert waits[:5] == [0] * 5
        assert waits[5] == pytest.approx(0.5)
        looked_at = [wait for wait in waits[5:] if wait is not None]
        assert len(looked_at) == pytest.approx(10, abs=1)
        assert max(looked_at) <= 1
        assert word(words, now=9.95, right=True) is None
        assert word(words, now=12, right=True) == 0

    def test_ten_a_second_in_all(self) -> None:
        words = WordLimiter()
        looked_at = 0
        for number in range(10_000):
            address = f"10.{number // 250}.{number % 250}.1"
            looked_at += word(words, address, number / 1000) is not None
        assert looked_at == pytest.approx(WORDS_A_SECOND * (10 + LONGEST_WORD_WAIT), abs=2)

    def test_a_network_that_guesses_has_one_that_waits_so_others_are_behind_few(self) -> None:
        words = WordLimiter()
        for now in range(1000):
            for address in ("10.0.0.1", "10.0.1.1", "10.0.2.1"):
                word(words, address, now / 100)
        wait = word(words, BOB, 10, right=True)
        assert wait is not None
        assert wait <= 0.4

    def test_who_knew_it_is_let_through_at_once_whatever_strangers_do(self) -> None:
        words = WordLimiter()
        for number in range(10_000):
            word(words, f"10.{number // 250}.{number % 250}.1")
            word(words, f"192.0.2.{2 + number % 200}")
        assert word(words, ANN, right=True) is None
        assert {word(words, ANN, known=True, right=True) for _ in range(100)} == {0}

    def test_wrong_ones_of_a_network_that_knew_it_are_slowed_too(self) -> None:
        words = WordLimiter()
        waits = [word(words, known=True) for _ in range(12)]
        assert waits == [*[0] * FREE_TRIES, *range(1, 6), None, None]

    @pytest.mark.heavy
    def test_many_networks_of_one_ipv6_provider_are_slowed(self) -> None:
        words = WordLimiter()
        looked_at = sum(
            word(words, f"2001:db8:1:{number % 5000:x}::1", number / 200) is not None
            for number in range(20_000)
        )
        assert looked_at <= 20 + 4 * (100 + LONGEST_WORD_WAIT)


@pytest.mark.parametrize(
    ("address", "networks"),
    [
        ("192.0.2.7", ("192.0.2.7", "192.0.2.0/24")),
        ("::ffff:192.0.2.7", ("192.0.2.7", "192.0.2.0/24")),
        ("2001:db8:1:2ff::9", ("2001:db8:1:2ff::/64", "2001:db8:1:200::/56", "2001:db8:1::/48")),
        ("fe80::1%eth0", ("fe80::/64", "fe80::/56", "fe80::/48")),
        ("?", ("?",)),
        ("", ("",)),
    ],
)
def test_an_address_lies_in_wider_and_wider_networks(
    address: str, networks: tuple[str, ...]
) -> None:
    assert networks_of(address) == networks
    assert networks_of(networks[0]) == networks
    assert network_of(address) == networks[0]


class TestBuckets:
    def test_a_bucket_gives_its_burst_and_then_its_rate(self) -> None:
        bucket = Bucket(rate=2, burst=5, now=0)
        assert [bucket.take(0) for _ in range(6)] == [True] * 5 + [False]
        assert [bucket.take(1) for _ in range(3)] == [True, True, False]
        assert bucket.level(100) == 5

    def test_what_is_charged_may_be_owed(self) -> None:
        bucket = Bucket(rate=2, burst=5, now=0)
        assert bucket.charge(0, 5) == 0
        assert bucket.charge(0, 4) == 2
        assert not bucket.take(1)
        assert bucket.charge(2, 0) == 0

    def test_an_endless_rate_never_runs_out(self) -> None:
        bucket = Bucket(rate=inf, burst=inf, now=0)
        assert bucket.charge(0, 1e9) == 0
        assert bucket.take(0, 1e9)

    def test_a_clock_that_stands_still_gives_nothing(self) -> None:
        bucket = Bucket(rate=1, burst=1, now=5)
        assert [bucket.take(5), bucket.take(4), bucket.take(5)] == [True, False, False]

    def test_each_key_has_its_own_and_full_ones_are_forgotten(self) -> None:
        buckets: Buckets[str] = Buckets(rate=1, burst=2, most=3)
        assert buckets.of("a", 0).take(0, 2)
        assert buckets.of("b", 0).take(0)
        assert not buckets.of("a", 1).take(1, 2)
        buckets.of("c", 10)
        assert len(buckets._buckets) == 1

    def test_there_are_never_too_many(self) -> None:
        buckets: Buckets[int] = Buckets(rate=0, burst=1, most=3)
        for key in range(10):
            assert buckets.of(key, 0).take(0)
        assert len(buckets._buckets) == 3
