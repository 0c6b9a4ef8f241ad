"""News between nodes: each tells each other one what it has, again and again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import trio
from msgspec.structs import replace

from hearts.hosting.table_chat import Said
from hearts.net import TcpStream
from hearts.net.logline import EventLog
from hearts_server.cluster.calling import CALL_LIMIT, NOT_REACHED, Caller, exactly, socket_stream
from hearts_server.cluster.handshake import Errand
from hearts_server.cluster.membership import Peer
from hearts_server.lobby.known_tables import KnownTable

from .news import SIZE, News, news_size

log = EventLog(__name__)

TELL_EVERY = 0.4
"""Seconds between two tellings."""
SILENT_LIMIT = 5.0
"""Seconds without news after which the connection of a node counts as lost."""
MOST_SAID = 1 << 17
"""Notices for the chat that wait for a telling; more are dropped. A new taunt server is told a
dozen of each table."""


class Neighbours(Protocol):
    """Knows the other nodes."""

    @property
    def life(self) -> int:
        """The own life."""

    @property
    def lobby(self) -> Peer | None:
        """The node that is the lobby, which may be this one; None for none."""

    @property
    def peers(self) -> Sequence[Peer]:
        """The other live nodes."""


class Teller:
    """Tells each other node what this one has, and hears what they have."""

    def __init__(
        self,
        caller: Caller,
        nodes: Neighbours,
        look: Callable[[], News],
        hear: Callable[[int, News], None],
    ) -> None:
        """``look`` gives all that there is to tell, but for what is said in the chat; ``hear``
        gets what a life has told, the own one among them."""
        self._caller = caller
        self._nodes = nodes
        self._look = look
        self._hear = hear
        self._now = News(nodes.life, is_whole=True)
        self._tick = trio.Event()
        self._told: dict[int, trio.CancelScope] = {}
        self._said: list[Said] = []
        self.dropped = 0
        """Notices for the chat that nobody has heard."""

    def say(self, said: Said) -> None:
        """The taunt server of the lobby is to know or to tell this."""
        if len(self._said) < MOST_SAID:
            self._said.append(said)
        else:
            self.dropped += 1

    def take_back(self) -> None:
        """Forget what is to be said in the chat and was not told yet."""
        self._said.clear()

    async def run(self) -> None:
        """Tell until cancelled."""
        async with trio.open_nursery() as nursery:
            while True:
                self._now = self._look()
                self._hear(self._nodes.life, self._now)
                live = {peer.life for peer in self._nodes.peers}
                for peer in self._nodes.peers:
                    if peer.life not in self._told:
                        self._told[peer.life] = trio.CancelScope()
                        nursery.start_soon(self._tell_one, peer, self._told[peer.life])
                for life in [*self._told.keys() - live]:
                    self._told.pop(life).cancel()
                tick, self._tick = self._tick, trio.Event()
                tick.set()
                await trio.sleep(TELL_EVERY)

    async def _tell_one(self, peer: Peer, scope: trio.CancelScope) -> None:
        with scope:
            while True:
                try:
                    stream = await self._caller.call(peer.address, Errand.NEWS)
                    try:
                        await self._tell(stream, peer)
                    finally:
                        await trio.aclose_forcefully(socket_stream(stream))
                except NOT_REACHED as error:
                    log.debug("node-does-not-hear", node=peer.name, why=error)
                await trio.sleep(TELL_EVERY)

    async def _tell(self, stream: TcpStream, peer: Peer) -> None:
        told: dict[int, KnownTable] | None = None
        while True:
            now = self._now
            tables = {table.game_number: table for table in now.tables}
            if told is not None:
                changed = [t for n, t in tables.items() if told.get(n) != t]
                gone = tuple(told.keys() - tables.keys())
                now = replace(now, is_whole=False, tables=tuple(changed), gone=gone)
            lobby = self._nodes.lobby
            if lobby is not None and lobby.life == peer.life:
                said, self._said = self._said, []
                now = replace(now, said=tuple(said))
            with trio.fail_after(CALL_LIMIT):
                await stream.send_all(now.encode())
            told = tables
            await self._tick.wait()

    async def hear(self, stream: TcpStream) -> None:
        """Own a connection over which a node tells what it has."""
        try:
            while True:
                with trio.fail_after(SILENT_LIMIT):
                    size = news_size(await exactly(stream, SIZE.size))
                    news = News.decode(await exactly(stream, size))
                self._hear(news.life, news)
        except NOT_REACHED as error:
            log.debug("node-tells-nothing", why=error)
        finally:
            await trio.aclose_forcefully(socket_stream(stream))
