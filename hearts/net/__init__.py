"""The only door to trio: listening, connections, and the pump that reads them."""

from .link import BACKLOG_LIMIT as BACKLOG_LIMIT
from .link import Link as Link
from .listen import accept_connections as accept_connections
from .listen import address_text as address_text
from .listen import admits_arrival as admits_arrival
from .listen import open_listeners as open_listeners
from .listen import peer_user as peer_user
from .pump import Pump as Pump
from .sockets import SocketLink as SocketLink
from .tls import Certificate as Certificate
from .tls import TlsError as TlsError
from .tls import TlsLink as TlsLink
from .tls import client_tls as client_tls
from .tls import connect_to_own as connect_to_own
from .tls import server_tls as server_tls
