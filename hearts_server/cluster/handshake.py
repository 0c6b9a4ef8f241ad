"""How one node shows another that it knows the club's secret, and whom a connection is for.

The node that is called greets first, which is also how a load balancer sees that it is alive. Who
calls for a client says a proof, which is good for this connection alone, and a PROXY header with
the address of the client; all that follows is the client's. With ``--node-tls-cert`` all that
follows the greeting is said in TLS, and both have to show a certificate first; without it nothing
is encrypted, and between nodes lies a network that the host trusts.
"""

from __future__ import annotations

import hashlib
import hmac
import struct

from msgspec import Struct

from hearts.errors import RemoteProtocolError
from hearts.wire.proxy_header import HEADER_LIMIT, proxy_header, read_proxy_header

CHALLENGE_BYTES = 16
_GREETING = struct.Struct(f">4s?Q{CHALLENGE_BYTES}s")
GREETING_BYTES = _GREETING.size
_NODE = b"node"
PROOF_BYTES = 32
SIZE_BYTES = 2
"""Bytes of the size of the header, which follows the proof."""
TALK = 1
"""The version of all that is said between nodes; nodes with different ones are not live at once."""
_PURPOSE = b"a connection between nodes of hearts-server, version %d" % TALK


class Greeting(Struct, frozen=True, gc=False):
    """What a node says first."""

    takes_clients: bool
    """Whether it is the lobby, and plays."""
    lobby: int
    """The life that it knows to be the lobby; 0 for none, or if its own lease is over."""
    challenge: bytes
    """Random bytes, CHALLENGE_BYTES of them."""

    def encode(self) -> bytes:
        return _GREETING.pack(_NODE, self.takes_clients, self.lobby, self.challenge)

    @classmethod
    def decode(cls, data: bytes) -> Greeting:
        """Read GREETING_BYTES. Raises RemoteProtocolError if they are no node's."""
        mark, takes_clients, lobby, challenge = _GREETING.unpack(data)
        if mark != _NODE:
            raise RemoteProtocolError("not a greeting of a node")
        return cls(takes_clients, lobby, challenge)


def introduction(secret: bytes, challenge: bytes, address: str) -> bytes:
    """What a node says that calls for a client with this address."""
    header = proxy_header(address)
    return _proof(secret, challenge, header) + len(header).to_bytes(SIZE_BYTES, "big") + header


def header_size(introduced: bytes) -> int:
    """The size of the header, of the first PROOF_BYTES + SIZE_BYTES. Raises RemoteProtocolError."""
    size = int.from_bytes(introduced[PROOF_BYTES:], "big")
    if size > HEADER_LIMIT:
        raise RemoteProtocolError(f"a header of {size} bytes")
    return size


def client_address(secret: bytes, challenge: bytes, introduced: bytes) -> str | None:
    """Who the client is, of a whole introduction; None if the proxy header does not say.

    Raises RemoteProtocolError for a caller who does not know the secret.
    """
    proof, header = introduced[:PROOF_BYTES], introduced[PROOF_BYTES + SIZE_BYTES :]
    if not hmac.compare_digest(proof, _proof(secret, challenge, header)):
        raise RemoteProtocolError("a proof with another secret")
    found = read_proxy_header(header)
    if found is None or found.size != len(header):
        raise RemoteProtocolError("no PROXY header")
    return found.address


def secret_mark(secret: bytes) -> bytes:
    """What shows that two nodes have the same secret, and does not tell it."""
    return hmac.new(secret, b"the club of this secret", hashlib.sha256).digest()


def _proof(secret: bytes, challenge: bytes, header: bytes) -> bytes:
    message = _PURPOSE + challenge + header
    return hmac.new(secret, message, hashlib.sha256).digest()
