"""A server for the tests of documents, of which every byte is known beforehand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

import pytest
import trio
from trio.abc import Clock, Instrument
from trio.testing import MockClock

from tests.vectors.vector_house import VectorServer


@pytest.fixture
async def house(nursery: trio.Nursery) -> AsyncIterator[VectorServer]:
    """Its time stands still unless the test moves it."""
    clock = trio.lowlevel.current_clock()
    assert isinstance(clock, MockClock)
    yield VectorServer(nursery, clock)
    nursery.cancel_scope.cancel()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let a test with the fixture ``house`` run in its time."""
    if isinstance(item, pytest.Function) and "house" in item.fixturenames:
        item.add_marker(pytest.mark.trio(run=_run))


def _run(
    test: Callable[[], Awaitable[object]], clock: Clock | None, instruments: Sequence[Instrument]
) -> object:
    return trio.run(test, clock=MockClock(), instruments=instruments)
