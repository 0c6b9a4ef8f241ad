"""Policies of what one address may do to a server. They have no clock: time is handed in."""

from .arrivals import REPORT_EVERY, ArrivalLimiter
from .buckets import Bucket, Buckets
from .connections import (
    REFUSED_AT_ONCE,
    RESERVE,
    RESERVE_PER_ADDRESS,
    Admit,
    ConnectionLimits,
    Excess,
    Place,
)
from .counts import NetworkCounts, PerNetwork
from .crowd import Crowd
from .guesses import (
    GUESS_INTERVAL,
    GUESSERS_KEPT,
    LONGEST_WAIT,
    SEAT_INTERVAL,
    SEATS_KEPT,
    GuessLimiter,
    Homes,
)
from .looks import LOOK_INTERVAL, NAMES_KNOWN, LookLimiter, Looks
from .networks import network_of, networks_of
from .news import NEWS_AT_ONCE, NEWS_EVERY, NewsLimiter
from .tables import FIRST_TABLES, full_network, gives_way, in_turn
from .turns import FREE_TRIES
from .words import LONGEST_WORD_WAIT, WORD_INTERVAL, WORDS_A_SECOND, WordLimiter
from .work import FRAME_WORK, ITEM_WORK, LIST_WORK, READ_WORK, Work, WorkLimits

__all__ = [
    "FIRST_TABLES",
    "FRAME_WORK",
    "FREE_TRIES",
    "GUESSERS_KEPT",
    "GUESS_INTERVAL",
    "ITEM_WORK",
    "LIST_WORK",
    "LONGEST_WAIT",
    "LONGEST_WORD_WAIT",
    "LOOK_INTERVAL",
    "NAMES_KNOWN",
    "NEWS_AT_ONCE",
    "NEWS_EVERY",
    "READ_WORK",
    "REFUSED_AT_ONCE",
    "REPORT_EVERY",
    "RESERVE",
    "RESERVE_PER_ADDRESS",
    "SEATS_KEPT",
    "SEAT_INTERVAL",
    "WORDS_A_SECOND",
    "WORD_INTERVAL",
    "Admit",
    "ArrivalLimiter",
    "Bucket",
    "Buckets",
    "ConnectionLimits",
    "Crowd",
    "Excess",
    "GuessLimiter",
    "Homes",
    "LookLimiter",
    "Looks",
    "NetworkCounts",
    "NewsLimiter",
    "PerNetwork",
    "Place",
    "WordLimiter",
    "Work",
    "WorkLimits",
    "full_network",
    "gives_way",
    "in_turn",
    "network_of",
    "networks_of",
]
