"""The only door to trio: listening, and a connection with its one reader and one writer."""

from .link import Link, SocketLink, StreamLink
from .listen import accept_connections, address_text, open_listeners, peer_host
from .tls import Certificate, TlsError, TlsLink, client_tls, connect_to_own, server_tls

__all__ = [
    "Certificate",
    "Link",
    "SocketLink",
    "StreamLink",
    "TlsError",
    "TlsLink",
    "accept_connections",
    "address_text",
    "client_tls",
    "connect_to_own",
    "open_listeners",
    "peer_host",
    "server_tls",
]
