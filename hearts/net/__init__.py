"""The only door to trio: listening, connections, and the pump that reads them."""

from .link import BACKLOG_LIMIT, Link, StreamLink
from .listen import (
    accept_connections,
    address_text,
    admits_arrival,
    open_listeners,
    open_private_listener,
    peer_user,
)
from .pump import Pump
from .sockets import SocketLink
from .tls import (
    Certificate,
    TlsError,
    TlsLink,
    client_tls,
    connect_to_own,
    server_tls,
)

__all__ = [
    "BACKLOG_LIMIT",
    "Certificate",
    "Link",
    "Pump",
    "SocketLink",
    "StreamLink",
    "TlsError",
    "TlsLink",
    "accept_connections",
    "address_text",
    "admits_arrival",
    "client_tls",
    "connect_to_own",
    "open_listeners",
    "open_private_listener",
    "peer_user",
    "server_tls",
]
