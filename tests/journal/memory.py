"""A journal in memory, for servers that are tested without a disk."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterator

import trio
from msgspec import Struct, field

from hearts.hosting.store import Done, Session, StoredSeat
from hearts_server.journal.store import StoredSession


class Kept(Struct):
    """What is kept of a session."""

    session: Session
    lines: list[str] = field(default_factory=list)
    durable: int = 0
    """Lines that are safe."""
    ended: int | None = None
    why: str = ""


class MemoryStore:
    """Takes the lines of one session."""

    def __init__(self, put: Callable[[Done], None], kept: Kept) -> None:
        self._put = put
        self._kept = kept

    def append(self, line: str, durable: Done) -> None:
        def stored() -> None:
            self._kept.durable += 1
            durable()

        self._kept.lines.append(line)
        self._put(stored)

    def change_seat(self, player: int, seat: StoredSeat) -> None:
        pass

    def end(self, why: str, durable: Done) -> None:
        def stored() -> None:
            self._kept.ended, self._kept.why = 0, why
            durable()

        self._put(stored)


class MemoryJournal:
    """A journal that outlives its server; everything takes a moment to be durable, or none."""

    def __init__(self, delay: float | None = 0.0) -> None:
        """``delay`` is in seconds; without one everything is durable at once."""
        self.kept: dict[int, Kept] = {}
        self._delay = delay
        self._is_broken = False
        self._queue: deque[Done] = deque()
        self._some = trio.Event()

    @contextlib.contextmanager
    def broken(self) -> Iterator[None]:
        """Nothing is durable within the block."""
        self._is_broken = True
        try:
            yield
        finally:
            self._is_broken = False

    def put(self, stored: Done) -> None:
        """Call something when it is durable."""
        if self._delay is None:
            stored()
        else:
            self._queue.append(stored)
            self._some.set()

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Make everything durable, one after the other."""
        task_status.started()
        while True:
            await self._some.wait()
            while self._queue:
                await trio.sleep(0.01 if self._is_broken else self._delay or 0)
                if not self._is_broken:
                    self._queue.popleft()()
            self._some = trio.Event()

    def begin(self, session: Session, durable: Done) -> MemoryStore:
        kept = self.kept[session.game_number] = Kept(session)
        self.put(durable)
        return MemoryStore(self.put, kept)

    def take_up(self, stored: StoredSession) -> MemoryStore:
        return MemoryStore(self.put, self.kept[stored.session.game_number])

    def stored(self, torn: bool) -> list[StoredSession]:
        """What is there after a kill; lines that were not safe may be lost."""
        self._queue.clear()
        sessions = []
        for kept in self.kept.values():
            if torn:
                del kept.lines[kept.durable :]
            kept.durable = len(kept.lines)
            lines = tuple(kept.lines)
            sessions.append(StoredSession(kept.session, lines, kept.ended, kept.why))
        return sessions
