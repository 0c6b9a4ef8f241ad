"""Honest clients that are slow: they ignore clocks, or acknowledge late, and stay in step."""

from __future__ import annotations

from pathlib import Path

import pytest
from trio.testing import MockClock

from hearts.game.deal import SECRET_BYTES
from hearts.game.events import Deal
from tests.independent.client import Session, Settings

from .house import House, house, judge, options


async def test_a_blocking_client_plays_a_game_under_a_limit_of_one_second(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    sessions = [
        Session(Settings(options=options("moon=choice", 60), seed=1)),
        # Thinks up to four times as long as it may, and acknowledges when it comes to it.
        Session(Settings(think_seconds=4, think_chance=0.5, wrong=0.1, seed=2)),
        Session(Settings(ack_seconds=0.3, seed=3)),
        Session(Settings(ack_seconds=2, think_seconds=2, think_chance=0.2, seed=4)),
    ]
    # Of other deals he makes so few choices in time that chance would decide about the last lines.
    deals = (Deal.from_secret(bytes([number]) * SECRET_BYTES) for number in range(100))
    async with house(tmp_path, "--turn-limit", "1", deals=lambda: deals) as made:
        await made.play(sessions)
    report = judge(sessions)
    assert report.games == 1
    assert report.forced[1] > 5
    assert report.forced[3] > 5
    assert report.forced[0] == 0
    own = [fact for fact in sessions[1].facts if fact.kind == "play" and fact.numbers[1] == 0]
    assert len(own) > 2


@pytest.mark.house("--turn-limit", "1")
async def test_a_client_that_always_is_too_late_stays_in_step(made: House) -> None:
    sessions = [
        Session(Settings(options=options(end=20), again=1, seed=1)),
        Session(Settings(seed=2)),
        Session(Settings(seed=3)),
        Session(Settings(ack_seconds=1, think_seconds=15, think_chance=1, wrong=0.3, seed=4)),
    ]
    await made.play(sessions)
    report = judge(sessions)
    assert report.games == 2
    assert report.forced[3] >= 14 * report.hands - 3 * report.games


@pytest.mark.house("--bot-pause", "0.5", "--end-score", "40")
async def test_a_slow_client_that_knows_no_option_blocks_is_seated_and_plays(made: House) -> None:
    session = Session(Settings(name="Plain", reasons=False, ack_seconds=3, again=1, seed=1))
    await made.play([session])
    assert session.facts[1].texts == ("Plain", "Moe", "Larry", "Curly")
    assert [f.numbers for f in session.facts if f.kind == "table"] == [(1, 0, 40, 60, 14)] * 2
    report = judge([session])
    assert report.games == 2
    assert not report.forced[0]
