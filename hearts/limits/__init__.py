"""What one address may do to a server, as policy: no clock of its own, time is handed in."""

from .arrivals import REPORT_EVERY, ArrivalLimiter
from .buckets import Bucket, Buckets
from .connections import (
    REFUSED_AT_ONCE,
    RESERVE,
    RESERVE_PER_ADDRESS,
    ConnectionLimits,
    Excess,
    Place,
    Way,
)
from .counts import NetworkCounts, PerNetwork
from .guesses import (
    FREE_GUESSES,
    GUESS_INTERVAL,
    GUESSERS_KEPT,
    LONGEST_WAIT,
    GuessLimiter,
)
from .networks import network_of, networks_of
from .tables import FIRST_TABLES, full_network, gives_way, in_turn

__all__ = [
    "FIRST_TABLES",
    "FREE_GUESSES",
    "GUESSERS_KEPT",
    "GUESS_INTERVAL",
    "LONGEST_WAIT",
    "REFUSED_AT_ONCE",
    "REPORT_EVERY",
    "RESERVE",
    "RESERVE_PER_ADDRESS",
    "ArrivalLimiter",
    "Bucket",
    "Buckets",
    "ConnectionLimits",
    "Excess",
    "GuessLimiter",
    "NetworkCounts",
    "PerNetwork",
    "Place",
    "Way",
    "full_network",
    "gives_way",
    "in_turn",
    "network_of",
    "networks_of",
]
