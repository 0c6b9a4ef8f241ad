"""Watching a table: an async iterator of the public events (DealerSpec.md section 14.9).

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
from hearts.session.client_events import (
    CaughtUp,
    ConnectionLost,
    DealerEvent,
    RegistrationRefused,
    SessionEnded,
)
from hearts.session.messages import Refusal
from hearts.session.picture import Picture

from .addresses import Addresses
from .client import DEFAULT_PORT
from .reach import Tls
from .retries import Dial, Retries, ReturningLine


class Watcher(ReturningLine[WatcherSession]):
    """Somebody who watches. After ConnectionLost all is told again, beginning with Watching."""

    def __init__(
        self,
        stream: trio.abc.Stream,
        open_session: Callable[[], WatcherSession],
        dial: Dial | None = None,
        retries: Retries | None = None,
    ) -> None:
        super().__init__(stream, open_session(), dial, retries)
        self._open_session = open_session
        self._has_watched = False

    @property
    def picture(self) -> Picture:
        """Our knowledge of the table after the latest event; another one for each connection."""
        return self._session.picture

    def _follow(self, event: DealerEvent) -> None:
        if isinstance(event, CaughtUp):
            self._has_watched = True
            self._back_by = inf
            self._retries.up(trio.current_time())

    async def _refuse(self, refused: RegistrationRefused) -> SessionEnded | ConnectionLost:
        if refused.code == Refusal.TABLE_TAKEN and self._can_come_back:
            # The table has ended meanwhile.
            return SessionEnded(complete=False)
        return await super()._refuse(refused)

    def _next_session(self) -> WatcherSession:
        return self._open_session()

    @property
    def _can_come_back(self) -> bool:
        return self._dial is not None and self._has_watched


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
    """Watch a public table that plays; ``game_number`` comes from the list of tables.

    If the connection is lost, a new one is tried again and again, until that has failed for
    ``retry_limit`` seconds; with 0 it is not tried at all. Raises CannotConnect, and
    LocalProtocolError for a name that cannot be sent.
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
