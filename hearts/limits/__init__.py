"""What one address may do to a server, as policy: no clock of its own, time is handed in."""

from .buckets import Bucket, Buckets
from .guesses import (
    GUESS_INTERVAL,
    GUESSERS_KEPT,
    LONGEST_WAIT,
    SEAT_INTERVAL,
    SEATS_KEPT,
    GuessLimiter,
    Homes,
)
from .networks import network_of, networks_of
from .news import NEWS_AT_ONCE, NEWS_EVERY, NewsLimiter
from .turns import FREE_TRIES
from .words import LONGEST_WORD_WAIT, WORD_INTERVAL, WORDS_A_SECOND, WordLimiter
from .work import FRAME_WORK, ITEM_WORK, LIST_WORK, READ_WORK, Work, WorkLimits

__all__ = [
    "FRAME_WORK",
    "FREE_TRIES",
    "GUESSERS_KEPT",
    "GUESS_INTERVAL",
    "ITEM_WORK",
    "LIST_WORK",
    "LONGEST_WAIT",
    "LONGEST_WORD_WAIT",
    "NEWS_AT_ONCE",
    "NEWS_EVERY",
    "READ_WORK",
    "SEATS_KEPT",
    "SEAT_INTERVAL",
    "WORDS_A_SECOND",
    "WORD_INTERVAL",
    "Bucket",
    "Buckets",
    "GuessLimiter",
    "Homes",
    "NewsLimiter",
    "WordLimiter",
    "Work",
    "WorkLimits",
    "network_of",
    "networks_of",
]
