"""A model of leases: two nodes, one game, and time, with beats that travel as long as they like.

What is not stored (clocks, notices, ballots, refusals, replays) is told by who takes itself for
the owner of a game and has a valid lease. It must not be told by anybody else than the one whom
the database calls so at that instant.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

LEASE = 1
"""Steps of the clock for which a lease is valid after a beat was sent."""
SILENCE = 2
"""Steps without a new beat after which a node is suspected; longer than a lease."""


class LeasePart(Enum):
    """A part of the protocol that can be taken out, to see that it is needed."""

    LEASE = auto()
    """What is not stored is told only while the lease is valid."""
    FROM_SENDING = auto()
    """A lease counts from the sending of its beat, and not from the answer."""
    LONG_SILENCE = auto()
    """A node is suspected after a longer time than a lease has."""
    SAME_BEAT = auto()
    """A node is fenced only if it has not beaten since it was suspected."""
    LIVE_BEAT = auto()
    """A life that is fenced beats no more."""
    FENCE_BEFORE_CLAIM = auto()
    """A game is claimed only from a life that is fenced."""


class Way(Enum):
    """Where a beat is."""

    OUT = auto()
    GOOD = auto()
    """Committed; the answer is on its way."""
    FENCED = auto()


class Beat(NamedTuple):
    """A beat on its way, with what it has seen of the other life."""

    sent: int
    way: Way = Way.OUT
    other: tuple[int, int] = (0, 0)
    """The other life that is live, and its last beat."""


class SeenBeat(NamedTuple):
    """The last beat of another life, and since when it has not changed."""

    life: int = 0
    beat: int = 0
    since: int = 0


class LeaseNode(NamedTuple):
    """A process."""

    life: int
    plays: bool = False
    until: int = -1
    """The last step of the clock at which its lease is valid."""
    beat: Beat | None = None
    seen: SeenBeat = SeenBeat()
    suspects: tuple[int, int] = (0, 0)
    """A life, and the last beat that was seen of it."""


class LeaseWorld(NamedTuple):
    """The clock, the database and the nodes."""

    now: int = 0
    nodes: tuple[LeaseNode, LeaseNode] = (LeaseNode(1, plays=True), LeaseNode(2))
    live: frozenset[int] = frozenset((1, 2))
    owner: int = 1
    beats: tuple[int, int, int] = (0, 0, 0)
    """The last beat of each life."""


def wrong(world: LeaseWorld, protocol: Leases) -> str | None:
    """What may not be in this world; None if all is good."""
    for node in world.nodes:
        right = node.life in world.live and node.life == world.owner
        if node.plays and protocol.may_tell(world, node) and not right:
            return f"life {node.life} tells what is not its own to tell any more"
    return None


class Leases:
    """All that can happen, with the parts that the protocol has."""

    def __init__(self, without: LeasePart | None = None, *, last: int = 2) -> None:
        """``last`` is the last step of the clock that is looked at."""
        self._has = frozenset(LeasePart) - {without}
        self._last = last
        self._silence = SILENCE if LeasePart.LONG_SILENCE in self._has else LEASE

    def may_tell(self, world: LeaseWorld, node: LeaseNode) -> bool:
        return world.now <= node.until or LeasePart.LEASE not in self._has

    def steps(self, world: LeaseWorld) -> Iterator[tuple[str, LeaseWorld]]:
        """Everything that can happen next, each with its name."""
        if world.now < self._last:
            yield "time passes", _later(world, world.now + 1)
        for node in world.nodes:
            for name, after in self._of_node(world, node):
                yield f"{node.life} {name}", after

    def _of_node(self, world: LeaseWorld, node: LeaseNode) -> Iterator[tuple[str, LeaseWorld]]:
        yield from self._beats(world, node)
        life, beat = node.suspects
        same = world.beats[life] == beat or LeasePart.SAME_BEAT not in self._has
        if life in world.live and same:
            yield f"fences {life}", world._replace(live=world.live - {life})
        if node.life not in world.live or node.plays:
            return
        fenced = world.owner not in world.live or LeasePart.FENCE_BEFORE_CLAIM not in self._has
        if fenced or world.owner == node.life:
            claimed = world._replace(owner=node.life)
            yield "claims", _put(claimed, node, node._replace(plays=True))

    def _beats(self, world: LeaseWorld, node: LeaseNode) -> Iterator[tuple[str, LeaseWorld]]:
        beat = node.beat
        if beat is None:
            yield "beats", _put(world, node, node._replace(beat=Beat(world.now)))
            return
        match beat.way:
            case Way.OUT:
                yield "has beaten", self._beaten(world, node, beat)
            case Way.GOOD:
                yield "hears that it has", self._heard(world, node, beat)
            case Way.FENCED:
                yield "is fenced", _put(world, node, LeaseNode(node.life))

    def _beaten(self, world: LeaseWorld, node: LeaseNode, beat: Beat) -> LeaseWorld:
        if node.life not in world.live and LeasePart.LIVE_BEAT in self._has:
            return _put(world, node, node._replace(beat=beat._replace(way=Way.FENCED)))
        beats = list(world.beats)
        beats[node.life] = beat.sent
        others = world.live - {node.life}
        seen = (max(others), beats[max(others)]) if others else (0, 0)
        after = node._replace(beat=beat._replace(way=Way.GOOD, other=seen))
        return _put(world._replace(beats=(beats[0], beats[1], beats[2])), node, after)

    def _heard(self, world: LeaseWorld, node: LeaseNode, beat: Beat) -> LeaseWorld:
        begun = beat.sent if LeasePart.FROM_SENDING in self._has else world.now
        seen, suspects = node.seen, (0, 0)
        if seen[:2] != beat.other:
            seen = SeenBeat(*beat.other, world.now)
        elif seen.life and world.now - seen.since >= self._silence:
            suspects = beat.other
        after = node._replace(until=begun + LEASE, beat=None, seen=seen, suspects=suspects)
        return _put(world, node, after)


def _later(world: LeaseWorld, now: int) -> LeaseWorld:
    # A lease that is over is like none, and a silence cannot be more than long enough.
    first, second = (
        node._replace(
            until=node.until if node.until >= now else -1,
            seen=node.seen._replace(since=max(node.seen.since, now - SILENCE)),
        )
        for node in world.nodes
    )
    return world._replace(now=now, nodes=(first, second))


def _put(world: LeaseWorld, old: LeaseNode, new: LeaseNode) -> LeaseWorld:
    first, second = (new if node is old else node for node in world.nodes)
    return world._replace(nodes=(first, second))
