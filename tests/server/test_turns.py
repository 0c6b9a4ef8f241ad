"""Turns of strangers: few in a pass of the event loop, the networks one after the other.

Time stands still but where a test moves it: how long a pass takes here counts for nothing.
"""

from __future__ import annotations

from functools import partial

import trio
from trio.testing import MockClock

from hearts.limits.buckets import Bucket
from hearts.limits.work import LONGEST_PAUSE
from hearts_server.lobby.turns import (
    IN_A_PASS,
    LONG_PASS,
    LONGEST_WAIT,
    MOST_PASSES,
    NETWORKS_FOR_A_TURN,
    IdleTurns,
    ThoughtsInPass,
    Turns,
)


async def ask(turns: Turns, network: str, had: list[str]) -> None:
    await turns.take(network)
    had.append(network)


async def passes(count: int) -> None:
    for _ in range(count):
        await trio.lowlevel.checkpoint()


async def test_a_lone_stranger_does_not_wait(nursery: trio.Nursery, mock_clock: MockClock) -> None:
    turns = Turns(nursery)
    with trio.move_on_after(0):
        # No checkpoint would let this through.
        await turns.take("home")
        return
    raise AssertionError("had to wait")


async def test_a_crowd_has_few_turns_in_a_pass(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    turns, had = Turns(nursery), list[str]()
    for _ in range(20):
        nursery.start_soon(ask, turns, "crowd", had)
    count = 0
    while len(had) < 20:
        await passes(1)
        count += 1
        # Within a pass tasks run in any order, so some may see the next turns already.
        assert len(had) <= IN_A_PASS * (count + 1)


async def test_whoever_comes_from_elsewhere_is_not_behind_the_crowd(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    turns, had = Turns(nursery), list[str]()
    for _ in range(50):
        nursery.start_soon(ask, turns, "crowd", had)
    await passes(1)
    nursery.start_soon(ask, turns, "home", had)
    await passes(20)
    assert had.index("home") <= 3 * IN_A_PASS + 2
    assert had.count("crowd") >= 15 * IN_A_PASS


async def test_after_a_long_pass_the_tables_have_some_for_themselves(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    turns, had = Turns(nursery), list[str]()
    for _ in range(40):
        nursery.start_soon(ask, turns, "crowd", had)
    await passes(3)
    # As if the tables had taken so long in this pass.
    mock_clock.jump(MOST_PASSES * LONG_PASS)
    await passes(2)
    before = len(had)
    await passes(MOST_PASSES - 2)
    assert len(had) == before
    await passes(3)
    assert before < len(had) < 40


async def test_nobody_waits_longer_because_all_passes_are_long(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    turns, had = Turns(nursery), list[str]()
    for _ in range(10):
        nursery.start_soon(ask, turns, "crowd", had)
    for _ in range(10):
        mock_clock.jump(LONGEST_WAIT)
        await passes(2)
    assert len(had) == 10


async def test_when_all_come_back_there_are_more_turns(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    turns, had = Turns(nursery), list[str]()
    many = 10 * IN_A_PASS * NETWORKS_FOR_A_TURN
    for number in range(many):
        nursery.start_soon(ask, turns, f"home {number}", had)
    await passes(10)
    assert len(had) > 10 * 3 * IN_A_PASS


async def test_whoever_stops_waiting_takes_no_turn_from_others(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    turns, had = Turns(nursery), list[str]()
    with trio.CancelScope() as scope:
        async with trio.open_nursery() as impatient:
            for _ in range(10):
                impatient.start_soon(ask, turns, "impatient", had)
            await passes(1)
            scope.cancel()
    assert len(had) < 10
    nursery.start_soon(ask, turns, "patient", had)
    await passes(4)
    assert had[-1] == "patient"


class TestIdleTurns:
    """Turns of those who send what nobody waits for."""

    @staticmethod
    def made(nursery: trio.Nursery, seats: str = "") -> tuple[IdleTurns, Turns, Bucket]:
        turns = Turns(nursery)
        share = Bucket(1000.0, 0.0, 0.0)
        return IdleTurns(nursery, turns, share, lambda network: network == seats), turns, share

    async def test_they_last_as_long_as_the_share(
        self, nursery: trio.Nursery, autojump_clock: MockClock
    ) -> None:
        idle, _, share = self.made(nursery)
        had = 0

        async def flood(address: str) -> None:
            nonlocal had
            while True:
                turn = trio.Event()
                idle.ask(address, turn.set)
                await turn.wait()
                had += 1
                share.charge(trio.current_time(), 10)

        for network in range(6):
            nursery.start_soon(flood, f"192.0.{network}.1")
        await trio.sleep(10)
        assert 900 <= had <= 1010

    async def test_networks_take_turns_and_those_with_a_seat_come_first(
        self, nursery: trio.Nursery, autojump_clock: MockClock
    ) -> None:
        idle, _, share = self.made(nursery, seats="203.0.113.1")
        had: list[str] = []

        def ask(address: str) -> None:
            idle.ask(address, partial(take, address))

        def take(address: str) -> None:
            had.append(address)
            share.charge(trio.current_time(), 10)

        share.charge(trio.current_time(), 10)
        for address in [*["192.0.2.1"] * 8, "198.51.100.1", "203.0.113.1", "203.0.113.1"]:
            ask(address)
        await trio.sleep(1)
        assert had[:4] == ["203.0.113.1"] * 2 + ["192.0.2.1", "198.51.100.1"]
        assert had[4:] == ["192.0.2.1"] * 7

    async def test_nobody_waits_longer_than_the_longest_pause(
        self, nursery: trio.Nursery, autojump_clock: MockClock
    ) -> None:
        idle, _, share = self.made(nursery, seats="203.0.113.1")

        def flood() -> None:
            share.charge(trio.current_time(), 10)
            idle.ask("203.0.113.1", flood)

        flood()
        begun = trio.current_time()
        turn = trio.Event()
        idle.ask("192.0.2.1", turn.set)
        await turn.wait()
        assert 0 <= trio.current_time() - begun - LONGEST_PAUSE < 0.1

    async def test_nothing_is_left_of_those_who_had_waited_that_long(
        self, nursery: trio.Nursery, autojump_clock: MockClock
    ) -> None:
        idle, _, share = self.made(nursery)
        share.charge(trio.current_time(), 1_000_000)
        had: list[int] = []
        for number in range(20):
            idle.ask("192.0.2.1", partial(had.append, number))
        await trio.sleep(LONGEST_PAUSE + 1)
        assert had == list(range(20))
        # The task that gives turns lives while somebody waits.
        assert not nursery.child_tasks

    async def test_all_others_come_before_them(
        self, nursery: trio.Nursery, mock_clock: MockClock
    ) -> None:
        idle, turns, _ = self.made(nursery)
        had: list[str] = []
        for _ in range(20):
            nursery.start_soon(ask, turns, "newcomers", had)

        await passes(1)
        idle.ask("192.0.2.1", partial(had.append, "flood"))
        await passes(60)
        # Whoever is given one of the last two turns may say so behind it.
        assert had.index("flood") >= 18


async def test_bots_think_so_often_in_each_pass() -> None:
    thoughts = ThoughtsInPass(2)
    trio.lowlevel.add_instrument(thoughts)
    for _ in range(2):
        await trio.lowlevel.checkpoint()
        assert [thoughts.has_one_more() for _ in range(3)] == [True, True, False]
