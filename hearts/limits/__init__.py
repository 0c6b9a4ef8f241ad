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
from .work import FRAME_WORK, ITEM_WORK, LIST_WORK, READ_WORK, Work, WorkLimits

__all__ = [
    "FRAME_WORK",
    "FREE_GUESSES",
    "GUESSERS_KEPT",
    "GUESS_INTERVAL",
    "ITEM_WORK",
    "LIST_WORK",
    "LONGEST_WAIT",
    "NEWS_AT_ONCE",
    "NEWS_EVERY",
    "READ_WORK",
    "Bucket",
    "Buckets",
    "GuessLimiter",
    "NewsLimiter",
    "Work",
    "WorkLimits",
    "network_of",
    "networks_of",
]
