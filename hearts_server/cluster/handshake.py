"""How one node shows another that it knows the club's secret, and whom a connection is for.

The node that is called greets first, which is also how a load balancer sees that it is alive. Who
calls says a proof, which is good for this connection alone, what the connection is for, and if it
is for a client a PROXY header with its address. For a newcomer it says as well which node leads
him, so that the lobby can have him play there. With ``--node-tls-cert`` all that follows the
greeting is said in TLS, and both have to show a certificate first; without it nothing is encrypted,
and between nodes lies a network that the host trusts.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterable
from enum import IntEnum

from msgspec import Struct

from hearts.errors import RemoteProtocolError
from hearts.wire.proxy_header import HEADER_LIMIT, proxy_header, read_proxy_header

CHALLENGE_BYTES = 16
_GREETING = struct.Struct(f">4s?B{CHALLENGE_BYTES}s")
GREETING_BYTES = _GREETING.size
_LIFE = struct.Struct(">Q")
LIFE_BYTES = _LIFE.size
_NODE = b"node"
MOST_LIVES = 255
"""Lives that a greeting can name."""
PROOF_BYTES = 32
_REST = struct.Struct(">BQH")
INTRODUCED_BYTES = PROOF_BYTES + _REST.size
"""Bytes before the PROXY header: the proof, what the connection is for, the door, and the size of
the header."""
TALK = 4
"""The version of all that is said between nodes; nodes with different ones are not live at once."""
_PURPOSE = b"a connection between nodes of hearts-server, version %d" % TALK


class Errand(IntEnum):
    """The purpose of a connection between nodes."""

    NEWCOMER = 0
    """A client that registers, at the lobby."""
    LETTER = 1
    """A client with a letter of the lobby (:mod:`.letters`), at the owner of its table."""
    NEWS = 2
    """The tables and connections of a node (:mod:`hearts_server.club.news`)."""
    CHAT = 3
    """A client of the chat, at the lobby, whose taunt server is the club's (:mod:`.chat_door`)."""
    ACT = 4
    """What the host wants of a node and has said to another one (:mod:`hearts_server.console`)."""


OF_A_NODE = frozenset({Errand.NEWS, Errand.ACT})
"""Errands without a client, and so without a PROXY header."""


class Greeting(Struct, frozen=True, gc=False):
    """The first bytes of a node; the numbers of the lives that it names follow."""

    is_lobby: bool
    """Whether it is the lobby, and lets people in."""
    lives: int
    """The number of lives that it knows to be live, with its own; 0 if its own lease is over."""
    challenge: bytes
    """Random bytes, CHALLENGE_BYTES of them."""

    def encode(self) -> bytes:
        return _GREETING.pack(_NODE, self.is_lobby, self.lives, self.challenge)

    @classmethod
    def decode(cls, data: bytes) -> Greeting:
        """Read GREETING_BYTES. Raises RemoteProtocolError if they are no node's."""
        mark, is_lobby, lives, challenge = _GREETING.unpack(data)
        if mark != _NODE:
            raise RemoteProtocolError("not a greeting of a node")
        return cls(is_lobby, lives, challenge)


def encode_lives(lives: Iterable[int]) -> bytes:
    """Lives, each in LIFE_BYTES."""
    return b"".join(map(_LIFE.pack, lives))


def decode_lives(data: bytes) -> list[int]:
    """The lives that were encoded."""
    return [life for (life,) in _LIFE.iter_unpack(data)]


class KnownCaller(Struct, frozen=True, gc=False):
    """A node that has proved that it knows the secret, and the purpose of its call."""

    errand: Errand
    address: str | None
    """The client's; None without a client, and for a proxy header that does not say."""
    door: int = 0
    """The life of the node that leads a newcomer; 0 for all others."""


def introduction(
    secret: bytes, challenge: bytes, errand: Errand, address: str = "", door: int = 0
) -> bytes:
    """The first bytes of a node that calls; ``address`` is that of its client, if there is one, and
    ``door`` the own life, for a newcomer."""
    header = b"" if errand in OF_A_NODE else proxy_header(address)
    rest = _REST.pack(errand, door, len(header)) + header
    return _proof(secret, challenge, rest) + rest


def header_size(introduced: bytes) -> int:
    """The size of the header, of the first INTRODUCED_BYTES. Raises RemoteProtocolError."""
    _, _, size = _REST.unpack_from(introduced, PROOF_BYTES)
    if size > HEADER_LIMIT:
        raise RemoteProtocolError(f"a header of {size} bytes")
    return int(size)


def read_introduction(secret: bytes, challenge: bytes, introduced: bytes) -> KnownCaller:
    """The caller, of a whole introduction.

    Raises RemoteProtocolError for a caller who does not know the secret.
    """
    proof, rest = introduced[:PROOF_BYTES], introduced[PROOF_BYTES:]
    if not hmac.compare_digest(proof, _proof(secret, challenge, rest)):
        raise RemoteProtocolError("a proof with another secret")
    number, door, _ = _REST.unpack_from(rest)
    try:
        errand = Errand(number)
    except ValueError:
        raise RemoteProtocolError(f"an errand of {number}") from None
    if errand in OF_A_NODE:
        return KnownCaller(errand, None)
    header = rest[_REST.size :]
    found = read_proxy_header(header)
    if found is None or found.size != len(header):
        raise RemoteProtocolError("no PROXY header")
    return KnownCaller(errand, found.address, door)


def secret_mark(secret: bytes) -> bytes:
    """What shows that two nodes have the same secret, and does not tell it."""
    return hmac.new(secret, b"the club of this secret", hashlib.sha256).digest()


def _proof(secret: bytes, challenge: bytes, rest: bytes) -> bytes:
    message = _PURPOSE + challenge + rest
    return hmac.new(secret, message, hashlib.sha256).digest()
