"""Watching a table: an async iterator of what everybody may see (DealerSpec.md section 14.9).

::

    async with watch("localhost", game_number=7) as events:
        async for event in events:
            print(event)
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from math import inf

import trio

from hearts.dealer.client_connection import WatcherSession
from hearts.dealer.client_events import DealerEvent
from hearts.session.client_events import (
    CaughtUp,
    ConnectionLost,
    Refused,
    RegistrationRefused,
    SessionEnded,
)
from hearts.session.messages import Refusal
from hearts.session.picture import Picture

from .addresses import Addresses
from .choices import GONE
from .client import DEFAULT_PORT, PASSING, Dial
from .reach import CannotConnect, Tls
from .retries import Retries

_RECEIVE_BYTES = 4096
_CLOSE_LIMIT = 2.0
_RETURN_LIMIT = 30.0
"""Seconds for coming back, from the connection to the moment that is watched."""
_CLOSED = "the server has closed it"


class Watcher:
    """Somebody who watches; one task iterates over it."""

    def __init__(
        self,
        stream: trio.abc.Stream,
        open_session: Callable[[], WatcherSession],
        dial: Dial | None = None,
        retries: Retries | None = None,
    ) -> None:
        """``dial`` makes the next connection; without it the end of this one is the end."""
        self._stream = stream
        self._open_session = open_session
        self._session = open_session()
        self._dial = dial
        self._retries = Retries() if retries is None else retries
        self._retry_in: float | None = None
        self._has_watched = False
        self._back_by = inf

    @property
    def picture(self) -> Picture:
        """What we know of the table after the latest event; another one for each connection."""
        return self._session.picture

    def __aiter__(self) -> Watcher:
        return self

    async def __anext__(self) -> DealerEvent:
        """The next event; the last one is SessionEnded.

        After ConnectionLost the next connection begins with Watching again, and is told all.
        Raises RegistrationRefused if the table cannot be watched, and RemoteProtocolError for
        anything that no server of this protocol says.
        """
        if self._retry_in is not None:
            await trio.sleep(self._retry_in)
            problem = await self._connect_anew()
            if problem:
                return await self._lose(problem)
        while (event := self._session.next_event()) is None:
            if self._session.closed:
                raise StopAsyncIteration
            self._session.feed(await self._converse())
        match event:
            case CaughtUp():
                self._has_watched = True
                self._back_by = inf
                self._retries.up(trio.current_time())
            case SessionEnded(complete=False) if self._may_come_back:
                return await self._lose(_CLOSED)
            case Refused(Refusal.TABLE_TAKEN) if self._may_come_back:
                # The table has ended meanwhile.
                return SessionEnded(complete=False)
            case Refused(code, reason):
                refused = RegistrationRefused(code, reason)
                if code not in PASSING or not self._may_come_back:
                    raise refused
                return await self._lose(str(refused))
        return event

    async def _converse(self) -> bytes:
        with trio.CancelScope(deadline=self._back_by):
            try:
                data = self._session.bytes_to_send()
                if data:
                    await self._stream.send_all(data)
                return bytes(await self._stream.receive_some(_RECEIVE_BYTES))
            except GONE:
                return b""
        return b""

    @property
    def _may_come_back(self) -> bool:
        return self._dial is not None and self._has_watched

    async def _lose(self, why: str) -> SessionEnded | ConnectionLost:
        self._session.close()
        self._retry_in = self._retries.lost(trio.current_time())
        await trio.aclose_forcefully(self._stream)
        if self._retry_in is None:
            return SessionEnded(complete=False)
        return ConnectionLost(why, self._retry_in)

    async def _connect_anew(self) -> str:
        """Make the next connection, in place of the old one; gives why that failed, or nothing."""
        assert self._dial is not None
        try:
            self._stream = await self._dial()
        except CannotConnect as error:
            return str(error)
        self._session = self._open_session()
        self._retry_in = None
        self._back_by = trio.current_time() + _RETURN_LIMIT
        return ""

    async def aclose(self) -> None:
        """Close the connection; nothing follows."""
        self._session.close()
        with trio.move_on_after(_CLOSE_LIMIT):
            await self._stream.aclose()


@asynccontextmanager
async def watch(
    host: str,
    port: int = DEFAULT_PORT,
    *,
    game_number: int,
    name: str = "watcher",
    password: str = "",
    tls: Tls | None = None,
    retry_limit: float = 0.0,
) -> AsyncIterator[Watcher]:
    """Watch a public table that plays; ``game_number`` is that of the list of tables.

    A connection that is lost is made anew, again and again, until that has failed for
    ``retry_limit`` seconds; 0 for never. Raises CannotConnect, and LocalProtocolError for a name
    that cannot be sent.
    """

    def open_session() -> WatcherSession:
        return WatcherSession(game_number, name=name, password=password)

    dial = Addresses(host, port, tls).dial
    open_session()  # A bad name is found before anybody is called.
    next_one = dial if retry_limit else None
    watcher = Watcher(await dial(), open_session, next_one, Retries(retry_limit))
    try:
        yield watcher
    finally:
        await watcher.aclose()
