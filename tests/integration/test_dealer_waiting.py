"""For whom the dealer waits: while a table is forming, and while somebody thinks."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from tests.independent.dealer import PlayerConnection
from tests.independent.dealer_frames import (
    DO_PASS,
    REGISTER_OPPONENTS,
    SEATED,
    WAITING,
    ServerFrame,
)
from tests.independent.plain_client import OwnSession, Talk, Think

from .dealers import Life, settings, sit
from .house import House, judge, options

Told = tuple[int, int, int, int]
"""State, players, waited and left of a P_WAITING."""


def waits(session: OwnSession) -> list[Told]:
    assert isinstance(session, PlayerConnection)
    frames = [frame for frame in session.frames if frame.type == WAITING]
    return [(f["state"], f["players"], f["waited"], f["left"]) for f in frames]


def up_to_seated(session: PlayerConnection) -> list[ServerFrame]:
    at = next(n for n, frame in enumerate(session.frames) if frame.type == SEATED)
    return session.frames[:at]


@pytest.mark.house("--fill-after", "20")
async def test_while_the_table_is_forming(made: House) -> None:
    """Each who comes or leaves is told at once, to those who are registered."""
    async with trio.open_nursery() as nursery:
        first = PlayerConnection(settings(0, options=options("standard", 16)))
        await sit(nursery, made, first)
        await trio.sleep(5)
        gone = Life(PlayerConnection(settings(1)))
        nursery.start_soon(gone.run, await made.call(), lambda session: len(session.frames) == 3)
        await trio.testing.wait_all_tasks_blocked()
        await trio.sleep(5)
        plain = OwnSession(settings(1))
        await sit(nursery, made, plain)
        await trio.sleep(5)
        late = PlayerConnection(settings(2))
        await sit(nursery, made, late)
    assert judge([first, plain, late]).games == 1
    assert waits(first)[:5] == [
        (401, 0b1110, 0, 20_000),
        (401, 0b1100, 5000, 15_000),
        (401, 0b1110, 5000, 15_000),
        (401, 0b1100, 10_000, 10_000),
        (401, 0b1000, 15_000, 5000),
    ]
    assert waits(late)[0] == waits(first)[4]
    kinds = [frame.type for frame in up_to_seated(first)]
    assert kinds[1:] == [REGISTER_OPPONENTS, WAITING] * 5
    names = [info.name for info in up_to_seated(late)[1]["players"]]
    assert names == ["Ann", "Bob", "Cleo", ""]


class SlowFirstPass(PlayerConnection):
    """Thinks for so long at its first pass."""

    seconds = 0.0

    def _misbehave(self, query: ServerFrame) -> Talk:
        if query.type == DO_PASS and self.seconds:
            seconds, self.seconds = self.seconds, 0.0
            yield Think(seconds)


@pytest.mark.house("--turn-limit", "60")
async def test_while_somebody_thinks(made: House) -> None:
    """After a second, then every 5 s, and whenever fewer are waited for."""
    async with trio.open_nursery() as nursery:
        sessions: list[OwnSession] = []
        for seat, seconds in enumerate((0, 14.5, 8.5, 0)):
            options_of_0 = options("standard", 16) if seat == 0 else None
            thinker = SlowFirstPass(settings(seat, options=options_of_0))
            thinker.seconds = seconds
            sessions.append(OwnSession(settings(3)) if seat == 3 else thinker)
        await sit(nursery, made, *sessions)
    judge(sessions)
    told = [told for told in waits(sessions[0]) if told[0] != 401]
    assert told[:4] == [
        (407, 0b0110, 1000, 59_000),
        (407, 0b0110, 6000, 54_000),
        (407, 0b0010, 8500, 51_500),
        (407, 0b0010, 13_500, 46_500),
    ]
    for session in sessions[1:3]:
        assert [t for t in waits(session) if t[0] != 401][: len(told)] == told


@pytest.mark.house("--turn-limit", "0", "--grace", "12")
async def test_who_is_away_is_waited_for(made: House) -> None:
    """Until their grace is over; the clock does not go on for less."""
    async with trio.open_nursery() as nursery:
        first = PlayerConnection(settings(0, options=options("pass=never", 16, 0b1100)))
        await sit(nursery, made, first)
        leaver = Life(PlayerConnection(settings(1)))
        nursery.start_soon(leaver.run, await made.call(), lambda s: len(s.frames) > 25)
    assert first.facts[-1].kind == "end"
    told = [t for t in waits(first) if t[0] == 411]
    assert told[:3] == [(411, 2, 1000, 11_000), (411, 2, 6000, 6000), (411, 2, 11_000, 1000)]
    assert first.people[1].presence == 2
