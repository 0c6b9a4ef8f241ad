"""What the tests of journals share: sessions, lines, and places that outlive a journal."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from functools import partial
from typing import Protocol, TypeVar

import trio

from hearts.game.rules import STANDARD
from hearts.hosting.store import Session, Store, StoredSeat
from hearts.session.table_words import Description, PlayerKind
from hearts.table.inputs import Setting
from hearts.table.seat import Kind
from hearts_server.journal.keeper import GOING_ON, LATELY_OVER
from hearts_server.journal.store import StoredSession
from hearts_server.journal.threaded import ThreadedJournal

from .memory import MemoryJournal

COUNTS = Description(PlayerKind.PROGRAM, 820, 'counts "♠"')
SEATS = (
    StoredSeat("Ann", Kind.CLIENT, 101, "192.0.2.7"),
    StoredSeat("Bjørn ♠", Kind.CLIENT, -7, "2001:db8::/64", COUNTS),
    StoredSeat("Moe", Kind.COMPUTER, 0, level=1),
    StoredSeat("", Kind.CLIENT, 2**31 - 1),
)

J = TypeVar("J", bound=ThreadedJournal | MemoryJournal)


class StorePlace(Protocol):
    """Where a store keeps its sessions; it outlives the journals that are opened on it."""

    def open(self, on_trouble: Callable[[str | None], None] = ...) -> ThreadedJournal:
        """A journal on what is there, that tries again soon where writing fails."""

    def broken(self) -> AbstractContextManager[object]:
        """Nothing can be written within the block."""

    def copy(self) -> StorePlace:
        """What is left if the server is killed at this moment."""


def session(number: int = 1) -> Session:
    return Session(
        number,
        "Table 1",
        False,
        Setting(STANDARD, 100, 60, 60.0, 600.0, True),
        SEATS,
        1000,
        "192.0.2.7",
    )


def nothing() -> None:
    pass


def hands(count: int, plays: int = 5) -> Iterator[str]:
    for number in range(count):
        yield f"deal {number}"
        yield from (f"play {number} {play}" for play in range(plays))


@asynccontextmanager
async def running(journal: J) -> AsyncIterator[J]:
    async with trio.open_nursery() as nursery:
        await nursery.start(journal.run)
        yield journal
        nursery.cancel_scope.cancel()


async def stored(store: Store, lines: Sequence[str]) -> None:
    """Store lines and wait until the last one is durable."""
    done = trio.Event()
    for line in lines[:-1]:
        store.append(line, nothing)
    store.append(lines[-1], done.set)
    await done.wait()


def read(journal: ThreadedJournal, since: int, most: int = 1000) -> list[StoredSession]:
    """All sessions that go on, and of those that ended since a Unix time the latest, by number."""
    keeper = journal.keeper
    found = keeper.left(GOING_ON) + keeper.left(LATELY_OVER, since, most)
    return keeper.load(sorted(each.game_number for each in found))


def reread(place: StorePlace, finished_since: int = 2**40) -> dict[int, StoredSession]:
    """The sessions as the next server finds them."""
    journal = place.open()
    try:
        return {found.session.game_number: found for found in read(journal, finished_since)}
    finally:
        journal.close()


def lines_in(place: StorePlace, finished_since: int = 2**40) -> dict[int, list[str]]:
    return {number: list(one.lines) for number, one in reread(place, finished_since).items()}


def wait_for(condition: Callable[[], bool]) -> None:
    """Look again and again, where a thread that nobody waits for does something."""
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


class Ward:
    """Watches what a journal says while it has trouble."""

    def __init__(self) -> None:
        self.acknowledged: list[int] = []
        self.reasons: list[str | None] = []
        self.failing = trio.Event()
        self.works = trio.Event()

    def on_trouble(self, why: str | None) -> None:
        self.reasons.append(why)
        (self.failing if why else self.works).set()

    def append(self, store: Store, numbers: range) -> None:
        for number in numbers:
            store.append(f"line {number}", partial(self.acknowledged.append, number))
