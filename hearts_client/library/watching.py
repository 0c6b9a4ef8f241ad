"""Watching a table: an async iterator of what everybody may see (DealerSpec.md section 14.9).

::

    async with watch("localhost", game_number=7) as events:
        async for event in events:
            print(event)
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from hearts.dealer.client_events import DealerEvent
from hearts.dealer.client_watch import WatcherSession
from hearts.session.client_events import Refused, RegistrationRefused
from hearts.session.picture import Picture

from .client import DEFAULT_PORT
from .reach import Tls, open_stream

_RECEIVE_BYTES = 4096
_CLOSE_LIMIT = 2.0
_GONE = (OSError, trio.BrokenResourceError, trio.ClosedResourceError)


class Watcher:
    """One connection that watches; one task iterates over it."""

    def __init__(self, stream: trio.abc.Stream, session: WatcherSession) -> None:
        self._stream = stream
        self._session = session

    @property
    def picture(self) -> Picture:
        """What we know of the table after the latest event."""
        return self._session.picture

    def __aiter__(self) -> Watcher:
        return self

    async def __anext__(self) -> DealerEvent:
        """The next event; the last one is SessionEnded.

        Raises RegistrationRefused if the table cannot be watched, and RemoteProtocolError for
        anything that no server of this protocol says.
        """
        while (event := self._session.next_event()) is None:
            if self._session.closed:
                raise StopAsyncIteration
            self._session.feed(await self._converse())
        if isinstance(event, Refused):
            raise RegistrationRefused(event.code, event.reason)
        return event

    async def _converse(self) -> bytes:
        try:
            data = self._session.bytes_to_send()
            if data:
                await self._stream.send_all(data)
            return bytes(await self._stream.receive_some(_RECEIVE_BYTES))
        except _GONE:
            return b""

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
) -> AsyncIterator[Watcher]:
    """Watch a public table that plays; ``game_number`` is that of the list of tables.

    A connection that is lost is not made anew. Raises CannotConnect, and LocalProtocolError for a
    name that cannot be sent.
    """
    session = WatcherSession(game_number, name=name, password=password)
    watcher = Watcher(await open_stream(host, port, tls), session)
    try:
        yield watcher
    finally:
        await watcher.aclose()
