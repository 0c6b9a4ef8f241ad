"""The only door to trio: listening, and a connection with its one reader and one writer."""

from .link import Link, SocketLink, StreamLink
from .listen import address_text, open_listeners, peer_host

__all__ = ["Link", "SocketLink", "StreamLink", "address_text", "open_listeners", "peer_host"]
