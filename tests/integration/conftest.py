"""Every integration test wants nothing logged as an error; many want a house in virtual time."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path

import pytest
import trio
from trio.abc import Clock, Instrument
from trio.testing import MockClock

from .house import House, house


@pytest.fixture(autouse=True)
def no_error_is_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    caplog.set_level(logging.INFO)
    yield
    errors = [r.getMessage() for r in caplog.get_records("call") if r.levelno >= logging.ERROR]
    assert not errors


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let a test that has a house run in virtual time."""
    if isinstance(item, pytest.Function) and "made" in item.fixturenames:
        item.add_marker(pytest.mark.trio(run=_in_virtual_time))


def _in_virtual_time(
    test: Callable[[], Awaitable[object]], clock: Clock | None, instruments: Sequence[Instrument]
) -> object:
    # pytest-trio looks for a clock among the arguments of the test alone.
    clock = clock or MockClock(autojump_threshold=0)
    return trio.run(test, clock=clock, instruments=instruments)


@pytest.fixture
async def made(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[House]:
    """A house in virtual time, with the options of the test's mark ``house``."""
    mark = request.node.get_closest_marker("house")
    async with house(tmp_path, *(mark.args if mark else ())) as made:
        yield made
