"""How much the garbage collector looks at, and when."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
import trio
from trio.testing import MockClock

from hearts_server.running.serve import (
    FEW_TABLES,
    FULL_EVERY,
    YOUNG,
    YOUNG_ROUNDS,
    look_at_all,
    settle,
)

_MARGIN = 200
"""Objects that are made between the moment in which a round is due and the round."""


@pytest.fixture
def collector() -> Iterator[None]:
    """It is afterwards as it was."""
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.freeze()  # also what was frozen before
    gc.set_threshold(*before)
    gc.enable()


class Thing:
    """Something that may refer to itself."""

    itself: object = None


def test_no_round_looks_at_many_objects_however_many_live(collector: None) -> None:
    looked: list[int] = []

    def count(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            generations = range(info["generation"] + 1)
            looked.append(sum(len(gc.get_objects(each)) for each in generations))

    settle()
    gc.callbacks.append(count)
    try:
        living = [[number] for number in range(20 * YOUNG)]
    finally:
        gc.callbacks.remove(count)
    assert len(living) == 20 * YOUNG
    assert len(looked) >= 15
    assert max(looked) <= (YOUNG_ROUNDS + 2) * (YOUNG + _MARGIN)


async def test_all_are_looked_at_when_there_are_few_tables(
    collector: None, autojump_clock: MockClock
) -> None:
    gc.disable()
    thing = Thing()
    thing.itself = thing
    left = weakref.ref(thing)
    del thing
    tables = FEW_TABLES + 1
    async with trio.open_nursery() as nursery:
        nursery.start_soon(look_at_all, lambda: tables)
        await trio.sleep(FULL_EVERY * 2.5)
        assert left() is not None
        tables = FEW_TABLES
        await trio.sleep(FULL_EVERY)
        assert left() is None
        nursery.cancel_scope.cancel()
