"""Sessions that an earlier server left. They are taken up one by one while people play.

To read a session of ten hands and to bring its table to where it stood takes 2 ms of a processor.
So a server that has many of them takes up a part at a time, and first the sessions that players
come back to. Until then only the names of the tables and the holders of their seats are known.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from itertools import chain, islice

import trio
from msgspec import Struct

from hearts.hosting.store import Session
from hearts.limits.table_limits import TablesByNetwork
from hearts_server.journal.store import StoredSession

PART = 20
"""Sessions that are read at once."""

Read = Callable[[Sequence[int]], Awaitable[Sequence[StoredSession]]]
"""Reads the sessions of these numbers; one that cannot be read is left out."""


class AwaitedTable(Struct, frozen=True):
    """A table that goes on and is not taken up yet, as the limits count it."""

    opener: str
    """The network of the player who opened it; empty if it is not known."""
    client_count: int = 0
    """The people who are connected."""


class AwaitedSessions:
    """The sessions that are still to be taken up: first those that go on, then those that ended."""

    def __init__(self) -> None:
        self._going_on: dict[int, Session] = {}
        self._over: dict[int, Session] = {}
        self.by_network = TablesByNetwork[AwaitedTable]()
        """Those that go on, as the limits count them."""
        self.names: dict[str, int] = {}
        """The numbers of those that go on, by the names of their tables."""
        self._wanted: dict[int, trio.Event] = {}
        """Sessions that somebody waits for, in order; events are set when they are settled."""

    def expect(self, going_on: Iterable[Session], over: Iterable[Session] = ()) -> None:
        for session in going_on:
            self._going_on[session.game_number] = session
            self.names[session.table_name] = session.game_number
            self.by_network.add(session.game_number, AwaitedTable(session.opener))
        self._over.update((session.game_number, session) for session in over)

    @property
    def going_on(self) -> Iterator[Session]:
        return iter(self._going_on.values())

    @property
    def count(self) -> int:
        return len(self._going_on)

    def __contains__(self, game_number: object) -> bool:
        return game_number in self._going_on or game_number in self._over

    async def wait_for(self, game_number: int) -> None:
        """Wait until a session is taken up, or cannot be; not at all if it is not awaited."""
        if game_number in self:
            await self._wanted.setdefault(game_number, trio.Event()).wait()

    def forget(self) -> None:
        for number in [*self._going_on, *self._over]:
            self._settle(number)

    async def take_up(self, read: Read, take_up: Callable[[StoredSession], object]) -> bool:
        """Have a part taken up, which ``read`` reads; False if none was left."""
        # Those that somebody waits for go first, alone: others would only hold them up.
        part = list(islice(self._wanted or chain(self._going_on, self._over), PART))
        for stored in await read(part) if part else ():
            number = stored.session.game_number
            # It may have been forgotten while it was read.
            if number in self:
                take_up(stored)
                self._settle(number)
            await trio.lowlevel.checkpoint()
        for number in part:
            self._settle(number)
        return bool(part)

    def _settle(self, number: int) -> None:
        session = self._going_on.pop(number, None)
        if session is not None:
            self.by_network.remove(number, session.opener)
            if self.names.get(session.table_name) == number:
                del self.names[session.table_name]
        self._over.pop(number, None)
        settled = self._wanted.pop(number, None)
        if settled is not None:
            settled.set()
