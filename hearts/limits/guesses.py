"""How often the numbers of a seat may be guessed. No clock: time is handed in."""

from __future__ import annotations

from collections import OrderedDict

from .networks import networks_of
from .turns import Pace, TurnLine

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

Seat = tuple[int, int]
"""Game number and player."""


class GuessLimiter:
    """Slows wrong tries by network and by seat, so that nobody can try all numbers out.

    A right try waits as long as a wrong one would, and who does not wait for the answer has used
    up his turn all the same; so a quick answer tells nothing. Right tries cost nothing.

    Those from the home of a seat, the network where it last sat, have a line of their own there.
    What is guessed elsewhere, and from that network at other seats, never holds them up.
    """

    __slots__ = ("_lines", "_pace")

    def __init__(self) -> None:
        self._pace = Pace(GUESS_INTERVAL, GUESSERS_KEPT)
        self._lines: OrderedDict[tuple[Seat, bool], TurnLine] = OrderedDict()

    def __len__(self) -> int:
        return len(self._pace) + len(self._lines)

    def attempt(
        self, seat: Seat, address: str, *, home: str, right: bool, now: float
    ) -> float | None:
        """Seconds until a try may be answered; ``None``: refuse it, right or not.

        ``home`` is what :func:`~hearts.limits.network_of` gave for where the seat last sat; empty
        if that is not known. A wrong try counts at once, before its answer is due.
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
            self._keep((seat, at_home), line, now)
            if not at_home:
                self._pace.charge(networks, now)
        return wait

    def _keep(self, key: tuple[Seat, bool], line: TurnLine, now: float) -> None:
        self._lines.pop(key, None)
        while self._lines:
            oldest, other = next(iter(self._lines.items()))
            if len(self._lines) < SEATS_KEPT and not other.is_idle(now):
                break
            del self._lines[oldest]
        self._lines[key] = line


class Homes:
    """The network from which each seat was proved the last time."""

    __slots__ = ("_networks",)

    def __init__(self) -> None:
        self._networks: OrderedDict[Seat, str] = OrderedDict()

    def __len__(self) -> int:
        return len(self._networks)

    def of(self, seat: Seat) -> str:
        """Empty if it is not known."""
        return self._networks.get(seat, "")

    def move(self, seat: Seat, network: str) -> None:
        """A seat was proved from this network; the seat for which that is longest ago may go."""
        self._networks.pop(seat, None)
        if len(self._networks) >= SEATS_KEPT:
            self._networks.popitem(last=False)
        self._networks[seat] = network
