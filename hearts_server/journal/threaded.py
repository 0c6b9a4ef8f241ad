"""A journal whose database one thread writes: play is durable before anybody hears of it.

The event loop only puts items into a queue; the thread takes all that wait as one transaction
(group commit), and then lets the loop call their callbacks, in order. With a spool nobody waits for
a line: the thread takes those of two seconds at once.

The queue is bounded by the tables: a table proposes at most four lines (the passes) before one of
them is durable, and one for each player whom the host removes, so with a database that fails
nothing piles up. It is bounded by the size of the spool, if there is one, which takes nothing while
the database fails.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import inf
from typing import TypeVar

import trio

from hearts.hosting.store import Done, Session
from hearts.net.logline import EventLog

from .keeper import JournalKeeper
from .spool import QueuedStore, Spool
from .store import (
    Begin,
    StoredItem,
    StoredSession,
    StoreTrouble,
)
from .writing import Writer

log = EventLog(__name__)

T = TypeVar("T")

END_LIMIT = 5.0
"""Seconds that the thread has at the end to write what waits."""
_CHECK_STOP_LIMIT = 1.0
_LOOK_EVERY = 1.0
GATHER = 0.002
"""Seconds that a line waits for others at most."""
EXPECTED = 0.01
"""Seconds since the lines before, within which others are expected."""
_FAST = 0.02
"""Seconds between two lines of a table that plays faster than people."""


class Gathering:
    """Decides whether the journal waits a moment for more lines before it commits.

    A commit and the waking of its thread cost several times what a line does, so tables share them.
    If many tables are played at full speed, all lines that are ready come together anyway. If
    people think, the lines of a hundred tables come one by one, a millisecond apart. Then the first
    one waits for :data:`GATHER`, which nobody notices.

    If a table has stored a line a moment ago, it is not held up: it plays faster than people do,
    alone or with few others, and each of its lines waits for the one before. A line is not held up
    either if no other line is expected with it.
    """

    def __init__(self) -> None:
        self._latest = -inf
        self._now: set[int] = set()
        self._before: set[int] = set()
        """The games with lines since a time, and those of :data:`_FAST` before it."""
        self._since = -inf

    def waits(self, games: Iterable[int], now: float) -> bool:
        """Return True if the lines of these games wait for others."""
        if (passed := now - self._since) >= _FAST:
            self._before = self._now if passed < 2 * _FAST else set()
            self._now, self._since = set(), now
        games = set(games)
        expected = now - self._latest < EXPECTED
        is_fast = not games.isdisjoint(self._now) or not games.isdisjoint(self._before)
        self._now |= games
        self._latest = now
        return expected and not is_fast


Check = Callable[[threading.Event], None]
"""Looks at all that is stored, until that event is set."""


class ThreadedJournal:
    """A journal that outlives its server; a keeper stores it.

    Its keeper reads it, then it runs, and while it runs it takes sessions. What is ``durable`` is
    told on the loop, for each session in the order in which it was given, and is there after any
    kill.
    """

    def __init__(
        self, keeper: JournalKeeper, *, spool: Spool | None = None, check: Check | None = None
    ) -> None:
        """``check`` is called in a thread of its own while it runs."""
        self.on_trouble: Callable[[str | None], None] = lambda why: None
        """Gets the reason when writing begins to fail, and None when it works again; on the loop.

        If a write takes more than some seconds, that counts as failing. From then on nothing is
        durable, and nothing is lost: it is tried again and again.
        """
        self.on_refused: Callable[[int], None] = lambda game_number: None
        """Gets the number of a game that cannot be stored whatever is tried; on the loop.

        Nothing of it is acknowledged any more, and its table has to end.
        """
        self.statistics = keeper.statistics
        self.keeper = keeper
        self.writer = Writer(keeper, self._call_back, self._trouble, self._refused, spool)
        self._spool = spool
        self._check = check
        self._checking = threading.Lock()
        self._stop_check = threading.Event()
        self._gathering = Gathering()
        self._collected: list[StoredItem] = []
        self._wanted = trio.Event()
        self._token: trio.lowlevel.TrioToken | None = None

    def close(self) -> None:
        """Close a journal that does not run. The end of :meth:`run` closes it as well."""
        self.keeper.tables.close()
        if self._spool is not None:
            self._spool.close()

    # On the loop

    @property
    def waiting(self) -> int:
        """The number of lines, beginnings and ends that are on their way to the disk."""
        spooled = 0 if self._spool is None else self._spool.waiting
        return len(self._collected) + self.writer.waiting + spooled

    def begin(self, session: Session, durable: Done) -> QueuedStore:
        """Store a new session; ``durable`` is called on the loop when it is."""
        store = QueuedStore(self._put, self._spool, session.game_number)
        put = self._put if self._spool is None else self.writer.begin
        put(Begin(session.game_number, session, store.waiting(durable)))
        return store

    def take_up(self, stored: StoredSession) -> QueuedStore:
        """Go on with a session that the keeper has read."""
        count = len(stored.lines)
        last = stored.lines[-1] if count else ""
        return QueuedStore(self._put, self._spool, stored.session.game_number, count, last)

    def renew_spool(self) -> None:
        """Let nothing be left in the spool of lines that are stored."""
        if self._spool is not None:
            self._spool.renew()

    async def load(self, numbers: Sequence[int]) -> list[StoredSession]:
        """Read the sessions of these numbers with their lines; damaged ones are left out.

        It waits until the database answers.
        """
        return await self.in_thread(lambda: self.keeper.load(numbers))

    async def in_thread(self, call: Callable[[], T]) -> T:
        """Let the thread do something with its database, and wait for the result.

        It is done again while the database is in trouble. To be called while :meth:`run` runs,
        which raises all other errors.
        """
        while True:
            answers: list[T] = []
            done = trio.Event()
            self.writer.do(partial(self._answer, call, answers, done))
            await done.wait()
            if answers:
                return answers[0]
            await trio.sleep(self.writer.retry_every)

    def _answer(self, call: Callable[[], T], answers: list[T], done: trio.Event) -> None:
        with contextlib.suppress(StoreTrouble):
            with self.keeper.connected():
                answer = call()
            # Not before: what was done may turn out not to be certain.
            answers.append(answer)
        self._call_back([done.set])

    def _put(self, item: StoredItem) -> None:
        self._collected.append(item)
        self._wanted.set()

    def _trouble(self, why: str | None) -> None:
        if self._spool is not None:
            self._spool.is_open = why is None
        self.on_trouble(why)

    def _refused(self, game_number: int) -> None:
        if self._spool is not None:
            self._spool.refused.add(game_number)
        self.on_refused(game_number)

    def _hand_over(self) -> None:
        items, self._collected = self._collected, []
        self.writer.give(items)

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Write items as they come until cancelled; then write those that wait, and close.

        It has to outlive the tables: later items are not stored. Raises Fenced; then nobody was
        told of an item that was not stored.
        """
        self._token = trio.lowlevel.current_trio_token()
        limit = trio.CancelScope(shield=True)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._own_thread, limit)
            nursery.start_soon(self._look)
            if self._spool is not None:
                nursery.start_soon(self._look_at, self._spool)
            if self._check is not None:
                nursery.start_soon(self._in_a_thread, partial(self._check_stored, self._check))
            task_status.started()
            try:
                while True:
                    # All tables that are ready now have their turn before the thread is woken:
                    # to wake it for each line costs several times what the line does.
                    await self._wanted.wait()
                    if self._spool is None and self._is_gathering():
                        await trio.sleep(GATHER)
                    self._wanted = trio.Event()
                    self._hand_over()
            finally:
                limit.deadline = trio.current_time() + END_LIMIT
                if self._spool is not None:
                    self._spool.is_open = False
                self._hand_over()
                self.writer.stop()

    def _is_gathering(self) -> bool:
        # Not in the frame of the task: while nothing comes, nothing holds the tables of the latest.
        games = (item.game_number for item in self._collected)
        return self._gathering.waits(games, trio.current_time())

    async def _look(self) -> None:
        while True:
            await trio.sleep(_LOOK_EVERY)
            self.writer.look()

    async def _look_at(self, spool: Spool) -> None:
        while True:
            await trio.sleep(_LOOK_EVERY)
            if fault := await trio.to_thread.run_sync(spool.look, abandon_on_cancel=True):
                spool.lose(fault)
            if spool.fault:
                # What was kept is to be stored now.
                self.writer.give([])

    async def _own_thread(self, limit: trio.CancelScope) -> None:
        with limit:
            await self._in_a_thread(self._write_all)
        if limit.cancelled_caught:
            log.error("journal-abandoned", seconds=END_LIMIT, waiting=self.waiting)

    @staticmethod
    async def _in_a_thread(call: Callable[[], None]) -> None:
        limiter = trio.CapacityLimiter(1)
        await trio.to_thread.run_sync(call, abandon_on_cancel=True, limiter=limiter)

    def _write_all(self) -> None:
        try:
            self.writer.run()
        finally:
            # The check may hold up the closing.
            self._stop_check.set()
            if self._checking.acquire(timeout=_CHECK_STOP_LIMIT):
                self._checking.release()
            self.close()

    def _check_stored(self, check: Check) -> None:
        with self._checking:
            check(self._stop_check)

    def _call_back(self, callbacks: Sequence[Callable[[], None]]) -> None:
        assert self._token is not None
        with contextlib.suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._call, callbacks)

    @staticmethod
    def _call(callbacks: Sequence[Callable[[], None]]) -> None:
        for callback in callbacks:
            try:
                callback()
            except Exception:
                log.exception("journal-callback-failed")
