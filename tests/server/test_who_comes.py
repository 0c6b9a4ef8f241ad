"""The log names the people who sit down and leave, and takes a look at the tables for no fault."""

from __future__ import annotations

import logging

import pytest
import trio

from hearts.net.logline import LineFormatter
from tests.integration.house import House, four, options, text

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


async def test_four_sit_down_and_one_leaves(made: House, caplog: pytest.LogCaptureFixture) -> None:
    callers = await four(made)
    await callers[1].seated()
    await callers[1].leave()
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


@pytest.mark.parametrize(
    ("said", "logged"),
    [
        ([], []),
        ([text("Ann")], ["lost"]),
        ([text("Ann"), -8], ["tables-listed"]),
        ([text("Ann"), -8, 1000], ["tables-listed", "sat-down", "stood-up"]),
        ([text('Ann = "Bob"'), 1000], ["sat-down", "stood-up"]),
        (
            [text("Ann"), -2, *options(computers=0b1110), 1000],
            ["sat-down", "table-started", "left", "table-ended"],
        ),
    ],
)
@pytest.mark.house("--fill-after", "never")
async def test_who_comes_and_leaves(
    said: list[int | bytes], logged: list[str], made: House, caplog: pytest.LogCaptureFixture
) -> None:
    caller = await made.call()
    await caller.number()
    await caller.send(*said)
    await trio.testing.wait_all_tasks_blocked()
    await caller.leave()
    lines = told(caplog)
    assert [line["event"] for line in lines] == logged
    if "stood-up" in logged:
        assert lines[-1]["name"] == lines[-2]["name"]
    if logged == ["tables-listed"]:
        assert lines[0] == {
            "level": "info", "event": "tables-listed", "address": "192.0.2.1", "tables": "0",
        }  # fmt: skip
