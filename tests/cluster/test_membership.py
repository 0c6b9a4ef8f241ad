"""What a node does about the others, in virtual time; and many nodes against a database that
answers as late as hypothesis likes, with the promise of the lease model (``lease_model.py``)."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct, field

from hearts_server.cluster.membership import (
    BEAT_EVERY,
    LEASE,
    REFUSED_SILENCE,
    SILENCE,
    Act,
    Beaten,
    Fence,
    Membership,
    Peer,
    SendBeat,
    TakeLobby,
)

OTHER = Peer(1, "north", "10.0.0.1:7700", 7)


def beats(member: Membership, now: float, *peers: Peer, lobby: int = 1) -> list[Act]:
    """A beat that is answered at once."""
    assert member.wake(now) == [SendBeat()]
    return member.beaten(Beaten(now, peers, lobby), now)


def test_a_lease_counts_from_the_sending_of_its_beat() -> None:
    member = Membership(2, 10.0)
    assert not member.is_valid(10.0)
    assert member.wake(10.0) == [SendBeat()]
    assert member.wake(11.0) == []
    member.beaten(Beaten(10.0, [], 1), 11.0)
    assert member.is_valid(10.0 + LEASE - 0.01)
    assert not member.is_valid(10.0 + LEASE)
    assert member.due == 10.0 + BEAT_EVERY


def test_a_beat_that_failed_leaves_the_lease_as_it_is() -> None:
    member = Membership(2, 0.0)
    beats(member, 0.0)
    member.wake(0.5)
    member.failed()
    assert member.is_valid(LEASE - 0.01)
    assert not member.is_valid(LEASE)
    assert member.due == 1.0


def silent_until(member: Membership, peer: Peer) -> float:
    """When a peer that does not beat is fenced."""
    for step in count():
        now = step * BEAT_EVERY / 2
        if member.due <= now and Fence(peer.life, peer.beat) in beats(member, now, peer):
            return now
    raise AssertionError


def test_a_silent_node_is_fenced_and_its_lobby_taken() -> None:
    member = Membership(2, 0.0)
    assert SILENCE < silent_until(member, OTHER) <= SILENCE + BEAT_EVERY
    assert member.lobby == OTHER
    assert member.fenced(1) == [TakeLobby()]
    assert member.lobby is None
    member.took_lobby()
    assert member.is_lobby


def test_one_that_takes_no_connections_is_fenced_sooner_and_after_its_lease() -> None:
    member = Membership(2, 0.0)
    beats(member, 0.0, OTHER)
    member.refused(OTHER)
    member.wake(0.5)
    member.beaten(Beaten(0.5, [OTHER], 1), 0.5)
    assert LEASE < REFUSED_SILENCE
    assert beats(member, REFUSED_SILENCE - 0.25, OTHER) == []
    member.wake(2.0)
    assert member.beaten(Beaten(2.0, [OTHER], 1), 2.0) == [Fence(1, 7)]


def test_one_that_beats_again_takes_connections_as_well() -> None:
    member = Membership(2, 0.0)
    beats(member, 0.0, OTHER)
    member.refused(OTHER)
    alive = Peer(1, "north", "10.0.0.1:7700", 8)
    for now in (0.5, 1.0, 1.5, 2.0, 2.5):
        assert beats(member, now, alive) == []


def test_who_could_not_beat_himself_blames_nobody() -> None:
    member = Membership(2, 0.0)
    beats(member, 0.0, OTHER)
    for now in (1.0, 2.0, 3.0):
        member.wake(now)
        member.failed()
    assert beats(member, 4.0, OTHER) == []
    assert beats(member, 4.5, OTHER) == []


def test_who_stood_still_himself_blames_nobody() -> None:
    member = Membership(2, 0.0)
    beats(member, 0.0, OTHER)
    assert beats(member, 60.0, OTHER) == []


def test_a_lobby_that_nobody_has_is_taken_but_not_by_one_that_ends() -> None:
    member = Membership(2, 0.0)
    assert beats(member, 0.0, lobby=0) == [TakeLobby()]
    assert beats(member, 0.5, OTHER, lobby=9) == [TakeLobby()]
    member.draining = True
    assert beats(member, 1.0, lobby=0) == []


# Many nodes


class Row(Struct):
    """A life in the database."""

    beat: int = 0
    live: bool = True


class Club(Struct):
    """The database: what the statements of a node do in it."""

    rows: dict[int, Row] = field(default_factory=dict)
    lobby: int = 0

    def beat(self, life: int, sent: float) -> Beaten | None:
        row = self.rows[life]
        if not row.live:
            return None
        row.beat += 1
        others = [
            Peer(other, str(other), "", found.beat)
            for other, found in self.rows.items()
            if found.live and other != life
        ]
        return Beaten(sent, others, self.lobby)

    def fence(self, act: Fence) -> bool:
        row = self.rows[act.life]
        if row.beat == act.beat:
            row.live = False
        return not row.live

    def take_lobby(self, life: int) -> bool:
        taken = self.lobby and self.rows[self.lobby].live
        if self.rows[life].live and not taken:
            self.lobby = life
        return self.lobby == life


def _took(member: Membership) -> list[Act]:
    member.took_lobby()
    return []


class World:
    """Nodes whose statements take as long to arrive and to be answered as ``delay`` says."""

    def __init__(self, nodes: int, delay: Callable[[], float]) -> None:
        self.now = 0.0
        self.club = Club({life: Row() for life in range(1, nodes + 1)})
        self.members = {life: Membership(life, 0.0) for life in self.club.rows}
        self.over: set[int] = set()
        self.stopped: set[int] = set()
        self._delay = delay
        self._later: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        for life in self.members:
            self.at(0.0, lambda life=life: self.wake(life))  # type: ignore[misc]

    def at(self, when: float, then: Callable[[], None]) -> None:
        heapq.heappush(self._later, (when, next(self._order), then))

    def run(self, until: float) -> None:
        while self._later and self._later[0][0] <= until:
            self.now, _, then = heapq.heappop(self._later)
            then()
            self.check()

    def wake(self, life: int) -> None:
        if life in self.over:
            return
        if life not in self.stopped:
            self.do(life, self.members[life].wake(self.now))
        self.at(self.now + BEAT_EVERY / 2, lambda: self.wake(life))

    def do(self, life: int, acts: list[Act]) -> None:
        for act in acts:
            sent = self.now
            self.at(self.now + self._delay(), lambda a=act, s=sent: self.arrives(life, a, s))  # type: ignore[misc]

    def arrives(self, life: int, act: Act, sent: float) -> None:
        """An act reaches the database; its answer comes later, also to one that is stopped."""
        answer: Callable[[Membership], list[Act] | None]
        match act:
            case SendBeat():
                found = self.club.beat(life, sent)
                answer = lambda m: None if found is None else m.beaten(found, self.now)  # noqa: E731
            case Fence():
                done = self.club.fence(act)
                answer = lambda m: m.fenced(act.life) if done else []  # noqa: E731
            case TakeLobby():
                took = self.club.take_lobby(life)
                answer = lambda m: _took(m) if took else []  # noqa: E731
        self.at(self.now + self._delay(), lambda: self.hears(life, answer))

    def hears(self, life: int, answer: Callable[[Membership], list[Act] | None]) -> None:
        if life in self.stopped:
            self.at(self.now + 0.1, lambda: self.hears(life, answer))
        elif life not in self.over:
            acts = answer(self.members[life])
            if acts is None:
                self.over.add(life)
            else:
                self.do(life, acts)

    def check(self) -> None:
        for life, member in self.members.items():
            if life not in self.over and member.is_lobby and member.is_valid(self.now):
                assert self.club.lobby == life, (self.now, life)
                assert self.club.rows[life].live, (self.now, life)


@settings(max_examples=60)
@given(st.data())
def test_who_tells_with_a_lease_is_the_lobby_whatever_is_late_or_stopped(
    data: st.DataObject,
) -> None:
    delays = st.sampled_from([0.0, 0.01, 0.1, 0.4, 0.8, 1.6, 3.0])
    slow = data.draw(st.booleans())
    world = World(3, lambda: data.draw(delays) if slow else 0.01)
    for life in world.members:
        stops = data.draw(st.lists(st.tuples(st.floats(0, 8), st.floats(0, 6)), max_size=2))
        for begin, seconds in stops:
            world.at(begin, lambda life=life: world.stopped.add(life))  # type: ignore[misc]
            world.at(begin + seconds, lambda life=life: world.stopped.discard(life))  # type: ignore[misc]
    world.run(14.0)


def test_the_lobby_dies_and_within_seconds_there_is_another_one() -> None:
    world = World(3, lambda: 0.01)
    world.run(1.0)
    (first,) = [life for life, member in world.members.items() if member.is_lobby]
    world.stopped.add(first)
    world.run(1.0 + SILENCE + 2 * BEAT_EVERY)
    (second,) = [
        life for life, member in world.members.items() if member.is_lobby and life != first
    ]
    others = [member for life, member in world.members.items() if life not in (first, second)]
    world.run(world.now + 2 * BEAT_EVERY)
    assert [member.lobby and member.lobby.life for member in others] == [second]
    world.stopped.discard(first)
    world.run(world.now + 2.0)
    assert world.over == {first}
