"""What one address may do to a server, as policy: no clock of its own, time is handed in."""

from .buckets import Bucket, Buckets
from .guesses import (
    FREE_GUESSES,
    GUESS_INTERVAL,
    GUESSERS_KEPT,
    LONGEST_WAIT,
    GuessLimiter,
)
from .networks import network_of, networks_of
from .news import NEWS_AT_ONCE, NEWS_EVERY, NewsLimiter

__all__ = [
    "FREE_GUESSES",
    "GUESSERS_KEPT",
    "GUESS_INTERVAL",
    "LONGEST_WAIT",
    "NEWS_AT_ONCE",
    "NEWS_EVERY",
    "Bucket",
    "Buckets",
    "GuessLimiter",
    "NewsLimiter",
    "network_of",
    "networks_of",
]
