"""The port of a node: greets other nodes and load balancers, and takes in what nodes bring."""

from __future__ import annotations

import secrets
import ssl
from collections.abc import Awaitable, Callable, Sequence

import trio

from hearts.errors import RemoteProtocolError
from hearts.net import TcpStream
from hearts.net.link import GONE
from hearts.net.logline import EventLog

from .calling import CALL_LIMIT, begin_tls, exactly, socket_stream
from .handshake import (
    CHALLENGE_BYTES,
    INTRODUCED_BYTES,
    MOST_LIVES,
    OF_A_NODE,
    Errand,
    Greeting,
    KnownCaller,
    encode_lives,
    header_size,
    read_introduction,
)
from .letters import ANSWER, SIZE, Letter, letter_size

log = EventLog(__name__)

ServeLed = Callable[[TcpStream, str], Awaitable[object]]
"""Owns a connection that a door leads to the lobby to its end, for a client with this address."""
ServeNewcomer = Callable[[TcpStream, str, int], Awaitable[object]]
"""The same for a newcomer, whom the door of this life leads."""
TakeLetter = Callable[[Letter], Awaitable[int]]
"""The life that has the table of a letter; 0 for none."""
ServeLetter = Callable[[TcpStream, str, Letter], Awaitable[object]]
"""Owns a connection with a letter to its end."""
ServeNode = Callable[[TcpStream], Awaitable[object]]
"""Owns a connection over which a node tells what it has, or what its host wants, to its end."""
TAKE_LIMIT = 2.5
"""Seconds in which it is found who has the table of a letter; a door asks elsewhere after that."""
AWAITED = 256
"""Introductions that are waited for at once; further connections are just closed."""


class NodePort:
    """Greets whoever connects, and takes in the clients and the news that nodes bring."""

    def __init__(
        self, secret: bytes, lives: Callable[[], Sequence[int]], tls: ssl.SSLContext | None = None
    ) -> None:
        """``lives`` are those that are certain to be live, the own one first; none if the lease is
        over. With ``tls`` that follows a greeting in the clear, which load balancers read and
        which has nothing to hide."""
        self._secret = secret
        self._tls = tls
        self._lives = lives
        self._newcomers: tuple[Callable[[str], bool], ServeNewcomer] | None = None
        self._letters: tuple[TakeLetter, ServeLetter] | None = None
        self._serve_chat: ServeLed | None = None
        self._for_nodes: dict[Errand, ServeNode] = {}
        self._awaited = 0

    def take_letters(self, take: TakeLetter, serve: ServeLetter, hear_news: ServeNode) -> None:
        """Take in clients with letters, and news, from now on."""
        self._letters = take, serve
        self._for_nodes[Errand.NEWS] = hear_news

    def take_acts(self, serve: ServeNode) -> None:
        """Take in what the host says at other nodes, from now on."""
        self._for_nodes[Errand.ACT] = serve

    def open(self, admits: Callable[[str], bool], serve: ServeNewcomer) -> None:
        """Let newcomers in from now on, as the lobby; both get the client's address."""
        self._newcomers = admits, serve

    def take_chat(self, serve: ServeLed) -> None:
        """Take in clients of the chat from now on, as the lobby."""
        self._serve_chat = serve

    def shut(self) -> None:
        """Let nobody in any more, with a letter or without one."""
        self._newcomers = self._letters = self._serve_chat = None

    def admits(self, _node: str) -> bool:
        """Whether one more introduction can be waited for."""
        return self._awaited < AWAITED

    async def serve(self, plain: trio.SocketStream, node: str) -> None:
        """Own a connection to its end; an error in that is nobody else's."""
        try:
            await self._serve(plain, node)
        except Exception:
            log.exception("connection-failed", address=node)

    async def _serve(self, plain: trio.SocketStream, node: str) -> None:
        self._awaited += 1
        try:
            with trio.fail_after(CALL_LIMIT):
                stream, introduced = await self._introduced(plain)
                letter = await _letter(stream) if introduced.errand is Errand.LETTER else None
        except ssl.SSLEOFError as error:
            log.debug("node-lost", node=node, why=error)
            return
        except ssl.SSLError as error:
            log.warning("not-a-node", address=node, why=error)
            return
        except (*GONE, trio.TooSlowError) as error:
            log.debug("node-lost", node=node, why=error)
            return
        except RemoteProtocolError as error:
            log.warning("not-a-node", address=node, why=error)
            return
        finally:
            self._awaited -= 1
        if introduced.errand in OF_A_NODE:
            if introduced.errand in self._for_nodes:
                await self._for_nodes[introduced.errand](stream)
        elif introduced.address is not None:
            if letter is not None:
                await self._serve_letter(stream, introduced.address, letter)
            elif introduced.errand is Errand.CHAT:
                if self._serve_chat is not None:
                    await self._serve_chat(stream, introduced.address)
            elif self._newcomers is not None:
                admits, serve = self._newcomers
                if admits(introduced.address):
                    await serve(stream, introduced.address, introduced.door)

    async def _serve_letter(self, stream: TcpStream, address: str, letter: Letter) -> None:
        if self._letters is None:
            return
        take, serve = self._letters
        own, owner = self._lives()[:1], 0
        with trio.move_on_after(TAKE_LIMIT):
            owner = await take(letter)
        try:
            await stream.send_all(ANSWER.pack(owner))
        except GONE as error:
            log.debug("node-lost", why=error)
            await trio.aclose_forcefully(socket_stream(stream))
            return
        if own == [owner]:
            await serve(stream, address, letter)

    async def _introduced(self, plain: trio.SocketStream) -> tuple[TcpStream, KnownCaller]:
        challenge = secrets.token_bytes(CHALLENGE_BYTES)
        lives = self._lives()[:MOST_LIVES]
        greeting = Greeting(self._newcomers is not None, len(lives), challenge)
        await plain.send_all(greeting.encode() + encode_lives(lives))
        stream = await begin_tls(plain, self._tls, server_side=True)
        first = await exactly(stream, INTRODUCED_BYTES)
        header = await exactly(stream, header_size(first))
        return stream, read_introduction(self._secret, challenge, first + header)


async def _letter(stream: TcpStream) -> Letter:
    size = letter_size(await exactly(stream, SIZE.size))
    return Letter.decode(await exactly(stream, size))
