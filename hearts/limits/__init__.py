"""What one address may do to a server, as policy: no clock of its own, time is handed in."""

from .guesses import (
    FREE_GUESSES,
    GUESS_INTERVAL,
    GUESSERS_KEPT,
    LONGEST_WAIT,
    GuessLimiter,
    network_of,
)

__all__ = [
    "FREE_GUESSES",
    "GUESSERS_KEPT",
    "GUESS_INTERVAL",
    "LONGEST_WAIT",
    "GuessLimiter",
    "network_of",
]
