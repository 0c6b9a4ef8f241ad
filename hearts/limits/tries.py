"""Limits on how often the numbers of a seat, a password, or the name of a table may be tried.

Nobody may try all of them out. No clock: time is handed in.
"""

from __future__ import annotations

from collections import OrderedDict

from .buckets import NetworkBuckets, put_last
from .networks import networks_of

FREE_TRIES = 5
"""Wrong tries of one host (an IPv4 address, an IPv6 /64) that cost no time."""
GUESS_INTERVAL = 10.0
"""After FREE_TRIES wrong tries a host gets one answer in GUESS_INTERVAL seconds."""
SEAT_INTERVAL = 1.0
"""Seconds between two tries for one seat that are looked at."""
LONGEST_WAIT = 10.0
"""Seconds that a try may have to wait for its turn; beyond that it is refused unseen."""
GUESSERS_KEPT = 4096
"""Networks of each width whose wrong tries are remembered."""
SEATS_KEPT = 8192
"""Seats at which somebody guesses, and homes of seats, that are remembered."""
WORDS_A_SECOND = 10
"""Passwords that are looked at in a second, of all networks that have not known it yet."""
WORD_INTERVAL = 1.0
"""After FREE_TRIES wrong passwords a host has one looked at in WORD_INTERVAL seconds."""
LONGEST_WORD_WAIT = 5.0
"""Seconds that a password may have to wait for its turn; beyond that it is refused unseen."""
LOOK_INTERVAL = 2.0
"""After FREE_TRIES names of no table a host may ask for one in LOOK_INTERVAL seconds."""
NAMES_KNOWN = 8
"""The latest names that a connection has asked for; one of them again is no new question."""

Seat = tuple[int, int]
"""Game number and player."""


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
        """Return True if it is as if nobody had ever come."""
        return self._free_at <= now

    def wait(self, network: str, now: float, *, least: float, most: int) -> float | None:
        """Return the seconds until a try's turn; None if it gets none.

        It waits for ``least`` in any case, and ``most`` tries of its network may wait at once.
        """
        self._waiting = [waiting for waiting in self._waiting if waiting[0] > now]
        wait = max(least, _rounded(self._free_at - now))
        ahead = sum(other == network for _, other in self._waiting)
        if wait > self._longest or (wait > 0 and ahead >= most):
            return None
        return wait

    def take(self, network: str, now: float, wait: float) -> None:
        """Use the turn that :meth:`wait` told."""
        self._free_at = max(now, self._free_at) + self._interval
        if wait > 0:
            self._waiting.append((now + wait, network))


class Pace:
    """The rate at which a host may be wrong: FREE_TRIES at once, then one in ``interval`` seconds.

    The wider networks that the host lies in have small multiples of that.
    """

    def __init__(self, interval: float) -> None:
        self._buckets = NetworkBuckets(1 / interval, FREE_TRIES, GUESSERS_KEPT)

    def wait(self, networks: tuple[str, ...], now: float) -> float:
        """Return the seconds until one more try from these networks may be looked at."""
        buckets = self._buckets.of(networks, now)
        return _rounded(max((1 - bucket.level(now)) / bucket.rate for bucket in buckets))

    def charge(self, networks: tuple[str, ...], now: float) -> None:
        for bucket in self._buckets.of(networks, now):
            bucket.charge(now)


def _rounded(wait: float) -> float:
    # What is added and taken away again and again is not exact, and no microsecond is waited for.
    return max(0.0, round(wait, 6))


class GuessLimiter:
    """Slows wrong numbers by network and by seat.

    A right try waits as long as a wrong one would, and a client that does not wait for the answer
    has used up its turn all the same; so a quick answer tells nothing. Right tries cost nothing.

    Those from the home of a seat, the network where it last sat, have a line of their own there.
    What is guessed elsewhere, and from that network at other seats, never holds them up.
    """

    def __init__(self) -> None:
        self._pace = Pace(GUESS_INTERVAL)
        self._lines: OrderedDict[tuple[Seat, bool], TurnLine] = OrderedDict()

    def attempt(
        self, seat: Seat, address: str, *, home: str, right: bool, now: float
    ) -> float | None:
        """Return the seconds until a try may be answered; ``None``: refuse it, right or not.

        ``home`` is the narrowest network where the seat last sat; empty if that is not known. A
        wrong try counts at once, before its answer is due.
        """
        networks = networks_of(address)
        at_home = networks[0] == home
        line = self._lines.get((seat, at_home)) or TurnLine(SEAT_INTERVAL, LONGEST_WAIT)
        pace = 0.0 if at_home else self._pace.wait(networks, now)
        # All that come from a home are one network, and the owner is one of them.
        most = int(LONGEST_WAIT / SEAT_INTERVAL) if at_home else 1
        wait = line.wait(networks[-1], now, least=pace, most=most)
        if wait is not None and not right:
            line.take(networks[-1], now, wait)
            put_last(self._lines, (seat, at_home), line, SEATS_KEPT, lambda each: each.is_idle(now))
            if not at_home:
                self._pace.charge(networks, now)
        return wait


class WordLimiter:
    """Slows wrong passwords.

    A right one waits as long as a wrong one would, and a client that does not wait for the answer
    has used up its turn all the same. Strangers do not hold up somebody who has known the password
    before; only wrong words from their own network do.
    """

    def __init__(self) -> None:
        self._pace = Pace(WORD_INTERVAL)
        self._line = TurnLine(1 / WORDS_A_SECOND, LONGEST_WORD_WAIT)

    def attempt(self, address: str, *, known: bool, right: bool, now: float) -> float | None:
        """Return the seconds until a word may be answered; ``None``: refuse it, right or not.

        ``known`` says that somebody in the same network has known the password. A wrong word
        counts at once, before its answer is due.
        """
        networks = networks_of(address)
        if known:
            networks = networks[:1]
        pace = self._pace.wait(networks, now)
        if known:
            wait = pace if pace <= LONGEST_WORD_WAIT else None
        else:
            most = 1 if pace > 0 else FREE_TRIES
            wait = self._line.wait(networks[-1], now, least=pace, most=most)
            if wait is not None:
                self._line.take(networks[-1], now, wait)
        if wait is not None and not right:
            self._pace.charge(networks, now)
        return wait


class Looks:
    """The tables that one connection asks for, whenever it does; the same again is no new one.

    A network that has used up its budget is told of no table that it asks for by name, there or
    not, so the answer says nothing. No network uses up that of another one.
    """

    __slots__ = ("_is_new", "_names", "_networks", "_pace")

    def __init__(self, pace: Pace, address: str) -> None:
        """``pace`` is the server's, with LOOK_INTERVAL."""
        self._pace = pace
        self._networks = networks_of(address)
        self._names: tuple[str, ...] = ()
        self._is_new = False

    def admits(self, name: str, now: float) -> bool:
        """Return True if it may ask for the table of this name."""
        self._is_new = name not in self._names
        if not self._is_new:
            return True
        if self._pace.wait(self._networks, now):
            return False
        self._names = (*self._names, name)[-NAMES_KNOWN:]
        return True

    def missed(self, now: float) -> None:
        """There is no table of the name that was asked for last."""
        if self._is_new:
            self._pace.charge(self._networks, now)
