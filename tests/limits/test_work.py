"""Budgets of work, with the time handed in."""

from __future__ import annotations

import pytest

from hearts.limits.work import LONGEST_PAUSE, NETWORK_SHARES, READ_WORK, Work, WorkLimits

RATE = 5000
"""Microseconds in a second, where 5 ms are allowed."""


def budget(limits: WorkLimits, address: str, now: float = 0.0) -> Work:
    work = limits.of(address, now)
    assert work is not None
    return work


def flood(workers: list[Work], seconds: float) -> float:
    """Microseconds of work that greedy connections do, each as soon as it is read again."""
    due = [0.0] * len(workers)
    done = 0.0
    while (now := min(due)) < seconds:
        who = due.index(now)
        done += 500
        due[who] = now + max(workers[who].spend(500, now), 0.001)
    return done


def test_without_a_limit_there_is_no_budget() -> None:
    assert WorkLimits(0).of("192.0.2.1", 0.0) is None


def test_one_connection_gets_its_limit_and_no_more() -> None:
    done = flood([budget(WorkLimits(5), "192.0.2.1")], 100)
    assert done == pytest.approx(RATE * 101, rel=0.05)


@pytest.mark.parametrize(
    ("addresses", "share"),
    [
        (["192.0.2.1"] * 60, NETWORK_SHARES[0]),
        ([f"192.0.2.{host}" for host in range(60)], NETWORK_SHARES[1]),
        (["2001:db8::1"] * 60, NETWORK_SHARES[0]),
        ([f"2001:db8:0:{net:x}::1" for net in range(60)], NETWORK_SHARES[1]),
        ([f"2001:db8:0:{net:x}00::1" for net in range(60)], NETWORK_SHARES[2]),
    ],
)
def test_many_connections_of_a_network_share_its_limit(addresses: list[str], share: int) -> None:
    limits = WorkLimits(5)
    done = flood([budget(limits, address) for address in addresses], 20)
    free = len(addresses) * (1000 + 20 * 100)
    assert done <= RATE * share * 21 + free + 500 * len(addresses)
    assert done >= RATE * share * 18


def test_another_network_is_not_touched() -> None:
    limits = WorkLimits(5)
    flood([budget(limits, "192.0.2.1") for _ in range(60)], 10)
    other = budget(limits, "198.51.100.1", 10.0)
    assert not other.spend(1500, 10.0)


def test_a_ping_beside_a_flood_of_the_same_address_costs_nothing() -> None:
    limits = WorkLimits(5)
    good, *flooders = (budget(limits, "192.0.2.1") for _ in range(61))
    flood(flooders, 10)
    assert not any(good.spend(READ_WORK, 10 + second) for second in range(60))


def test_no_pause_is_long() -> None:
    limits = WorkLimits(5)
    assert budget(limits, "192.0.2.1").spend(10_000_000, 0.0) == LONGEST_PAUSE
