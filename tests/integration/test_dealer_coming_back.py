"""Coming back in the dealer dialect and in the other one, in every phase, and after SIGKILL."""

from __future__ import annotations

import random
import struct
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing

from hearts.game.deal import deal_code
from tests.independent import dealer_frames as p
from tests.independent.client import Fact, Session
from tests.independent.dealer import DealerSession
from tests.independent.referee import Referee, Report
from tests.soak.server import server

from .dealers import Life, Stop, call, player, settings
from .house import Caller, House, listening, options

PHASES = [p.CUT, p.DO_PASS, p.LEAD_CARD, p.PLAY_CARD, p.MOON_CHOICE, p.END_GAME, p.PLAY_AGAIN]
# With these deals the four shoot the moon (see test_every_write.py).
DEALS = [arg for n in (3, 5, 6) for arg in ("--deal", deal_code(bytes([n] * 16)))]


def judge(lives: Sequence[Life]) -> Report:
    transcripts = {life.session.me: life.joined.facts for life in lives}
    for life in lives:
        assert life.session.facts[-1].kind == "end"
    return Referee(transcripts, came_back=True).judge()


def at_frame(kind: int, later: int, times: int = 1) -> Stop:
    """Breaks off at the n-th frame of a type, or some requests later, when the answer is sent."""
    left = later

    def stop(session: Session) -> bool:
        nonlocal left
        assert isinstance(session, DealerSession)
        if sum(frame.type == kind for frame in session.frames) < times:
            return False
        left -= 1
        return left < 0

    return stop


def four(cuts: bool) -> list[Life]:
    """Four who help player 0 to shoot the moon; he decides about the 26 and another game."""
    lives = []
    for seat in range(4):
        given = settings(seat, plodding=True, shooter=0, again=1, cuts=cuts)
        if seat == 0:
            given = replace(given, options=options("moon=choice", 26))
        lives.append(Life(player("plain" if seat == 2 else "dealer", given)))
    return lives


@pytest.mark.parametrize("later", [0, 1, pytest.param(3, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.house(*DEALS, "--turn-limit", "3600")
async def test_in_every_phase(phase: int, later: int, made: House) -> None:
    """Player 0 comes back in this dialect, then in the other one, then in this one again."""
    first, *others = four(cuts=phase == p.CUT)

    async def come_and_go(caller: Caller) -> None:
        await first.run(caller, at_frame(phase, later))
        for dialect in ("dealer", "plain", "dealer"):
            first.come_back(dialect)
            stop = None if len(first.parts) == 3 else steps(60)
            await first.run(await made.call(), stop)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(come_and_go, await made.call())
        for life in others:
            await trio.testing.wait_all_tasks_blocked()
            nursery.start_soon(life.run, await made.call())
    report = judge([first, *others])
    assert report.games == 2
    assert report.shooters or phase == p.CUT
    assert not report.forced.total()
    begun = first.parts[0]
    assert isinstance(begun, DealerSession)
    assert phase in {frame.type for frame in begun.frames[-6:]}


def steps(count: int) -> Stop:
    """Breaks off after so many requests."""
    left = count

    def stop(session: Session) -> bool:
        nonlocal left
        left -= 1
        return left < 0

    return stop


KILLS = 3


async def test_after_sigkill_in_either_dialect(tmp_path: Path) -> None:
    """A real server is killed again and again; three clients come back, each now so, now so."""
    chance = random.Random(5)
    arguments = ("--journal", "normal", "--pause-limit", "600", "--turn-limit", "0")
    lives = [
        Life(player(dialect, settings(seat, table="the killed", again=1, cuts=seat == 1)))
        for seat, dialect in enumerate(("dealer", "dealer", "plain"))
    ]
    for life in lives:
        given = replace(life.session.settings, options=options("moon=choice", 60, 0b1000))
        life.session.settings = given
    with ExitStack() as stack:
        process = stack.enter_context(server(tmp_path / "data", *arguments))
        for number in range(KILLS + 1):
            process.begin()
            process.wait_ready()
            async with trio.open_nursery() as nursery:
                for life in lives:
                    if number:
                        life.come_back(chance.choice(("dealer", "plain")))
                    nursery.start_soon(life.run, await call(process.port))
                if number < KILLS:
                    await until_heard(lives, chance.randrange(20, 120))
                    process.kill()
        process.terminate()
        process.wait_ended()
        assert process.errors() == []
    report = judge(lives)
    assert report.games == 2
    assert all(len(life.parts) == KILLS + 1 for life in lives)


async def until_heard(lives: Sequence[Life], facts: int) -> None:
    """Let the clients play until each of them has so many facts of this connection."""
    while any(len(life.session.facts) < facts for life in lives):
        assert all(life.session.facts[-1:] != [Fact("end")] for life in lives)
        await trio.lowlevel.checkpoint()


async def frames_until(caller: Caller, last: int) -> dict[int, bytes]:
    """The latest payload of each type of frame up to one of that type."""
    came: dict[int, bytes] = {}
    while last not in came:
        type, _, length = await caller.numbers(3)
        came[type] = await caller.take(length)
    return came


def first_player(came: dict[int, bytes]) -> tuple[int, ...]:
    """Player, kind, level and presence of player 0."""
    return struct.unpack(">4i", came[p.REGISTER_OPPONENTS][:16])


async def test_who_a_player_is_outlives_the_server(tmp_path: Path) -> None:
    introduction, another = (
        struct.pack(">7i", p.REGISTER_PLAYER, 1, 17, kind, level, 0, 1) + b"\0"
        for kind, level in ((3, 500), (4, 7))
    )
    pausing = ("--pause-limit", "600")
    async with listening(tmp_path, *pausing) as server:
        caller = await call(server.port)
        await caller.send(4, b"Ann\0", -6, 1, -2, 0b1_1110, 0, 0, 1000, introduction)
        assert await caller.numbers(2) == (0, 1)
        came = await frames_until(caller, p.NEW_GAME)
        assert first_player(came) == (0, 3, 500, 1)
        _, game, game_id = struct.unpack(">3i", came[p.SEATED][:12])
        await caller.stream.aclose()
    shown = []
    for said in (b"", another, b""):
        async with listening(tmp_path, *pausing) as server:
            caller = await call(server.port)
            await caller.send(4, b"Ann\0", -6, 1, -5, game, game_id, 0, 1000, -1)
            assert (await caller.numbers(3))[1:] == (1, 1)
            await caller.send(1000, said, p.PING, 0, 0)
            came = await frames_until(caller, p.REPLAY)
            shown.append(first_player(came))
            if p.PONG not in came:
                await frames_until(caller, p.PONG)
            await caller.stream.aclose()
    assert shown == [(0, 3, 500, 0), (0, 3, 500, 0), (0, 4, 7, 0)]
