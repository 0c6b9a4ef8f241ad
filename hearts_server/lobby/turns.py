"""Turns: the requests of strangers are done a little at a time, and the tables go first.

A pass of the event loop that serves a crowd is as long as the crowd is large, and every table waits
for its end. So a client that has no seat yet, or sends more than its share, takes a turn for each
step. There are few turns in a pass, and after a long pass some without any. The networks have them
one after the other, so a crowd waits for itself.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from math import inf

import trio
from msgspec import Struct

from hearts.limits.buckets import Bucket
from hearts.limits.networks import network_of, networks_of
from hearts.limits.work import LONGEST_PAUSE, WorkLimits
from hearts.net import Link
from hearts.net.logline import EventLog

log = EventLog("hearts_server.budget")

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
SHORTEST_WAIT = 0.001
"""Seconds that those who send what nobody waits for wait at least, once their share is used up."""


class NetworksInTurn:
    """The waiting for turns: networks get them one after the other, each in the order of asking."""

    def __init__(self) -> None:
        self._lines: OrderedDict[str, deque[Callable[[], None]]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._lines)

    def ask(self, network: str, take: Callable[[], None]) -> None:
        """Call ``take`` when it is the turn of somebody of this network."""
        self._lines.setdefault(network, deque()).append(take)

    async def wait(self, network: str) -> None:
        turn = trio.Event()
        self.ask(network, turn.set)
        try:
            await turn.wait()
        except trio.Cancelled:
            self.give_up(network, turn.set)
            raise

    def give_up(self, network: str, take: Callable[[], None]) -> None:
        """Take somebody of this network out of the line, if they wait."""
        line = self._lines.get(network)
        if line is not None and take in line:
            line.remove(take)
            if not line:
                del self._lines[network]

    def give(self) -> None:
        network, line = self._lines.popitem(last=False)
        take = line.popleft()
        if line:
            # Behind all others, who have had no turn for longer.
            self._lines[network] = line
        take()


class Turns:
    """Gives turns in the order of the networks that wait, and in each network in that of asking."""

    def __init__(self, nursery: trio.Nursery) -> None:
        """The nursery owns the task that counts passes, which lives while turns are asked for."""
        self._nursery = nursery
        self._left = IN_A_PASS
        self._counting = False
        self.waiting = NetworksInTurn()

    async def take(self, network: str) -> None:
        """Wait for a turn of somebody of this network; at once if nobody else wants one."""
        if not self._counting:
            self._counting = True
            self._nursery.start_soon(self._count_passes)
        if self._left and not self.waiting:
            self._left -= 1
            return
        await self.waiting.wait(network)

    async def _count_passes(self) -> None:
        try:
            while self.waiting or self._left < IN_A_PASS:
                await _let_tables_go_first()
                self._left = max(IN_A_PASS, len(self.waiting) // NETWORKS_FOR_A_TURN)
                while self._left and self.waiting:
                    self._left -= 1
                    self.waiting.give()
        finally:
            self._counting = False


class _IdleTurn(Struct, eq=False):
    """A turn that somebody waits for."""

    take: Callable[[], None] | None
    latest: float
    """The time at which it is given, however much is asked for before it."""
    waiting: NetworksInTurn
    network: str

    def give(self) -> None:
        take, self.take = self.take, None
        if take is not None:
            take()


class IdleTurns:
    """Gives turns to those who send what nobody waits for, as long as their share lasts.

    All turns of the others come first, then the networks that have a seat. Nobody waits longer
    than LONGEST_PAUSE.
    """

    def __init__(
        self, nursery: trio.Nursery, turns: Turns, share: Bucket, seats_held: Callable[[str], int]
    ) -> None:
        """``seats_held`` says how many seats an address's narrowest network has. The nursery owns
        the task that gives turns, which lives while somebody waits."""
        self._nursery = nursery
        self._turns = turns
        self._share = share
        self._seats_held = seats_held
        self._seated, self._strange = NetworksInTurn(), NetworksInTurn()
        # All of both, the one that has waited longest first.
        self._asked: deque[_IdleTurn] = deque()
        self._giving = False

    def ask(self, address: str, take: Callable[[], None]) -> None:
        """Call ``take`` when it is the turn of somebody at this address."""
        waiting = self._seated if self._seats_held(network_of(address)) else self._strange
        network = networks_of(address)[-1]
        turn = _IdleTurn(take, trio.current_time() + LONGEST_PAUSE, waiting, network)
        waiting.ask(network, turn.give)
        self._asked.append(turn)
        if not self._giving:
            self._giving = True
            self._nursery.start_soon(self._give_out)

    async def _give_out(self) -> None:
        try:
            while self._seated or self._strange:
                # What a turn leads to is read, and paid for, a pass or two later.
                await _let_tables_go_first()
                while self._asked and self._asked[0].take is None:
                    self._asked.popleft()
                now = trio.current_time()
                latest = self._asked[0].latest if self._asked else inf
                if latest <= now:
                    late = self._asked.popleft()
                    late.waiting.give_up(late.network, late.give)
                    late.give()
                elif owed := self._share.owed(now):
                    await trio.sleep(min(max(owed, SHORTEST_WAIT), latest - now))
                elif not self._turns.waiting and (waiting := self._seated or self._strange):
                    waiting.give()
        finally:
            self._giving = False


class ThoughtsInPass(trio.abc.Instrument):
    """Counts the choices that bots think about in one pass of the event loop."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._made = 0

    def after_io_wait(self, timeout: float) -> None:
        self._made = 0

    def has_one_more(self) -> bool:
        """Count a choice; return False if there were enough in this pass."""
        self._made += 1
        return self._made <= self.most


async def _let_tables_go_first() -> None:
    began = trio.current_time()
    await trio.lowlevel.checkpoint()
    now = trio.current_time()
    left = min(int((now - began) / LONG_PASS), MOST_PASSES)
    while left and now - began < LONGEST_WAIT:
        await trio.lowlevel.checkpoint()
        now = trio.current_time()
        left -= 1


class Budget:
    """The work of one connection. If that is too much, it is not read for a while."""

    def __init__(
        self,
        link: Link,
        address: str,
        limits: WorkLimits,
        turns: Turns,
        idle_turns: IdleTurns,
        paused: Callable[[], None],
    ) -> None:
        """``paused`` is called once, when the connection is paused for the first time."""
        self._link = link
        self._address = address
        self._work = limits.of(address, trio.current_time())
        self._network = networks_of(address)[-1]
        self._turns = turns
        self._idle_turns = idle_turns
        self._paused: Callable[[], None] | None = paused

    async def turn(self) -> None:
        """Wait until the server has time for a stranger."""
        await self._turns.take(self._network)

    def charge(self, work: float) -> None:
        """Charge the client for work of the server."""
        if self._work is None:
            return
        seconds = self._work.spend(work, trio.current_time())
        if seconds:
            self._link.pause(seconds, self.turn)
            self._was_slowed()

    def charge_idle(self, work: float) -> None:
        """Charge the client for work that nobody waited for.

        Beyond what is free it waits for its turn from then on, whenever it has said something,
        until it has been calm for a while.
        """
        if self._work is None:
            return
        seconds = self._work.spend_idle(work, trio.current_time())
        if seconds is None:
            return
        self._link.ask_turn = self._ask_turn
        if seconds:
            self._link.pause(seconds)

    def _ask_turn(self, take: Callable[[], None]) -> None:
        if self._work is None or self._work.is_calm(trio.current_time()):
            take()
        else:
            self._was_slowed()
            self._idle_turns.ask(self._address, take)

    def _was_slowed(self) -> None:
        if self._paused is not None:
            self._paused()
            self._paused = None
            log.info("slowed", address=self._address)
