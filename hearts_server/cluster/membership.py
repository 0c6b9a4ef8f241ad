"""What a node knows of the others, and what it has to do about it; no clock and no database.

Every node beats: it changes its row of the database, and reads the beats of the others. A good beat
is a lease: until it is over, nobody else can have fenced this node. One node is the lobby, which
plays; if its life is over, one of the others becomes it.

:class:`Membership` is told times and results, and answers with acts. Times are seconds of
one clock of this machine, which has to go on while the machine sleeps.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import inf

from msgspec import Struct

BEAT_EVERY = 0.5
"""Seconds between two beats."""
LEASE = 1.5
"""Seconds after the sending of a good beat for which its lease is valid."""
SILENCE = 2.5
"""Seconds without a beat of another node after which it is fenced."""
REFUSED_SILENCE = 1.75
"""The same for a node that takes no connections; longer than a lease all the same."""
_STEADY = 1.0
"""Seconds between two own beats at most, for the silence of others to count as theirs."""


class Peer(Struct, frozen=True):
    """Another node, as a beat has found it."""

    life: int
    name: str
    address: str
    """``HOST:PORT`` at which it takes connections of nodes."""
    beat: int
    """How many times it has beaten."""


class Beaten(Struct, frozen=True):
    """A good beat, with what was found there."""

    sent: float
    """When it was sent."""
    peers: Sequence[Peer]
    """The other lives that are live."""
    lobby: int
    """The life that has the lobby, live or not; 0 for none."""


class SendBeat(Struct, frozen=True):
    """Send a beat now."""


class Fence(Struct, frozen=True):
    """End the life of a node, unless it has beaten meanwhile."""

    life: int
    beat: int
    """The last beat that was seen of it."""


class TakeLobby(Struct, frozen=True):
    """Become the lobby, unless a live node has become it meanwhile."""


Act = SendBeat | Fence | TakeLobby


class OverLives:
    """The lives that are over, of those that have been seen live."""

    def __init__(self) -> None:
        self._live: frozenset[int] = frozenset()
        self._over: set[int] = set()

    def lives_changed(self, lives: Collection[int]) -> None:
        """These are live now."""
        self._over.update(self._live.difference(lives))
        self._live = frozenset(lives)

    def __contains__(self, life: int) -> bool:
        return life in self._over


class _SeenBeat(Struct):
    beat: int
    since: float
    """When it was first seen, by the answer to an own beat."""


class Membership:
    """One life of a node."""

    def __init__(self, life: int, now: float) -> None:
        self.life = life
        self.valid_until = -inf
        """When the lease is over."""
        self.lobby: Peer | None = None
        """The live node that has the lobby, if it is another one."""
        self.is_lobby = False
        """Whether this life has the lobby."""
        self.draining = False
        """Whether it ends, and so does not become the lobby."""
        self._beat_due = now
        self._is_out = False
        self._last_good = -inf
        self._watched: dict[int, _SeenBeat] = {}
        self._refusing: set[int] = set()

    def is_valid(self, now: float) -> bool:
        """Whether the lease is valid: what is not stored may be told."""
        return now < self.valid_until

    @property
    def due(self) -> float:
        """When :meth:`wake` is to be called; ``inf`` while a beat is out."""
        return inf if self._is_out else self._beat_due

    def wake(self, now: float) -> list[Act]:
        """What is due now."""
        if now < self.due:
            return []
        self._is_out = True
        self._beat_due = now + BEAT_EVERY
        return [SendBeat()]

    def failed(self) -> None:
        """A beat has failed, or nobody knows what became of it. The others are not to blame."""
        self._is_out = False
        self._last_good = -inf

    def beaten(self, found: Beaten, now: float) -> list[Act]:
        """A beat was good; ``now`` is when its answer came."""
        self._is_out = False
        self.valid_until = max(self.valid_until, found.sent + LEASE)
        if now - self._last_good > _STEADY:
            self._watched.clear()
        self._last_good = now
        self.is_lobby = found.lobby == self.life
        lobby = [peer for peer in found.peers if peer.life == found.lobby]
        self.lobby = lobby[0] if lobby else None
        acts: list[Act] = [
            Fence(peer.life, peer.beat) for peer in found.peers if self._is_silent(peer, now)
        ]
        lives = {peer.life for peer in found.peers}
        self._watched = {life: seen for life, seen in self._watched.items() if life in lives}
        self._refusing &= lives
        if not self.is_lobby and self.lobby is None and not self.draining:
            acts.append(TakeLobby())
        return acts

    def _is_silent(self, peer: Peer, now: float) -> bool:
        seen = self._watched.get(peer.life)
        if seen is None or seen.beat != peer.beat:
            self._watched[peer.life] = _SeenBeat(peer.beat, now)
            self._refusing.discard(peer.life)
            return False
        return now - seen.since > (REFUSED_SILENCE if peer.life in self._refusing else SILENCE)

    def refused(self, peer: Peer) -> None:
        """A node took no connection: its process is likely to be gone."""
        self._refusing.add(peer.life)

    def fenced(self, life: int) -> list[Act]:
        """A life has been ended."""
        self._watched.pop(life, None)
        if self.lobby is None or self.lobby.life != life:
            return []
        self.lobby = None
        return [] if self.draining else [TakeLobby()]

    def took_lobby(self) -> None:
        """This life has become the lobby."""
        self.is_lobby = True
        self.lobby = None
