"""A door: leads clients to the lobby, and with the lobby's letter to whoever plays their table.

A client does not notice. If the node that it is led to dies, its connection ends; if there is no
lobby, or the owner of its table is silent, it is held for some seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol

import trio
from msgspec import Struct

from hearts.errors import RemoteProtocolError
from hearts.hosting.registrar import BegunElsewhere
from hearts.net import Link, Pump, TcpStream, TlsTalk
from hearts.net.link import GONE
from hearts.net.logline import EventLog
from hearts.session.messages import Refusal
from hearts.session.registration import Registration, RegistrationEnded
from hearts.wire.codec import encode_int

from .calling import NOT_REACHED, Caller, exactly, is_refused, socket_stream
from .handshake import Errand
from .leading import LedConnections, say_last
from .letters import ANSWER, FRAME, SIZE, FrameHead, Letter
from .membership import Peer
from .splicing import UNREAD, all_taken, splice

log = EventLog(__name__)

HOLD_LIMIT = 8.0
"""Seconds for which a connection waits for a lobby, or for the owner of its table."""
ANSWER_LIMIT = 3.0
"""Seconds in which a node has to answer a letter."""
KEPT_LIMIT = 1 << 16
"""Bytes of a client that the lobby may leave unread."""
_LOOK_EVERY = 0.1


class OtherNodes(Protocol):
    """Knows the nodes of the club."""

    @property
    def life(self) -> int:
        """The own life."""

    @property
    def lobby(self) -> Peer | None:
        """The live node that is the lobby, which may be this one; None for none."""

    def peer(self, life: int) -> Peer | None:
        """The other node of a live life."""

    def refused(self, peer: Peer) -> None:
        """A node took no connection."""


class OwnTables(Protocol):
    """The tables that a node plays itself."""

    async def owner_of(self, game_number: int) -> int:
        """The life that has this session, which is looked for where all are stored, and claimed
        if its owner is over. The own one as well if there is no such session any more; 0 if that
        cannot be told now."""

    async def take_in(self, link: Link, address: str, letter: Letter, said: bytes) -> None:
        """Own the connection of a client whose table is here to its end; ``said`` is what it has
        said already, behind what the letter tells of."""


class Door:
    """Leads connections of clients."""

    def __init__(
        self,
        caller: Caller,
        nodes: Callable[[], OtherNodes],
        tables: Callable[[], OwnTables],
        pump: Pump,
        hold_limit: float = HOLD_LIMIT,
    ) -> None:
        """``nodes`` and ``tables`` are asked each time that a connection comes; ``pump`` reads the
        connections to owners of tables."""
        self._caller = caller
        self._pump = pump
        self._nodes = nodes
        self._tables = tables
        self._hold_limit = hold_limit
        self._led = LedConnections()

    async def serve(self, link: Link, address: str) -> None:
        """Own the connection of a client to its end."""
        try:
            if not await link.ready():
                return
            with trio.move_on_after(self._hold_limit) as held:
                lobby, life = await self._call_lobby(address)
            if held.cancelled_caught:
                log.info("no-lobby", address=address)
                await say_last(link, encode_int(Refusal.SERVER_FULL))
                return
            found = await self._led.lead(life, AtLobby(link, lobby).run)
            if isinstance(found, Followed):
                await self._follow(link, address, found.letter, found.unread)
            else:
                await say_last(link, b"")
        finally:
            link.close()

    def lives_changed(self, lives: Collection[int]) -> None:
        """End the connections that lead to other lives than these: nobody answers there."""
        self._led.lives_changed(lives)

    async def _call_lobby(self, address: str) -> tuple[TcpStream, int]:
        nodes = self._nodes()
        while True:
            peer = nodes.lobby
            if peer is not None:
                stream = await self._call(peer, Errand.NEWCOMER, address, nodes.life)
                if stream is not None:
                    return stream, peer.life
            await trio.sleep(_LOOK_EVERY)

    async def _call(
        self, peer: Peer, errand: Errand, address: str, door: int = 0
    ) -> TcpStream | None:
        try:
            return await self._caller.call(peer.address, errand, address, door)
        except NOT_REACHED as error:
            if is_refused(error):
                self._nodes().refused(peer)
            log.debug("node-does-not-answer", node=peer.name, why=error)
            return None

    # With a letter

    async def _follow(self, link: Link, address: str, letter: Letter, said: bytes) -> None:
        with trio.move_on_after(self._hold_limit) as held:
            owner, stream = await self._find(address, letter)
        if held.cancelled_caught:
            log.info("no-owner", address=address, game=letter.game_number)
            await say_last(link, _refusal(letter))
        elif stream is None:
            await self._tables().take_in(link, address, letter, said)
        else:
            await self._led.lead(owner, Splicing(link, stream, said, self._pump).run)

    async def _find(self, address: str, letter: Letter) -> tuple[int, TcpStream | None]:
        """The owner of a table, and a connection to it that has taken the letter; the latter is
        None if that is this node."""
        nodes, owner = self._nodes(), letter.owner
        while True:
            if owner != nodes.life:
                peer = nodes.peer(owner)
                stream = None
                if peer is not None:
                    stream = await self._call(peer, Errand.LETTER, address)
                if stream is not None and await self._is_taken(stream, letter, owner):
                    return owner, stream
            # Looked for where it is stored: it may have another owner by now, or need one.
            found = await self._tables().owner_of(letter.game_number)
            if found == nodes.life:
                return found, None
            owner = found or owner
            await trio.sleep(_LOOK_EVERY)

    async def _is_taken(self, stream: TcpStream, letter: Letter, owner: int) -> bool:
        data = letter.encode()
        answer = 0
        try:
            with trio.fail_after(ANSWER_LIMIT):
                await stream.send_all(SIZE.pack(len(data)) + data)
                (answer,) = ANSWER.unpack(await exactly(stream, ANSWER.size))
        except NOT_REACHED as error:
            log.debug("letter-not-taken", life=owner, why=error)
        finally:
            if answer != owner:
                await trio.aclose_forcefully(socket_stream(stream))
        return bool(answer == owner)


class Followed(Struct, frozen=True):
    """A letter has come for a client."""

    letter: Letter
    unread: bytes
    """Bytes of the client that the lobby has not taken."""


class AtLobby:
    """A client at the lobby: its bytes as they are, and those of the lobby in frames."""

    def __init__(self, link: Link, lobby: TcpStream) -> None:
        self._link = link
        self._lobby = lobby
        self._kept = bytearray()
        """Bytes of the client that the lobby has not taken, as far as it has told."""
        self._taken = 0

    async def run(self) -> Followed | None:
        """Carry bytes until a letter comes; None if the connection ends before."""
        letter = None
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._carry_to_lobby, nursery)
                letter = await self._carry_to_client()
                nursery.cancel_scope.cancel()
        finally:
            await trio.aclose_forcefully(socket_stream(self._lobby))
        return None if letter is None else Followed(letter, bytes(self._kept))

    async def _carry_to_lobby(self, nursery: trio.Nursery) -> None:
        link, lobby = self._link, self._lobby
        try:
            while data := await link.read():
                self._kept += data
                if len(self._kept) > KEPT_LIMIT:
                    link.abort("said too much that nobody waits for")
                    break
                # Some clients hold their next bytes back until these are confirmed.
                link.quick_ack()
                await lobby.send_all(data)
            if link.why_lost is None:
                await _end(lobby)
            else:
                nursery.cancel_scope.cancel()
        except GONE as error:
            log.debug("lobby-lost", why=error)

    async def _carry_to_client(self) -> Letter | None:
        link, lobby = self._link, self._lobby
        try:
            while not link.ending:
                head = await exactly(lobby, FRAME.size)
                is_letter, taken, size = FrameHead.decode(head)
                if not 0 <= taken - self._taken <= len(self._kept):
                    raise RemoteProtocolError(f"{taken} bytes of a client are taken")
                del self._kept[: taken - self._taken]
                self._taken = taken
                if is_letter:
                    return Letter.decode(await exactly(lobby, size))
                while size and not link.ending:
                    data = await exactly(lobby, min(size, UNREAD))
                    size -= len(data)
                    link.write(data)
                    link.flush()
                    if link.backlog > UNREAD:
                        await all_taken(link)
        except (*GONE, RemoteProtocolError) as error:
            log.debug("lobby-lost", why=error)
        return None


class Splicing:
    """A client and the owner of its table."""

    def __init__(self, link: Link, owner: TcpStream, said: bytes, pump: Pump) -> None:
        self._link = link
        self._owner = owner
        self._said = said
        self._pump = pump

    async def run(self) -> None:
        """Carry bytes both ways until both have ended."""
        async with trio.open_nursery() as nursery:
            owner = self._pump.link(self._owner, nursery)
            owner.write(self._said)
            owner.flush()
            await splice(self._link, owner)


def _refusal(letter: Letter) -> bytes:
    if not isinstance(letter.client, BegunElsewhere):
        return b""
    refused = RegistrationEnded(Refusal.SERVER_FULL, "your table cannot be found now, try again")
    return Registration(letter.client.half).refuse(refused)


async def _end(stream: TcpStream) -> None:
    if isinstance(stream, TlsTalk):
        await stream.end()
    else:
        await stream.send_eof()
