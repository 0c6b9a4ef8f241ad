"""Coming back in the dealer dialect and in the other one, in every phase, and after SIGKILL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
import trio
import trio.testing

from hearts.game.deal import deal_code
from tests.independent import dealer_frames as p
from tests.independent.dealer import PlayerConnection
from tests.independent.plain_client import OwnSession
from tests.independent.referee import Referee, TableReport

from .dealers import Life, Stop, player, settings
from .house import Caller, House, options

PHASES = [p.CUT, p.DO_PASS, p.LEAD_CARD, p.PLAY_CARD, p.MOON_CHOICE, p.END_GAME, p.PLAY_AGAIN]
# With these deals the four shoot the moon (see test_every_write.py).
DEALS = [arg for n in (3, 5, 6) for arg in ("--deal", deal_code(bytes([n] * 16)))]


def judge(lives: Sequence[Life]) -> TableReport:
    transcripts = {life.session.me: life.joined.facts for life in lives}
    for life in lives:
        assert life.session.facts[-1].kind == "end"
    return Referee(transcripts, came_back=True).judge()


def at_frame(kind: int, later: int, times: int = 1) -> Stop:
    """Breaks off at the n-th frame of a type, or some requests later, when the answer is sent."""
    left = later

    def stop(session: OwnSession) -> bool:
        nonlocal left
        assert isinstance(session, PlayerConnection)
        if sum(frame.type == kind for frame in session.frames) < times:
            return False
        left -= 1
        return left < 0

    return stop


def four(cuts: bool) -> list[Life]:
    """Four who help player 0 to shoot the moon; they decide about the 26 and another game."""
    lives = []
    for seat in range(4):
        given = settings(seat, plodding=True, shooter=0, again=1, cuts=cuts)
        if seat == 0:
            given = replace(given, options=options("moon=choice", 26))
        lives.append(Life(player("plain" if seat == 2 else "dealer", given)))
    return lives


@pytest.mark.parametrize(
    "later", [0, *(pytest.param(later, marks=pytest.mark.heavy) for later in (1, 3))]
)
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
    assert isinstance(begun, PlayerConnection)
    assert phase in {frame.type for frame in begun.frames[-6:]}


def steps(count: int) -> Stop:
    """Breaks off after so many requests."""
    left = count

    def stop(session: OwnSession) -> bool:
        nonlocal left
        left -= 1
        return left < 0

    return stop
