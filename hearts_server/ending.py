"""How a server ends in order: its tables stop, or are handed over to another node."""

from __future__ import annotations

from collections.abc import Callable

import trio

from hearts.hosting.hosted_table import HostedTable
from hearts.net.logline import EventLog
from hearts.table import Drain, HandOver

from .chat import Chat
from .lobby.lobby import Lobby
from .lobby.open_connections import OpenConnections
from .lobby.sessions import Sessions

log = EventLog(__name__)

DRAIN_LIMIT = 60.0
"""Seconds after which a server that shuts down stops the hands that still run."""
LAST_WORDS_LIMIT = 2.5
"""Seconds for the last bytes of connections and chat when all tables have stopped."""
_LOOK_EVERY = 0.1


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
        self.hands_over = False
        """Whether another node goes on with the tables, so that each stops after its hand."""
        self.is_handed_over = False
        """Whether they have stopped for that: nobody has anything more to do here."""

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
        self._stop_tables("the server shuts down")
        with trio.move_on_after(LAST_WORDS_LIMIT):
            await self._chat.drain()
            await self._connections.wait_empty()

    async def hand_over(self, handed_over: Callable[[], None]) -> None:
        """Stop all tables at once, for another node, when no hand is played, or at DRAIN_LIMIT.

        A table whose hand is over waits for the others with its connections open, for nobody else
        can go on with it sooner. ``handed_over`` is called before the tables stop.
        """
        self.hands_over = True
        for host in self._close_doors():
            host.notice("after this hand play waits for a moment, and goes on at another server")
            host.give(HandOver())
        with trio.move_on_after(DRAIN_LIMIT):
            while not all(  # noqa: ASYNC110  seldom, and a table need not know of it
                host.table.is_at_rest for host in self._sessions.running
            ):
                await trio.sleep(_LOOK_EVERY)
        hosts = self._sessions.running
        resting = sum(host.table.is_at_rest for host in hosts)
        log.info("handed-over", tables=len(hosts), resting=resting)
        self.is_handed_over = True
        handed_over()
        self._stop_tables("another server goes on with the table")
        # Nobody waits until each player has his last words: the other node tells them again.
        with trio.move_on_after(LAST_WORDS_LIMIT):
            await self._chat.drain()

    def _close_doors(self) -> list[HostedTable]:
        """Let nobody new in; the tables that go on."""
        hosts = self._sessions.running
        log.info("draining", tables=len(hosts) + self._sessions.awaited.count)
        self._connections.draining = True
        self._lobby.drain()
        return hosts

    def _stop_tables(self, why: str) -> None:
        self._sessions.awaited.forget()
        for host in self._sessions.running:
            host.stop(why)
