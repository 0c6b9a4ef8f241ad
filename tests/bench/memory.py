"""What a table without sockets holds in memory after some hands, as tracemalloc counts it."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Sequence

from tests.hosting.desk import DEALER, PLAIN, TableDesk

from .script import Inputs, SessionScript
from .session import table_desk


def table_sizes(
    script: SessionScript, hands: Sequence[int], dealer: Inputs | None = None
) -> list[int]:
    """Bytes of one table with its four clients after these numbers of hands, ascending.

    ``dealer`` is what they send in the dealer dialect. What a client would have read, what the
    store would have written and what the log and the chat would have said is thrown away.
    """
    dialect = PLAIN if dealer is None else DEALER
    inputs = script.inputs if dealer is None else dealer
    # The first table makes what all tables share.
    _play(table_desk(script.secrets, dialect), inputs, [1])
    tracemalloc.start()
    try:
        before = _traced()
        return [size - before for size in _play(table_desk(script.secrets, dialect), inputs, hands)]
    finally:
        tracemalloc.stop()


def _play(desk: TableDesk, inputs: Inputs, hands: Sequence[int]) -> list[int]:
    desk.begin()
    sizes: list[int] = []
    for player, data in inputs:
        for link in desk.links:
            link.pieces.clear()
            link.flushed = 0
        desk.store.lines.clear()
        desk.said.clear()
        while desk.table.past.hands_scored() >= hands[len(sizes)]:
            sizes.append(_traced())
            if len(sizes) == len(hands):
                return sizes
        desk.arrive(player, data)
    return [*sizes, _traced()]


def _traced() -> int:
    gc.collect()
    # The names that were looked up last are no table's.
    sys._clear_type_cache()
    return tracemalloc.get_traced_memory()[0]
