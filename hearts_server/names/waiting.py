"""The keys that wait until the owner of a name lets them in, in memory.

SocketSpec.md, annex E. A code is told to anybody who asks for a name, and typed by its owner: so
the owner has seen the device that it stands on. No clock: time is handed in.
"""

from __future__ import annotations

import secrets
from collections import Counter

from msgspec import Struct

from hearts.errors import InvalidName
from hearts.limits.networks import PerNetwork, network_of, networks_of
from hearts.names.codes import CODE_BYTES, code_of

WAITS = 600.0
"""Seconds for which a key waits, and for which a name has TRIES."""
TRIES = 5
"""Wrong codes of the keys of a name; then those that wait for it wait no more."""
MOST_OF_NAME = 5
MOST_WAITING = 1000
MOST_OF_NETWORK = PerNetwork.widening(3)


class WaitingKey(Struct, frozen=True, gc=False):
    """A key that asked to be let in."""

    name: str
    code: str
    key: bytes
    kind: int
    address: str
    since: float


class WaitingKeys:
    """All keys that wait at a server."""

    def __init__(self) -> None:
        self._waiting: list[WaitingKey] = []
        self._wrong: dict[str, tuple[float, int]] = {}
        """The time of the first wrong code for a name, and their number."""

    def ask(self, name: str, key: bytes, kind: int, address: str, now: float) -> str:
        """Let a key wait, and return its code. Raises InvalidName if its network has enough.

        From one network one waits for a name, the latest; so nobody keeps the owner's own out.
        """
        self._forget(now)
        network = network_of(address)
        others = [
            each
            for each in self._waiting
            if each.name != name or network_of(each.address) != network
        ]
        counts = Counter(each for it in others for each in networks_of(it.address))
        networks = networks_of(address)
        limits = zip(networks, MOST_OF_NETWORK.of(networks), strict=True)
        if any(counts[each] >= most for each, most in limits):
            raise InvalidName("enough keys of your network wait; try again in ten minutes")
        if sum(each.name == name for each in others) >= MOST_OF_NAME:
            others.remove(next(each for each in others if each.name == name))
        code = code_of(secrets.token_bytes(CODE_BYTES))
        fresh = WaitingKey(name, code, key, kind, address, now)
        self._waiting = [*others, fresh][-MOST_WAITING:]
        return code

    def find(self, name: str, code: bytes, now: float) -> WaitingKey:
        """Return the key with a code that waits for a name. Raises InvalidName, and counts it."""
        self._forget(now)
        began, wrong = self._wrong.get(name, (now, 0))
        if wrong >= TRIES:
            raise InvalidName("too many wrong codes: try again in ten minutes")
        for each in self._waiting:
            if each.name == name and secrets.compare_digest(each.code.encode(), code):
                return each
        self._wrong[name] = (began, wrong + 1)
        if wrong + 1 == TRIES:
            self._waiting = [each for each in self._waiting if each.name != name]
        left = TRIES - wrong - 1
        raise InvalidName(f"no device waits with this code; tries that are left: {left}")

    def done(self, waiting: WaitingKey) -> None:
        """Let a key wait no more, which was let in."""
        self._waiting = [each for each in self._waiting if each is not waiting]
        self._wrong.pop(waiting.name, None)

    def _forget(self, now: float) -> None:
        self._waiting = [each for each in self._waiting if now - each.since < WAITS]
        self._wrong = {at: it for at, it in self._wrong.items() if now - it[0] < WAITS}
