"""The door of the chat: leads connections to the one taunt server of the club, that of the lobby.

A client does not notice. If the lobby dies, its connection ends, and it comes again as it does when
a chat ends; if there is no chat, it is held for some seconds and then refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Protocol

import trio

from hearts.net import Link, Pump, TcpStream
from hearts.net.logline import EventLog
from hearts.net.places import connect_to
from hearts.taunt import Status, encode_status
from hearts.wire.proxy_header import proxy_header

from .calling import NOT_REACHED, Caller, exactly, socket_stream
from .handshake import Errand
from .leading import LedConnections, say_last
from .membership import Peer
from .splicing import splice

log = EventLog(__name__)

HOLD_LIMIT = 8.0
"""Seconds for which a connection waits for a chat."""
ANSWER_LIMIT = 3.0
"""Seconds in which the lobby, and its taunt server, have to take a connection."""
TAKEN = b"\x01"
"""What the lobby says when its taunt server has taken a connection."""
_LOOK_EVERY = 0.1


class ChatNodes(Protocol):
    """Knows where the club's chat is."""

    @property
    def life(self) -> int:
        """The own life."""

    @property
    def lobby(self) -> Peer | None:
        """The live node that is the lobby, which may be this one; None for none."""


class ChatDoor:
    """Leads connections of the chat, of clients and of other nodes."""

    def __init__(
        self,
        caller: Caller,
        nodes: Callable[[], ChatNodes],
        is_there: Callable[[], bool],
        own: str,
        pump: Pump,
        hold_limit: float = HOLD_LIMIT,
    ) -> None:
        """``nodes``, and whether there is a chat as far as this node knows (``is_there``), is asked
        when a connection comes; ``own`` is the Unix socket at which this node's taunt server takes
        connections while it is the lobby; ``pump`` reads them."""
        self._caller = caller
        self._nodes = nodes
        self._is_there = is_there
        self._own = own
        self._pump = pump
        self._hold_limit = hold_limit
        self._led = LedConnections()

    async def serve(self, link: Link, address: str) -> None:
        """Own the connection of a client to its end."""
        try:
            if not await link.ready():
                return
            with trio.move_on_after(self._hold_limit) as held:
                life, stream = await self._find(address)
            if held.cancelled_caught:
                log.info("no-chat", address=address)
                await say_last(link, encode_status(Status.REFUSED))
            else:
                await self._led.lead(life, partial(self._join, link, stream))
        finally:
            link.close()

    async def take_in(self, stream: TcpStream, address: str) -> None:
        """Own a connection that another node brings to its end: the chat is here."""
        try:
            with trio.fail_after(ANSWER_LIMIT):
                own = await self._reach_own(address)
        except NOT_REACHED as error:
            log.debug("chat-away", why=error)
            return
        async with trio.open_nursery() as nursery:
            client = self._pump.link(stream, nursery)
            client.write(TAKEN)
            client.flush()
            await splice(client, self._pump.link(own, nursery))

    def lives_changed(self, lives: Collection[int]) -> None:
        """End the connections that lead to other lives than these."""
        self._led.lives_changed(lives)

    async def _find(self, address: str) -> tuple[int, TcpStream]:
        nodes = self._nodes()
        while True:
            # Nobody is called in vain, for many may wait here.
            peer = nodes.lobby if self._is_there() else None
            if peer is not None:
                try:
                    with trio.fail_after(ANSWER_LIMIT):
                        if peer.life == nodes.life:
                            return peer.life, await self._reach_own(address)
                        return peer.life, await self._reach(peer.address, address)
                except NOT_REACHED as error:
                    log.debug("chat-away", life=peer.life, why=error)
            await trio.sleep(_LOOK_EVERY)

    async def _reach(self, where: str, address: str) -> TcpStream:
        stream = await self._caller.call(where, Errand.CHAT, address)
        try:
            await exactly(stream, len(TAKEN))
        except BaseException:
            await trio.aclose_forcefully(socket_stream(stream))
            raise
        return stream

    async def _reach_own(self, address: str) -> trio.SocketStream:
        stream = await connect_to(self._own)
        try:
            await stream.send_all(proxy_header(address))
        except BaseException:
            await trio.aclose_forcefully(stream)
            raise
        return stream

    async def _join(self, link: Link, stream: TcpStream) -> None:
        async with trio.open_nursery() as nursery:
            await splice(link, self._pump.link(stream, nursery))
