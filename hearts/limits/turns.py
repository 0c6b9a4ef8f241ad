"""Tries that are looked at one after the other, in turn over networks. Time is handed in."""

from __future__ import annotations

from .buckets import Buckets

FREE_TRIES = 5
"""Wrong tries of one host (an IPv4 address, an IPv6 /64) that cost no time."""
_MULTIPLES = {1: (1,), 2: (1, 4), 3: (1, 2, 4)}
"""How many hosts a network counts for, by how many networks an address is counted in."""


class TurnLine:
    """Gives each try its turn, ``interval`` seconds after the one before, in the order they come.

    A network has only so many tries that wait; so who comes from another is behind few of them.
    """

    __slots__ = ("_free_at", "_interval", "_longest", "_waiting")

    def __init__(self, interval: float, longest: float) -> None:
        """A try waits for ``longest`` seconds at most."""
        self._interval = interval
        self._longest = longest
        self._free_at = 0.0
        self._waiting: list[tuple[float, str]] = []

    def is_idle(self, now: float) -> bool:
        """Whether it is as if nobody had ever come."""
        return self._free_at <= now

    def wait(self, network: str, now: float, *, least: float, most: int) -> float | None:
        """Seconds until a try's turn; None if it gets none.

        It waits for ``least`` in any case, and ``most`` tries of its network may wait at once.
        """
        self._waiting = [waiting for waiting in self._waiting if waiting[0] > now]
        wait = max(least, _rounded(self._free_at - now))
        ahead = sum(other == network for _, other in self._waiting)
        if wait > self._longest or (wait > 0 and ahead >= most):
            return None
        return wait

    def take(self, network: str, now: float, wait: float) -> None:
        """A try takes the turn that :meth:`wait` told."""
        self._free_at = max(now, self._free_at) + self._interval
        if wait > 0:
            self._waiting.append((now + wait, network))


class Pace:
    """How often networks may be wrong: FREE_TRIES at once, then one in ``interval`` seconds.

    That is for one host; the wider networks that it lies in have small multiples of it.
    """

    __slots__ = ("_buckets", "_rate")

    def __init__(self, interval: float, kept: int) -> None:
        """The wrong tries of ``kept`` networks of each width are remembered."""
        self._rate = 1 / interval
        self._buckets: dict[int, Buckets[str]] = {
            multiple: Buckets(self._rate * multiple, FREE_TRIES * multiple, kept)
            for multiple in (1, 2, 4)
        }

    def __len__(self) -> int:
        return sum(map(len, self._buckets.values()))

    def wait(self, networks: tuple[str, ...], now: float) -> float:
        """Seconds until one more try from these networks may be looked at."""
        waits = [
            (1 - self._buckets[multiple].of(network, now).level(now)) / (self._rate * multiple)
            for network, multiple in self._counted(networks)
        ]
        return _rounded(max(waits))

    def charge(self, networks: tuple[str, ...], now: float) -> None:
        """A try from these networks was wrong."""
        for network, multiple in self._counted(networks):
            self._buckets[multiple].of(network, now).charge(now)

    @staticmethod
    def _counted(networks: tuple[str, ...]) -> zip[tuple[str, int]]:
        return zip(networks, _MULTIPLES[len(networks)], strict=True)


def _rounded(wait: float) -> float:
    # What is added and taken away again and again is not exact, and no microsecond is waited for.
    return max(0.0, round(wait, 6))
