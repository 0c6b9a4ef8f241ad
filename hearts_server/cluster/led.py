"""A connection of a client that a door leads to the lobby, as the lobby sees it."""

from __future__ import annotations

from hearts.net.held import HoldsBack
from hearts.net.sockets import SocketLink
from hearts.net.tls import TlsLink

from .letters import FRAME, Letter


class Led(HoldsBack):
    """A connection that says frames, and may end with a letter."""

    taken = 0
    """Bytes of the client that were read."""
    door = 0
    """The life of the node that leads it."""

    def _push(self, data: bytes) -> None:
        super()._push(FRAME.pack(False, self.taken, len(data)) + data)

    async def _receive(self) -> bytes:
        data = await super()._receive()  # type: ignore[safe-super]
        self.taken += len(data)
        return data

    def lead(self, letter: Letter) -> None:
        """The client goes to somebody else, behind all that was said so far; this is the end."""
        if not self.gate.is_open:
            self.abort("led elsewhere while nothing may be said")
            return
        self.flush()
        data = letter.encode()
        super()._push(FRAME.pack(True, self.taken, len(data)) + data)
        self.end()


class LedSocketLink(Led, SocketLink):
    """Such a connection over a socket."""


class LedTlsLink(Led, TlsLink):
    """Such a connection with TLS."""
