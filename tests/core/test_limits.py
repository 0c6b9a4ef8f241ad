"""Guesses, with time handed in."""

from __future__ import annotations

from math import inf

import pytest

from hearts.limits import (
    GUESSERS_KEPT,
    Bucket,
    Buckets,
    GuessLimiter,
    network_of,
    networks_of,
)


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


@pytest.mark.parametrize(
    ("address", "networks"),
    [
        ("192.0.2.7", ("192.0.2.7", "192.0.2.0/24")),
        ("::ffff:192.0.2.7", ("192.0.2.7", "192.0.2.0/24")),
        ("2001:db8:1:2ff::9", ("2001:db8:1:2ff::/64", "2001:db8:1:200::/56", "2001:db8:1::/48")),
        ("?", ("?",)),
        ("", ("",)),
    ],
)
def test_an_address_lies_in_wider_and_wider_networks(
    address: str, networks: tuple[str, ...]
) -> None:
    assert networks_of(address) == networks
    assert networks_of(networks[0]) == networks


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
        assert len(buckets) == 1

    def test_there_are_never_too_many(self) -> None:
        buckets: Buckets[int] = Buckets(rate=0, burst=1, most=3)
        for key in range(10):
            assert buckets.of(key, 0).take(0)
        assert len(buckets) == 3
