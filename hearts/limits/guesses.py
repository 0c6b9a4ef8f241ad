"""How often an address may guess. No clock: time is handed in."""

from __future__ import annotations

from collections import OrderedDict

FREE_GUESSES = 5
GUESS_INTERVAL = 10.0
"""After FREE_GUESSES wrong tries an address gets one answer in GUESS_INTERVAL seconds."""
LONGEST_WAIT = 30.0
"""Seconds that a try may have to wait for its turn; beyond that it is refused unseen."""
GUESSERS_KEPT = 4096
"""Addresses whose wrong tries are remembered; the one that erred longest ago goes first."""


class GuessLimiter:
    """Slows the tries of addresses that sent wrong numbers, so that nobody can try them all out.

    A right answer waits as long as a wrong one, and who does not wait for it has used up his turn
    all the same; so a quick answer tells nothing. Right tries cost nothing.

    Whoever shares an address with somebody who guesses is slowed with him, until at most
    LONGEST_WAIT + GUESS_INTERVAL seconds after the last wrong try.
    """

    __slots__ = ("_free_from",)

    def __init__(self) -> None:
        # By network: when it will be free of guesses if it makes no more.
        self._free_from: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._free_from)

    def attempt(self, network: str, genuine: bool, now: float) -> float | None:
        """Seconds until an attempt may be answered; ``None``: refuse it, genuine or not.

        ``network`` comes from :func:`~hearts.limits.network_of`; ``now`` is any clock that only
        goes forward. A wrong attempt counts at once, before its answer is due.
        """
        free_from = max(self._free_from.get(network, now), now)
        wait = max(0.0, free_from - now - (FREE_GUESSES - 1) * GUESS_INTERVAL)
        if wait > LONGEST_WAIT:
            return None
        if not genuine:
            self._free_from.pop(network, None)
            self._forget(now)
            self._free_from[network] = free_from + GUESS_INTERVAL
        return wait

    def _forget(self, now: float) -> None:
        while self._free_from:
            network, free_from = next(iter(self._free_from.items()))
            if free_from > now and len(self._free_from) < GUESSERS_KEPT:
                break
            del self._free_from[network]
