"""The end of a server in order: its tables stop after their hands, or at once for a standby."""

from __future__ import annotations

import trio

from hearts.hosting.hosted_table import HostedTable
from hearts.net.logline import EventLog
from hearts.table import Drain

from .children.chat import Chat
from .lobby.lobby import Lobby
from .lobby.open_connections import OpenConnections
from .lobby.sessions import Sessions

log = EventLog(__name__)

DRAIN_LIMIT = 60.0
"""Seconds after which a server that shuts down stops the hands that still run."""
LAST_WORDS_LIMIT = 2.5
"""Seconds for the last bytes of connections and chat when all tables have stopped."""
HAND_OVER_LIMIT = 0.5
"""The same for one whose standby waits."""


class ServerEnd:
    """The end of a server, which may come once."""

    def __init__(
        self, sessions: Sessions, lobby: Lobby, connections: OpenConnections, chat: Chat
    ) -> None:
        self._sessions = sessions
        self._lobby = lobby
        self._connections = connections
        self._chat = chat
        self._quiet = trio.Event()

    def table_ended(self) -> None:
        """A table has stopped."""
        if self._connections.draining and not self._sessions.has_running:
            self._quiet.set()

    async def drain(self) -> None:
        """Let nobody new in, and wait until the hands that are played are over, or DRAIN_LIMIT."""
        self._sessions.awaited.forget()
        for host in self._close_doors():
            host.notice("the server shuts down: the table stops after this hand")
            host.give(Drain())
        with trio.move_on_after(DRAIN_LIMIT):
            if self._sessions.has_running:
                await self._quiet.wait()
        await self._stop("the server shuts down", LAST_WORDS_LIMIT)

    async def hand_over(self) -> None:
        """Stop all tables at once, for a standby goes on with them."""
        self._close_doors()
        await self._stop("another server goes on with the table", HAND_OVER_LIMIT)

    def _close_doors(self) -> list[HostedTable]:
        """Let nobody new in; the tables that go on."""
        hosts = self._sessions.running
        log.info("draining", tables=len(hosts) + self._sessions.awaited.count)
        self._connections.draining = True
        self._lobby.drain()
        return hosts

    async def _stop(self, why: str, limit: float) -> None:
        self._sessions.awaited.forget()
        for host in self._sessions.running:
            host.stop(why)
        with trio.move_on_after(limit):
            await self._chat.drain()
            await self._connections.wait_empty()
