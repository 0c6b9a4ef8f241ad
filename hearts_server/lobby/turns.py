"""Turns: what strangers ask of the server is done a little at a time, and the tables go first.

A pass of the event loop that serves a crowd is as long as the crowd is large, and every table waits
for its end. So whoever has no seat yet, or sends more than his share, takes a turn for each step.
There are few turns in a pass, and after a long pass some without any. The networks have them one
after the other, so a crowd waits for itself.
"""

from __future__ import annotations

from collections import OrderedDict, deque

import trio

IN_A_PASS = 1
"""Turns in one pass of the event loop; one takes some tenths of a millisecond."""
NETWORKS_FOR_A_TURN = 16
"""With so many networks waiting for each of these turns there are more of them: after a restart
everybody comes back, and from everywhere."""
LONG_PASS = 0.00015
"""Seconds of a pass for which the next one has no turns, and for twice as many the next two."""
MOST_PASSES = 8
"""Passes without turns, at most."""
LONGEST_WAIT = 0.01
"""Seconds without turns after which there are some, however long the passes are."""


class Turns:
    """Gives turns in the order of the networks that wait, and in each network in that of asking."""

    def __init__(self, nursery: trio.Nursery) -> None:
        """The nursery owns the task that counts passes, which lives while turns are asked for."""
        self._nursery = nursery
        self._left = IN_A_PASS
        self._counting = False
        self._waiting: OrderedDict[str, deque[trio.Event]] = OrderedDict()

    async def take(self, network: str) -> None:
        """Wait for a turn of somebody of this network; at once if nobody else wants one."""
        if not self._counting:
            self._counting = True
            self._nursery.start_soon(self._count_passes)
        if self._left and not self._waiting:
            self._left -= 1
            return
        turn = trio.Event()
        self._waiting.setdefault(network, deque()).append(turn)
        try:
            await turn.wait()
        except trio.Cancelled:
            self._give_up(network, turn)
            raise

    def _give_up(self, network: str, turn: trio.Event) -> None:
        line = self._waiting.get(network)
        if line is not None and turn in line:
            line.remove(turn)
            if not line:
                del self._waiting[network]

    async def _count_passes(self) -> None:
        try:
            while self._waiting or self._left < IN_A_PASS:
                await _let_tables_go_first()
                self._left = max(IN_A_PASS, len(self._waiting) // NETWORKS_FOR_A_TURN)
                self._give_out()
        finally:
            self._counting = False

    def _give_out(self) -> None:
        while self._left and self._waiting:
            self._left -= 1
            network, line = self._waiting.popitem(last=False)
            line.popleft().set()
            if line:
                # Behind all others, who have had no turn for longer.
                self._waiting[network] = line


async def _let_tables_go_first() -> None:
    began = trio.current_time()
    await trio.lowlevel.checkpoint()
    now = trio.current_time()
    left = min(int((now - began) / LONG_PASS), MOST_PASSES)
    while left and now - began < LONGEST_WAIT:
        await trio.lowlevel.checkpoint()
        now = trio.current_time()
        left -= 1
