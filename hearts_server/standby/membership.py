"""The knowledge a node has of the others, and its decisions; no clock and no database.

Every node beats: it changes its row of the database, and reads the beats of the others. A good beat
is a lease: until it is over, nobody else can have fenced this node. One node is active, which means
that it plays; if its life is over, one of the others takes over.

:class:`Membership` is told times and results, and answers with acts. Times are seconds of
one clock of this machine, which has to go on while the machine sleeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from msgspec import Struct

BEAT_EVERY = 0.4
"""Seconds between two beats."""
LEASE = 1.2
"""Seconds after the sending of a good beat for which its lease is valid."""
SILENCE = 2.5
"""Seconds without a beat of another node after which it is fenced."""
REFUSED_SILENCE = 1.4
"""The same for the active node if it refuses connections; longer than a lease all the same."""
_STEADY = 1.0
"""Seconds between two own beats at most, for the silence of others to count as theirs."""


class Peer(Struct, frozen=True):
    """Another node, as a beat has found it."""

    life: int
    name: str
    address: str
    """``HOST:PORT`` of its game, as far as anybody can tell."""
    beat: int
    """The number of times that it has beaten."""


class Beaten(Struct, frozen=True):
    """A good beat, with what was found there."""

    sent: float
    """The time of its sending."""
    peers: Sequence[Peer]
    """The other lives that are live."""
    active: int
    """The life that plays, or has played last, live or not; 0 for none."""
    is_settling: bool = False
    """True if it has taken over just now from one that was only silent."""


class Fence(Struct, frozen=True):
    """End the life of a node, unless it has beaten meanwhile."""

    life: int
    beat: int
    """The last beat that was seen of it."""
    refused: bool = False
    """True if it has refused connections."""


class TakeOver(Struct, frozen=True):
    """Become the active node, unless a live one has become it meanwhile."""


Act = Fence | TakeOver


class _SeenBeat(Struct):
    beat: int
    since: float
    """The time when it was first seen, by the answer to an own beat."""


class Membership:
    """One life of a node."""

    def __init__(self, life: int) -> None:
        self.life = life
        self.valid_until = -inf
        """The end of the lease."""
        self.active: Peer | None = None
        """The live node that plays, if it is another one."""
        self.is_active = False
        self.draining = False
        """True if it ends, and so does not take over."""
        self._last_good = -inf
        self._watched: dict[int, _SeenBeat] = {}
        self._refusing: set[int] = set()

    def is_valid(self, now: float) -> bool:
        """Tell whether the lease is valid, so that what is not stored may be told."""
        return now < self.valid_until

    def failed(self) -> None:
        """Note that a beat has failed, or that nobody knows what became of it. The others are not
        to blame.
        """
        self._last_good = -inf

    def beaten(self, found: Beaten, now: float) -> list[Act]:
        """Note that a beat was good; ``now`` is when its answer came."""
        self.valid_until = max(self.valid_until, found.sent + LEASE)
        if now - self._last_good > _STEADY:
            self._watched.clear()
        self._last_good = now
        self.is_active = found.active == self.life
        self.active = next((peer for peer in found.peers if peer.life == found.active), None)
        acts: list[Act] = [
            Fence(peer.life, peer.beat, peer.life in self._refusing)
            for peer in found.peers
            if self._is_silent(peer, now, spared=found.is_settling and peer.life == found.active)
        ]
        lives = {peer.life for peer in found.peers}
        self._watched = {life: seen for life, seen in self._watched.items() if life in lives}
        self._refusing &= lives
        if not self.is_active and self.active is None and not self.draining:
            acts.append(TakeOver())
        return acts

    def _is_silent(self, peer: Peer, now: float, *, spared: bool) -> bool:
        seen = self._watched.get(peer.life)
        if seen is None or seen.beat != peer.beat:
            self._watched[peer.life] = _SeenBeat(peer.beat, now)
            self._refusing.discard(peer.life)
            return False
        if peer.life in self._refusing:
            return now - seen.since > REFUSED_SILENCE
        return now - seen.since > SILENCE and not spared

    def refused(self, peer: Peer) -> None:
        """Note that a node has refused a connection: its process is likely to be gone."""
        self._refusing.add(peer.life)

    def fenced(self, life: int) -> list[Act]:
        """Note that a life has been ended."""
        self._watched.pop(life, None)
        if self.active is None or self.active.life != life:
            return []
        self.active = None
        return [] if self.draining else [TakeOver()]

    def took_over(self) -> None:
        """Note that this life plays from now on."""
        self.is_active = True
        self.active = None
