"""Watching: all watchers get the same bytes, late if the host says so, and no hidden card."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from taunt_server.server import TauntServer
from tests.independent.client import Fact, Session
from tests.independent.dealer import DealerSession, Watcher
from tests.independent.dealer_frames import LAYOUTS, PING, PONG, encode
from tests.net.stream_link import StreamLink

from .dealers import call, converse, eventually, game_of, settings, sit, timed, until, watcher
from .house import Caller, House, house, judge, listening, options, text

SEATED_TYPE, REFUSED_TYPE, COMMITMENT = 209, 210, 203
MOST = 100
SAME = ("table", "pass", "leads", "tallies", "moon", "new game", "end")


def begin(
    rules: str = "moon=choice", end: int = 30, table: str | None = None
) -> tuple[DealerSession, Session]:
    """A client of each dialect that sit with two computers."""
    given = settings(
        0, options=options(rules, end, 0b1100), again=1, cuts=True, think_chance=1.0,
        think_seconds=0.2, table=table,
    )  # fmt: skip
    return DealerSession(given), Session(settings(1, table=table))


def check(seen: Watcher, player: Session, hands: Collection[int] = (0,)) -> None:
    """A watcher saw what this player saw, but for so many hands before he came."""
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


async def frame(caller: Caller) -> tuple[int, int, bytes]:
    kind, sequence, length = await caller.numbers(3)
    return kind, sequence, await caller.take(length)


async def the_rest(caller: Caller) -> bytes:
    data = b""
    while more := await caller.stream.receive_some(65536):
        data += more
    return data


async def test_a_hundred_watchers_get_the_same_bytes(made: House) -> None:
    player, other = begin()
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


@pytest.mark.parametrize("bothers", [False, True])
async def test_a_watcher_over_a_socket(bothers: bool, tmp_path: Path) -> None:
    async with listening(tmp_path) as server:
        given = settings(0, options=options("standard", 40, 0b1110), think_chance=0.1)
        player = DealerSession(given)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(converse, await call(server.port), player.talk())
            while not any(fact.kind == "hand" for fact in player.facts):
                assert Fact("end") not in player.facts
                await trio.lowlevel.checkpoint()
            strict = watcher(game_of(player), bothers=bothers)
            await converse(await call(server.port), strict.talk())
    assert strict.facts[-1].kind == "end"
    mine = [f for f in player.facts if f.kind in SAME]
    assert [f for f in strict.facts if f.kind in SAME][-20:] == mine[-20:]


@pytest.mark.parametrize(
    ("tricks", "hands"),
    # Between its last trick and the next deal a hand is the one that is shown.
    [(1, [0]), (6, [0]), (12, [0]), (13, [0, 1]), (20, [1])],
)
async def test_who_comes_late_sees_the_hand_from_its_beginning(
    tricks: int, hands: list[int], made: House
) -> None:
    player, other = begin()
    seen: list[Watcher] = []

    async def look() -> None:
        await eventually(lambda: sum(f.kind == "tallies" for f in player.facts) >= tricks)
        seen.append(watcher(game_of(player), bothers=True))
        await converse(await made.call(), seen[0].talk())

    async with trio.open_nursery() as nursery:
        await sit(nursery, made, player, other)
        nursery.start_soon(look)
    judge([player, other])
    check(seen[0], player, hands)


async def test_watchers_see_everything_later(tmp_path: Path, autojump_clock: MockClock) -> None:
    """Nothing comes before the delay is over, and the end comes too."""
    delay = 30.0
    async with house(tmp_path, "--watch-delay", str(delay)) as made:
        player, other = begin()
        clocks: dict[str, list[float]] = {"player": [], "watcher": []}
        async with trio.open_nursery() as nursery:
            talks = [timed(player, clocks["player"]), other.talk()]
            await sit(nursery, made, player, other, talks=talks)
            strict = watcher(game_of(player))
            talk = timed(strict, clocks["watcher"])
            nursery.start_soon(converse, await made.call(), talk)
    judge([player, other])
    check(strict, player)
    moments = {
        name: [
            (frame.type, moment)
            for frame, moment in zip(session.frames, clocks[name], strict=True)
            if "W" in LAYOUTS[frame.type][1] and frame.type not in (SEATED_TYPE, 125, 211, 216)
        ]
        for name, session in (("player", player), ("watcher", strict))
    }
    shown, told = moments["watcher"], moments["player"]
    assert [kind for kind, _ in shown] == [kind for kind, _ in told]
    assert all(late >= early + delay for (_, late), (_, early) in zip(shown, told, strict=True))
    assert shown[-1][1] == pytest.approx(told[-1][1] + delay, abs=0.5)


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


def _has_seen_a_trick(session: Session) -> bool:
    return any(fact.kind == "tallies" for fact in session.facts)


async def looking(made: House, nursery: trio.Nursery) -> Caller:
    player, other = begin()
    for session in (player, other):
        talk = until(session.talk(), partial(_has_seen_a_trick, session))
        nursery.start_soon((await made.call()).converse, talk)
        await trio.testing.wait_all_tasks_blocked()
    caller = await made.call()
    assert await watch(caller, game_of(player)) == 1
    await caller.send(0)
    while (await frame(caller))[0] != 211:
        pass
    return caller


async def test_a_watcher_may_send_only_so_much(made: House, nursery: trio.Nursery) -> None:
    caller = await looking(made, nursery)
    for ping in (b"one", b"two"):
        for _ in range(63):
            await caller.send(encode(999, 0, bytes(1012)))
        await caller.send(encode(PING, 0, ping))
        kind, sequence, data = await frame(caller)
        while kind != PONG:
            kind, sequence, data = await frame(caller)
        assert (sequence, data) == (0, ping)
    for _ in range(65):
        await caller.send(encode(999, 0, bytes(1012)))
    while True:
        kind, sequence, _ = await frame(caller)
        if kind == 205:
            break
    assert sequence == 0
    assert await caller.ended()


async def test_a_watcher_who_sends_a_frame_that_cannot_be(
    made: House, nursery: trio.Nursery
) -> None:
    caller = await looking(made, nursery)
    await caller.send(encode(PING, 0, b"x"), 118, 0, 1025)
    kinds: list[int] = []
    while not kinds or kinds[-1] != 205:
        kinds.append((await frame(caller))[0])
    assert PONG in kinds
    assert await caller.ended()


async def test_the_chat_is_not_for_watchers(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    """A watcher is told the number of the game, but no Game ID."""
    chat = TauntServer(bytes(range(32)), max_connections=9, max_per_address=0)
    for player in (4, -1, 0):
        ours, theirs = trio.testing.memory_stream_pair()
        nursery.start_soon(chat.serve, "192.0.2.1", partial(StreamLink, theirs))
        caller = Caller(ours)
        await caller.send(7, 0, player, 4711)
        assert await caller.number() == -1
        assert await caller.ended()


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
    kind, sequence, payload = await frame(caller)
    assert (kind, sequence) == (REFUSED_TYPE, 0)
    assert int.from_bytes(payload[:4], "big", signed=True) == -104
    assert await the_rest(caller) == b""
