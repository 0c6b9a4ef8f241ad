"""A server that was stopped and goes on: the time meanwhile is taken from nobody."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from hearts.game.events import ChosenBy

from .house import House, four, options

LIMIT = 60
HOUR = 3600.0


def chosen(made: House, *by: ChosenBy) -> int:
    """Choices that were made by these."""
    choices = made.server.metrics.choices
    return int(sum(counter.value for (_, who), counter in choices.items() if who in by))


@pytest.mark.house("--turn-limit", str(LIMIT), "--grace", "60")
async def test_nobody_loses_his_choice(made: House, autojump_clock: MockClock) -> None:
    players = await four(made, -2, *options())
    for caller in players:
        await caller.seated()
    await trio.sleep(LIMIT / 2)
    autojump_clock.jump(HOUR)
    await trio.sleep(LIMIT / 2 - 2)
    assert chosen(made, ChosenBy.CLOCK, ChosenBy.STAND_IN) == 0
    # Nobody has read anything, so his clock has not begun at once (5.4).
    await trio.sleep(3 * LIMIT)
    assert chosen(made, ChosenBy.CLOCK) > 0


@pytest.mark.house("--turn-limit", "3600", "--grace", "60")
async def test_nobody_loses_his_grace(made: House, autojump_clock: MockClock) -> None:
    players = await four(made, -2, *options())
    for caller in players:
        await caller.seated()
    await players[3].stream.aclose()
    await trio.sleep(30)
    autojump_clock.jump(HOUR)
    await trio.sleep(25)
    assert chosen(made, ChosenBy.CLOCK, ChosenBy.STAND_IN) == 0
    await trio.sleep(10)
    assert chosen(made, ChosenBy.STAND_IN) == 1
