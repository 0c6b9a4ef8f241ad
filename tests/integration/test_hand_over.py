"""A server that hands its tables over to another node: when they stop, and who is let in."""

from __future__ import annotations

import contextlib
from pathlib import Path

import trio
import trio.testing
from trio.testing import MockClock

from hearts_server.ending import DRAIN_LIMIT
from tests.independent.client import Closed, Session, Settings

from .house import HEARTS, NAMES, Caller, House, four, house, register, text


def nothing() -> None:
    """Nobody needs to know."""


async def play(nursery: trio.Nursery, made: House, think: float) -> list[Session]:
    """Four players who think for so long at most sit down, and play until they are let go."""

    async def converse(caller: Caller, session: Session) -> None:
        with contextlib.suppress(Closed):
            await caller.converse(session.talk())

    sessions = []
    for n, name in enumerate(NAMES):
        options = None if n else (HEARTS, 100, 0)
        session = Session(
            Settings(name, n + 1, options=options, think_seconds=think, think_chance=1.0, seed=n)
        )
        sessions.append(session)
        nursery.start_soon(converse, await made.call(), session)
        await trio.testing.wait_all_tasks_blocked()
    return sessions


async def test_tables_stop_together_when_the_last_of_their_hands_is_over(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with house(tmp_path) as made, trio.open_nursery() as nursery:
        quick, slow = await play(nursery, made, 0.2), await play(nursery, made, 1.0)
        await trio.sleep(1)
        seen: list[tuple[bool, bool, int]] = []

        def handed_over() -> None:
            seen.extend((host.is_over, host.table.is_at_rest, host.client_count) for host in hosts)

        hosts = made.server.sessions.running
        assert made.server.admits("192.0.2.9")
        began = trio.current_time()
        await made.server.hand_over(handed_over)
        assert seen == [(False, True, 4)] * 2
        assert all(host.is_over and not host.has_ended for host in hosts)
        # Who connects now is for the node that goes on.
        assert not made.server.admits("192.0.2.9")
        # Whoever was there stayed until then, and was told the scores of one hand and no more.
        for session in quick + slow:
            assert [fact.kind for fact in session.facts].count("scores") == 1
        assert trio.current_time() - began < DRAIN_LIMIT


async def test_a_hand_that_lasts_too_long_is_handed_over_as_it_is(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with (
        house(tmp_path, "--turn-limit", "3600", "--pause-limit", "600") as made,
        trio.open_nursery() as nursery,
    ):
        callers = await four(made, -2, HEARTS, 0, 0)
        await trio.testing.wait_all_tasks_blocked()
        began = trio.current_time()
        nursery.start_soon(made.server.hand_over, nothing)
        game, game_id = await callers[1].numbers(2)
        await callers[1].stream.aclose()
        # A hand needs its players, so they are let in; nobody else is.
        back = await made.call()
        await back.number()
        await back.send(text("Bob"), -5, game, game_id, 1, 1000, -1, 1000)
        assert await back.number() >= 1
        late = await made.call()
        assert await register(late) == 0
        assert await late.number() == -4
        (host,) = made.server.sessions.running
        assert host.client_count == 4
        while not await back.ended():
            pass
        assert trio.current_time() - began == DRAIN_LIMIT
        for caller in (*callers, back, late):
            await caller.stream.aclose()


async def test_a_table_at_which_nobody_is_holds_nothing_up(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with house(tmp_path, "--pause-limit", "600") as made:
        for caller in await four(made):
            await caller.stream.aclose()
        await trio.testing.wait_all_tasks_blocked()
        began = trio.current_time()
        await made.server.hand_over(nothing)
        assert trio.current_time() == began
