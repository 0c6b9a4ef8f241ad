"""A bad peer costs itself its seat, and nobody else anything: SocketSpec.md section 10."""

from __future__ import annotations

import socket
import struct
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing

from tests.independent.client import Driver, Session, Settings, play
from tests.independent.referee import Referee

from .house import HOST, Caller, House, judge, listening, options, text


async def garbage(caller: Caller) -> None:
    await caller.send(bytes(range(256)) * 8)


async def wrong_ack(caller: Caller) -> None:
    await caller.send(*[77] * 20)


async def too_much_too_early(caller: Caller) -> None:
    for _ in range(200):
        await caller.send(*[3] * 20)


async def vanishes(caller: Caller) -> None:
    await caller.stream.aclose()


async def stops_sending(caller: Caller) -> None:
    await caller.stream.send_eof()


async def falls_silent(caller: Caller) -> None:
    """Neither reads nor writes any more, and keeps the connection."""


FAULTS = [garbage, wrong_ack, too_much_too_early, vanishes, stops_sending, falls_silent]


def table_of_four(name: str, end: int, again: int = 0) -> list[Session]:
    return [
        Session(
            Settings(
                name=f"{name} {seed}",
                table=name,
                options=options("jack", end),
                again=again,
                seed=seed,
            )
        )
        for seed in range(4)
    ]


async def misbehave(
    made: House, session: Session, fault: Callable[[Caller], Awaitable[None]], steps: int
) -> None:
    """Play by the book for so many messages, then commit the fault."""
    # In lockstep nothing that the server says is taken unless the client reads.
    caller = await made.call(lockstep=True)
    await caller.converse(session.talk(), steps=steps)
    await fault(caller)


@pytest.mark.parametrize(
    "steps",
    [11, *(pytest.param(steps, marks=pytest.mark.heavy) for steps in (14, 40)), 133],
    ids=lambda steps: f"after-{steps}",
)
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.house("--turn-limit", "10", "--grace", "20")
async def test_the_others_finish_in_step_and_another_table_notices_nothing(
    fault: Callable[[Caller], Awaitable[None]], steps: int, made: House
) -> None:
    hurt, well = table_of_four("hurt", 20, again=1), table_of_four("well", 20)
    async with trio.open_nursery() as nursery:
        start = trio.current_time()
        nursery.start_soon(made.play, hurt[:3])
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(misbehave, made, hurt[3], fault, steps)
        await made.play(well)
        # Nobody thinks at this table, so no virtual time passes while it plays.
        assert trio.current_time() == start
        assert judge(well).games == 1
    assert all(session.facts[-1].kind == "end" for session in hurt[:3])
    report = Referee({session.me: session.facts for session in hurt}).judge()
    assert report.games == 2
    assert {session.me for session in hurt} == {0, 1, 2, 3}


@pytest.mark.house("--grace", "86400")
async def test_a_client_that_sends_but_does_not_read_is_too_far_behind(
    made: House, caplog: pytest.LogCaptureFixture
) -> None:
    watcher = Session(Settings(seed=1))
    blind = await made.call(lockstep=True)
    assert await blind.number() == 0
    # It takes some 65 hands until so much is unread; a game so long has some 30 more.
    await blind.send(text("Blind"), -2, *options("pass=never", 1200, 0b1100), 1)
    with trio.move_on_after(2000) as scope:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(made.play, [watcher])
            while "too far behind" not in caplog.text:
                # An ack of player 0 is 0, and so is hand index 0: legal once, then not.
                await blind.send(*[0] * 20)
                await trio.sleep(0.1)
            played = len(watcher.facts)
            await trio.sleep(200)
            assert len(watcher.facts) > played + 100
            nursery.cancel_scope.cancel()
    assert not scope.cancelled_caught
    assert Referee({1: watcher.facts}).judge().hands > 50


async def test_newcomers_wait_three_seconds_at_most_for_those_who_never_register(
    made: House,
) -> None:
    start = trio.current_time()
    idlers = [await made.call() for _ in range(5)]
    await idlers[0].number()
    await idlers[0].send(b"\0\0")
    sessions = [
        Session(Settings(name=f"Client {seed}", options=options(end=20), seed=seed))
        for seed in range(3)
    ]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(made.play, sessions)
        for idler in idlers[1:]:
            await idler.number()
        assert trio.current_time() - start <= 3
    # They have played; who never registered lost the seat to a computer.
    assert trio.current_time() - start <= 3 + 3 + 20.1
    for session in sessions:
        assert session.facts[-1].kind == "end"
        assert judge([session]).games == 1


@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
async def test_a_connection_that_breaks_over_tcp(reset: bool, tmp_path: Path) -> None:
    hurt = table_of_four("hurt", 30)
    driven: list[Session] = []

    def vanish(port: int, session: Session) -> None:
        with socket.create_connection((HOST, port), timeout=30) as connection:
            Driver(session.talk(), connection).run(steps=60)
            if reset:
                no_linger = struct.pack("ii", 1, 0)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, no_linger)

    def stay(port: int, settings: Settings) -> None:
        driven.append(play(HOST, port, settings))

    async with listening(tmp_path, "--grace", "0") as running:
        with trio.fail_after(30):
            async with trio.open_nursery() as nursery:
                for session in hurt[:3]:
                    run = partial(stay, running.port, session.settings)
                    nursery.start_soon(trio.to_thread.run_sync, run)
                run = partial(vanish, running.port, hurt[3])
                nursery.start_soon(trio.to_thread.run_sync, run)
                for seed in range(4):
                    beside = Settings(name="B", table="beside", options=options(end=30), seed=seed)
                    run = partial(stay, running.port, beside)
                    nursery.start_soon(trio.to_thread.run_sync, run)
    beside_table = [session for session in driven if session.settings.table == "beside"]
    assert judge(beside_table).games == 1
    stayed = [session for session in driven if session.settings.table == "hurt"]
    assert all(session.facts[-1].kind == "end" for session in stayed)
    report = Referee({session.me: session.facts for session in (*stayed, hurt[3])}).judge()
    assert report.games == 1
