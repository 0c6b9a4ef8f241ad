"""The log names the people who sit down and leave, and takes a look at the tables for no fault."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from hearts.net.logline import LineFormatter
from tests.integration.house import Caller, House, four, house, listed, options, register, text

from .test_logs import Pairs, parse


@pytest.fixture(autouse=True)
def _readable(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    caplog.handler.setFormatter(LineFormatter())


def told(caplog: pytest.LogCaptureFixture) -> list[Pairs]:
    """The events so far, without their times."""
    lines = [parse(line) for line in caplog.text.splitlines()]
    for line in lines:
        del line["time"], line["logger"]
    return lines


def events(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [line["event"] for line in told(caplog)]


async def test_four_sit_down_and_one_leaves(
    tmp_path: Path, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with house(tmp_path) as made:
        callers = await four(made)
        await callers[1].seated()
        await callers[1].stream.aclose()
        await trio.testing.wait_all_tasks_blocked()
        lines = told(caplog)
    people = [{"address": "192.0.2.1", "player": str(player)} for player in range(4)]
    names = ("Ann", "Bob", "Cleo", "Dan")
    head = {"level": "info", "event": "sat-down"}
    assert lines[:4] == [
        {**head, **who, "name": name} for who, name in zip(people, names, strict=True)
    ]
    started, left = lines[4:6]
    assert (started["event"], started["players"]) == ("table-started", "Ann, Bob, Cleo, Dan")
    game = started["game"]
    assert left == {"level": "info", "event": "left", "game": game, "player": "1", "name": "Bob"}


async def test_who_leaves_a_table_that_forms_has_stood_up(
    tmp_path: Path, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with house(tmp_path, "--fill-after", "never") as made:
        caller = await made.call()
        await register(caller, name='Ann = "Bob"')
        await caller.stream.aclose()
        await trio.testing.wait_all_tasks_blocked()
        assert told(caplog)[-1]["name"] == told(caplog)[0]["name"]
    assert events(caplog) == ["sat-down", "stood-up"]


async def test_a_table_that_has_begun_is_not_stood_up_from(
    tmp_path: Path, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with house(tmp_path) as made:
        caller = await made.call()
        await register(caller, -2, *options(computers=0b1110))
        await caller.seated()
        await caller.stream.aclose()
        await trio.testing.wait_all_tasks_blocked()
    assert events(caplog) == ["sat-down", "table-started", "left", "table-ended"]


async def ask_for_tables(caller: Caller) -> None:
    await caller.number()
    await caller.send(text("Ann"))
    assert await listed(caller) == []


async def test_a_list_of_tables_is_no_loss(
    tmp_path: Path, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with house(tmp_path) as made:
        caller = await made.call()
        await ask_for_tables(caller)
        await caller.stream.aclose()
        await trio.testing.wait_all_tasks_blocked()
    (line,) = told(caplog)
    assert line == {
        "level": "info", "event": "tables-listed", "address": "192.0.2.1", "tables": "0",
    }  # fmt: skip


@pytest.mark.parametrize(("said", "logged"), [(text("Ann"), ["lost"]), (b"", [])])
async def test_who_leaves_without_having_asked_is_lost_unless_he_has_said_nothing(
    said: bytes,
    logged: list[str],
    tmp_path: Path,
    autojump_clock: MockClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with house(tmp_path) as made:
        caller = await made.call()
        await caller.number()
        await caller.send(said)
        await caller.stream.aclose()
        await trio.testing.wait_all_tasks_blocked()
    assert events(caplog) == logged


@pytest.mark.house("--fill-after", "never")
async def test_a_player_who_has_asked_for_the_tables_is_a_player(
    made: House, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    caller = await made.call()
    await ask_for_tables(caller)
    await caller.send(1000)
    await trio.testing.wait_all_tasks_blocked()
    assert events(caplog) == ["tables-listed", "sat-down"]
