"""Watching: all watchers get the same bytes, late if the host says so, and no hidden card."""

from __future__ import annotations

from collections.abc import Collection

import pytest
import trio
import trio.testing

from tests.independent.dealer import DealerWatcher, PlayerConnection
from tests.independent.plain_client import OwnSession

from .dealers import converse, eventually, game_of, settings, sit, watcher
from .house import Caller, House, judge, options, text

REFUSED_TYPE = 210
MOST = 100
SAME = ("table", "pass", "leads", "tallies", "moon", "new game", "end")


def begin(
    rules: str = "moon=choice", end: int = 30, table: str | None = None
) -> tuple[PlayerConnection, OwnSession]:
    """A client of each dialect that sit with two computers."""
    given = settings(
        0, options=options(rules, end, 0b1100), again=1, cuts=True, think_chance=1.0,
        think_seconds=0.2, table=table,
    )  # fmt: skip
    return PlayerConnection(given), OwnSession(settings(1, table=table))


def check(seen: DealerWatcher, player: OwnSession, hands: Collection[int] = (0,)) -> None:
    """A watcher saw what this player saw, but for so many hands before they came."""
    shown, told = (
        [f if f.kind != "moon" else f.numbers[0] for f in s.facts if f.kind in SAME]
        for s in (seen, player)
    )
    shown = shown[1:]
    assert shown == told[-len(shown) :]
    counts = [sum(isinstance(fact, int) for fact in facts) for facts in (shown, told)]
    assert counts[1] - counts[0] in hands


async def watch(caller: Caller, game: int) -> int:
    """Register as a watcher; the reply of -9."""
    await caller.number()
    await caller.send(text("Eve"), -6, 1)
    assert await caller.number() == 1
    await caller.send(-9, game)
    return await caller.number()


async def the_rest(caller: Caller) -> bytes:
    data = b""
    while more := await caller.stream.receive_some(65536):
        data += more
    return data


async def test_a_hundred_watchers_get_the_same_bytes(made: House) -> None:
    player, other = begin(end=1)
    seen: list[bytes] = []
    async with trio.open_nursery() as nursery:
        await sit(nursery, made, player, other)
        strict = watcher(game_of(player))
        nursery.start_soon(converse, await made.call(), strict.talk())
        crowd: list[Caller] = []
        for _ in range(MOST - 1):
            # One after the other: many who register at once from one network have to wait.
            caller = await made.call()
            assert await watch(caller, game_of(player)) == 1
            await caller.send(4711)
            crowd.append(caller)

        async def look(caller: Caller) -> None:
            seen.append(await the_rest(caller))

        for caller in crowd:
            nursery.start_soon(look, caller)
        await trio.testing.wait_all_tasks_blocked()
        late = await made.call()
        assert await watch(late, game_of(player)) == -104
        assert await late.ended()
    assert judge([player, other]).games == 2
    check(strict, player)
    assert len(seen) == MOST - 1
    assert len(set(seen)) == 1
    assert len(seen[0]) > 10_000


@pytest.mark.parametrize(
    ("tricks", "hands"),
    # Between its last trick and the next deal a hand is the one that is shown.
    [(6, [0]), (13, [0, 1])],
)
async def test_who_comes_late_sees_the_hand_from_its_beginning(
    tricks: int, hands: list[int], made: House
) -> None:
    player, other = begin()
    seen: list[DealerWatcher] = []

    async def look() -> None:
        await eventually(lambda: sum(f.kind == "tallies" for f in player.facts) >= tricks)
        seen.append(watcher(game_of(player), bothers=True))
        await converse(await made.call(), seen[0].talk())

    async with trio.open_nursery() as nursery:
        await sit(nursery, made, player, other)
        nursery.start_soon(look)
    judge([player, other])
    check(seen[0], player, hands)


async def test_who_may_not_watch(made: House, nursery: trio.Nursery) -> None:
    hidden, other = begin(table="hidden")
    await sit(nursery, made, hidden, other)
    for game in (game_of(hidden), 0, -1, 4711, 2**31 - 1):
        caller = await made.call()
        assert await watch(caller, game) == -104
        assert await caller.ended()
    plain = await made.greet("Eve", -9, game_of(hidden))
    assert await plain.number() == -102
    assert await plain.ended()
    for version in (0, -1):
        caller = await made.greet("Eve", -6, version)
        assert await caller.number() == -102
    await made.guest(name="Bob")


async def test_a_table_that_ends_before_the_process_id_refuses_in_a_frame(
    made: House, nursery: trio.Nursery
) -> None:
    player, other = begin()
    await sit(nursery, made, player, other)
    caller = await made.call()
    assert await watch(caller, game_of(player)) == 1
    (table,) = made.server.sessions.running
    table.end("the host has ended it")
    await trio.testing.wait_all_tasks_blocked()
    await caller.send(7)
    kind, sequence, payload = await caller.frame()
    assert (kind, sequence) == (REFUSED_TYPE, 0)
    assert int.from_bytes(payload[:4], "big", signed=True) == -104
    assert await the_rest(caller) == b""
