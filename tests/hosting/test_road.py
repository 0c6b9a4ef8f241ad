"""The cost of a play in calls of the project's functions, which repeat exactly; times do not."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from tests.bench.session import in_dealer_dialect, record_session, table_desk

from .desk import DEALER, PLAIN, DeskLink, TableDesk

ROOT = Path(__file__).parents[2]
COUNTED = tuple(str(ROOT / folder) for folder in ("hearts", "hearts_server"))
A_FLUSH = 3
"""Calls that a link of hearts.net takes to send; for the rest the desk's are as many as its own."""
HANDS = 3


def calls_of(do: Callable[[], None]) -> int:
    """How many functions of the project were called."""
    count = 0

    def see(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        if event == "call":
            if frame.f_code.co_filename.startswith(COUNTED):
                count += 1
            elif frame.f_code.co_qualname.startswith(DeskLink.__name__):
                count += A_FLUSH if frame.f_code.co_name == "flush" else 1

    sys.setprofile(see)
    try:
        do()
    finally:
        sys.setprofile(None)
    return count


def arrive(desk: TableDesk, player: int, data: bytes) -> Callable[[], None]:
    return lambda: desk.arrive(player, data)


@pytest.mark.parametrize(("dialect", "steady", "mean"), [(PLAIN, 80, 110), (DEALER, 125, 150)])
def test_a_choice_is_a_short_road(dialect: str, steady: int, mean: int) -> None:
    script = record_session(HANDS)
    desk = table_desk(script.secrets, dialect)
    desk.begin()
    steps, total = Counter[int](), 0
    for player, data in script.inputs if dialect == PLAIN else in_dealer_dialect(script):
        before = len(desk.store.lines)
        calls = calls_of(arrive(desk, player, data))
        total += calls
        if len(desk.store.lines) == before + 1:
            steps[calls] += 1
    assert desk.table.past.hands_scored() == HANDS
    # Three plays of four end no trick.
    assert steps.most_common(1)[0][0] <= steady
    assert total / len(desk.store.lines) <= mean
