"""Connections of a server that may be told at any moment to say nothing for now.

What such a connection is given to say waits while its gate is closed. No byte leaves meanwhile, and
the connection does not end in order either: that would tell something as well.
"""

from __future__ import annotations

from typing import Protocol

from .link import BACKLOG_LIMIT, Link
from .sockets import SocketLink
from .tls import TlsLink


class Gate(Protocol):
    """Says whether connections may say anything."""

    @property
    def is_open(self) -> bool: ...

    def hold(self, link: Link) -> None:
        """Flush a connection as soon as the gate is open again."""


class HoldsBack(Link):
    """What a connection with a gate does otherwise."""

    gate: Gate

    def flush(self) -> None:
        if self.gate.is_open:
            super().flush()
        elif sum(map(len, self._parts)) > BACKLOG_LIMIT:
            self.abort("too far behind: nothing may be said for now")
        elif self._parts:
            self.gate.hold(self)

    def end(self) -> None:
        if self.gate.is_open:
            super().end()
        else:
            self.abort("ended while nothing may be said")


class HeldSocketLink(HoldsBack, SocketLink):
    """A connection over a socket, with a gate."""


class HeldTlsLink(HoldsBack, TlsLink):
    """A connection with TLS, with a gate."""
