"""A journal in memory, for servers that are tested without a disk. It keeps to the contract."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable, Iterator
from copy import deepcopy

import trio
from msgspec import Struct, field
from msgspec.structs import replace

from hearts.hosting.store import Done, Session, StoredSeat
from hearts.net.logline import EventLog
from hearts_server.journal.store import JournalStatistics, PruneTarget, StoredSession

log = EventLog(__name__)


class Kept(Struct):
    """What is kept of a session."""

    session: Session
    lines: list[str] = field(default_factory=list)
    ended: int | None = None
    why: str = ""

    def stored(self) -> StoredSession:
        return StoredSession(self.session, tuple(self.lines), self.ended, self.why)


class Memory:
    """The place of a memory journal."""

    def __init__(self) -> None:
        self.sessions: dict[int, Kept] = {}
        self.is_broken = False

    def open(self, on_trouble: Callable[[str | None], None] = lambda why: None) -> MemoryJournal:
        return MemoryJournal(self, on_trouble)

    @contextlib.contextmanager
    def broken(self) -> Iterator[None]:
        self.is_broken = True
        try:
            yield
        finally:
            self.is_broken = False

    def copy(self) -> Memory:
        left = Memory()
        left.sessions = deepcopy(self.sessions)
        return left

    def stored(self) -> list[StoredSession]:
        """All sessions."""
        return [kept.stored() for _, kept in sorted(self.sessions.items())]


class MemoryStore:
    """Takes the lines of one session."""

    def __init__(self, journal: MemoryJournal, game_number: int) -> None:
        self._journal = journal
        self._game_number = game_number

    def append(self, line: str, durable: Done) -> None:
        self._journal.put(self._game_number, lambda kept: kept.lines.append(line), durable)

    def change_seat(self, player: int, seat: StoredSeat) -> None:
        def change(kept: Kept) -> None:
            seats = list(kept.session.seats)
            seats[player] = replace(
                seats[player], network=seat.network, said=seat.said, muted=seat.muted
            )
            kept.session = replace(kept.session, seats=tuple(seats))

        self._journal.put(self._game_number, change, lambda: None)

    def end(self, why: str, durable: Done) -> None:
        def end(kept: Kept) -> None:
            kept.ended, kept.why = int(time.time()), why

        self._journal.put(self._game_number, end, durable)


class MemoryJournal:
    """A journal that runs on the loop: each change takes a moment, or none, to be durable."""

    def __init__(
        self,
        memory: Memory,
        on_trouble: Callable[[str | None], None] = lambda why: None,
        delay: float = 0.0,
    ) -> None:
        """``delay`` is in seconds."""
        self._memory = memory
        self._delay = delay
        self._queue: deque[tuple[int, Callable[[Kept], None] | Session, Done]] = deque()
        self._some = trio.Event()
        self._refused: set[int] = set()
        self.on_trouble = on_trouble
        self.on_refused: Callable[[int], None] = lambda game_number: None
        self.statistics = JournalStatistics()

    @property
    def waiting(self) -> int:
        return len(self._queue)

    def read(self, finished_since: int, most_finished: int = 1000) -> list[StoredSession]:
        kept = self._memory.sessions
        over = [n for n, one in kept.items() if one.ended is not None]
        late = [n for n in over if (kept[n].ended or 0) >= finished_since]
        late.sort(key=lambda n: kept[n].ended or 0, reverse=True)
        numbers = (kept.keys() - set(over)) | set(late[:most_finished])
        return [kept[number].stored() for number in sorted(numbers)]

    def highest_game_number(self) -> int:
        return max(self._memory.sessions, default=0)

    def prune(self, wanted: PruneTarget) -> None:
        kept = self._memory.sessions
        for number in [n for n, one in kept.items() if one.ended is not None]:
            if (kept[number].ended or 0) < wanted.keep_since:
                del kept[number]

    def close(self) -> None:
        pass

    def begin(self, session: Session, durable: Done) -> MemoryStore:
        self.put(session.game_number, session, durable)
        return MemoryStore(self, session.game_number)

    def take_up(self, stored: StoredSession) -> MemoryStore:
        return MemoryStore(self, stored.session.game_number)

    def put(self, number: int, change: Callable[[Kept], None] | Session, durable: Done) -> None:
        """Make a change in a while, and say that it is durable."""
        self._queue.append((number, change, durable))
        self._some.set()

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Make changes durable, one after the other."""
        task_status.started()
        try:
            while True:
                await self._some.wait()
                self._some = trio.Event()
                while self._queue:
                    await trio.sleep(self._delay)
                    self._work()
                    if self._memory.is_broken:
                        break
                if self._memory.is_broken:
                    await trio.sleep(0.01)
                    self._some.set()
        finally:
            while self._queue and not self._memory.is_broken:
                self._work()
            if self._queue:
                log.error("journal-gave-up", unwritten=len(self._queue))

    def _work(self) -> None:
        statistics = self.statistics
        if self._memory.is_broken:
            if statistics.failing_since is None:
                statistics.failing_since = time.monotonic()
                log.error("journal-failing", why="broken")
                self.on_trouble("broken")
            return
        if statistics.failing_since is not None:
            statistics.failing_since = None
            log.warning("journal-works-again")
            self.on_trouble(None)
        number, change, durable = self._queue.popleft()
        if number in self._refused:
            return
        kept = self._memory.sessions
        if isinstance(change, Session):
            if number in kept:
                self._refused.add(number)
                log.error("journal-refused", game=number, why="the number is taken")
                self.on_refused(number)
                return
            kept[number] = Kept(change)
        else:
            before = len(kept[number].lines)
            change(kept[number])
            statistics.lines_written += len(kept[number].lines) - before
        statistics.batches += 1
        try:
            durable()
        except Exception:
            log.exception("journal-callback-failed")
