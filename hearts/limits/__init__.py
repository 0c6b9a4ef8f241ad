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
from .turns import FREE_TRIES
from .words import LONGEST_WORD_WAIT, WORD_INTERVAL, WORDS_A_SECOND, WordLimiter

__all__ = [
    "FREE_TRIES",
    "GUESSERS_KEPT",
    "GUESS_INTERVAL",
    "LONGEST_WAIT",
    "LONGEST_WORD_WAIT",
    "SEATS_KEPT",
    "SEAT_INTERVAL",
    "WORDS_A_SECOND",
    "WORD_INTERVAL",
    "Bucket",
    "Buckets",
    "GuessLimiter",
    "Homes",
    "WordLimiter",
    "network_of",
    "networks_of",
]
