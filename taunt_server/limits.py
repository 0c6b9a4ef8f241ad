"""How often somebody may speak, and how often an address may guess. No clock: time is handed in."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict, deque

TAUNTS = 15
TAUNT_WINDOW = 30.0
"""At most TAUNTS taunts of one seat in TAUNT_WINDOW seconds (SocketSpec.md section 9)."""

FREE_GUESSES = 5
GUESS_INTERVAL = 10.0
"""After FREE_GUESSES wrong registrations an address gets one answer in GUESS_INTERVAL seconds."""
LONGEST_WAIT = 30.0
"""Seconds that a registration may have to wait for its turn; beyond that it is refused unseen."""
GUESSERS_KEPT = 4096
"""Addresses whose wrong registrations are remembered; the one that erred longest ago goes first."""


class FloodGate:
    """The taunts of one seat in the last TAUNT_WINDOW seconds, and whether it was told to stop."""

    __slots__ = ("_admitted", "_told")

    def __init__(self) -> None:
        self._admitted: deque[float] = deque(maxlen=TAUNTS)
        self._told: float | None = None

    def admit(self, now: float) -> bool:
        """Whether one more may pass; one that may not does not count."""
        if len(self._admitted) == TAUNTS and now - self._admitted[0] < TAUNT_WINDOW:
            return False
        self._admitted.append(now)
        return True

    def tell(self, now: float) -> bool:
        """Whether a notice is due, at most once in TAUNT_WINDOW; it counts as given."""
        if self._told is not None and now - self._told < TAUNT_WINDOW:
            return False
        self._told = now
        return True


class FloodGates:
    """The gates of all seats. A seat that is silent for TAUNT_WINDOW needs none and has none."""

    __slots__ = ("_gates",)

    def __init__(self) -> None:
        self._gates: OrderedDict[tuple[int, int], tuple[float, FloodGate]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._gates)

    def of(self, game_number: int, player: int, now: float) -> FloodGate:
        """The gate of a seat that speaks now; it outlives the seat's connections."""
        self._forget(now)
        seat = game_number, player
        _, gate = self._gates.pop(seat, (now, None))
        if gate is None:
            gate = FloodGate()
        self._gates[seat] = now, gate
        return gate

    def _forget(self, now: float) -> None:
        while self._gates:
            last_used, _ = next(iter(self._gates.values()))
            if now - last_used < TAUNT_WINDOW:
                break
            self._gates.popitem(last=False)


class GuessLimiter:
    """Slows registrations from addresses that sent wrong ones, so that nobody can try numbers out.

    A right answer waits as long as a wrong one, and who does not wait for it has used up his turn
    all the same; so a quick answer tells nothing.
    """

    __slots__ = ("_free_from",)

    def __init__(self) -> None:
        # By network: when it will be free of guesses if it makes no more.
        self._free_from: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._free_from)

    def attempt(self, network: str, genuine: bool, now: float) -> float | None:
        """Seconds until an attempt may be answered; ``None``: refuse it, genuine or not."""
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


def network_of(address: str) -> str:
    """What counts as one address: an IPv4 address, or the /64 network that one IPv6 host owns."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.IPv6Network((int(parsed) >> 64 << 64, 64)))
