"""How often a password may be guessed. No clock: time is handed in."""

from __future__ import annotations

from .networks import networks_of
from .turns import FREE_TRIES, Pace, TurnLine

WORDS_A_SECOND = 10
"""Words that are looked at in a second, of all networks that have not known the password yet."""
WORD_INTERVAL = 1.0
"""After FREE_TRIES wrong words a host has one looked at in WORD_INTERVAL seconds."""
LONGEST_WORD_WAIT = 5.0
"""Seconds that a word may have to wait for its turn; beyond that it is refused unseen."""
_KEPT = 4096


class WordLimiter:
    """Slows wrong words, so that nobody can try out all of them.

    A right word waits as long as a wrong one would, and somebody who does not wait for the answer
    has used up his turn all the same. Strangers do not hold up somebody who has known the password
    before; only wrong words from his own network do.
    """

    __slots__ = ("_line", "_pace")

    def __init__(self) -> None:
        self._pace = Pace(WORD_INTERVAL, _KEPT)
        self._line = TurnLine(1 / WORDS_A_SECOND, LONGEST_WORD_WAIT)

    def __len__(self) -> int:
        return len(self._pace)

    def attempt(self, address: str, *, known: bool, right: bool, now: float) -> float | None:
        """Seconds until a word may be answered; ``None``: refuse it, right or not.

        ``known`` says that somebody in the same network has known the password. A wrong word
        counts at once, before its answer is due.
        """
        networks = networks_of(address)
        if known:
            networks = networks[:1]
        pace = self._pace.wait(networks, now)
        wait = self._known_wait(pace) if known else self._strange_wait(networks[-1], pace, now)
        if wait is not None and not right:
            self._pace.charge(networks, now)
        return wait

    @staticmethod
    def _known_wait(pace: float) -> float | None:
        return pace if pace <= LONGEST_WORD_WAIT else None

    def _strange_wait(self, network: str, pace: float, now: float) -> float | None:
        most = 1 if pace > 0 else FREE_TRIES
        wait = self._line.wait(network, now, least=pace, most=most)
        if wait is not None:
            self._line.take(network, now, wait)
        return wait
