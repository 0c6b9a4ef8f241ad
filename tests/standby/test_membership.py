"""What a node does about the others, in virtual time; and many nodes against a database that
answers as late as hypothesis likes, with the promise of the lease model (``lease_model.py``)."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from itertools import count

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, field

from hearts_server.standby import membership

OTHER = membership.Peer(1, "north", "10.0.0.1:7700", 7)


def beats(
    member: membership.Membership, now: float, *peers: membership.Peer, active: int = 1
) -> list[membership.Act]:
    return member.beaten(membership.Beaten(now, peers, active), now)


def test_a_lease_counts_from_the_sending_of_its_beat() -> None:
    member = membership.Membership(2)
    assert not member.is_valid(10.0)
    member.beaten(membership.Beaten(10.0, [], 1), 11.0)
    assert member.is_valid(10.0 + membership.LEASE - 0.01)
    assert not member.is_valid(10.0 + membership.LEASE)


def test_a_beat_that_failed_leaves_the_lease_as_it_is() -> None:
    member = membership.Membership(2)
    beats(member, 0.0)
    member.failed()
    assert member.is_valid(membership.LEASE - 0.01)
    assert not member.is_valid(membership.LEASE)


def silent_until(*, refused: bool = False, settling: float = 0.0) -> tuple[float, membership.Fence]:
    """Find when a peer is fenced that does not beat, and the act."""
    member, now = membership.Membership(2), 0.0
    while True:
        if refused and now:
            member.refused(OTHER)
        for act in member.beaten(membership.Beaten(now, [OTHER], 1, now < settling), now):
            assert isinstance(act, membership.Fence)
            return now, act
        now += membership.BEAT_EVERY


def test_a_silent_node_is_fenced_and_another_takes_over() -> None:
    when, act = silent_until()
    assert act == membership.Fence(1, 7)
    assert membership.SILENCE < when <= membership.SILENCE + membership.BEAT_EVERY
    member = membership.Membership(2)
    beats(member, 0.0, OTHER)
    assert member.active == OTHER
    assert member.fenced(1) == [membership.TakeOver()]
    assert member.active is None
    member.took_over()
    assert member.is_active


def test_one_that_refuses_connections_is_fenced_sooner_and_after_its_lease() -> None:
    when, act = silent_until(refused=True)
    assert act == membership.Fence(1, 7, refused=True)
    assert (
        membership.LEASE
        < membership.REFUSED_SILENCE
        < when
        <= membership.REFUSED_SILENCE + membership.BEAT_EVERY
    )


def test_one_that_is_settling_is_fenced_only_if_it_refuses_connections() -> None:
    assert 10.0 <= silent_until(settling=10.0)[0] < 10.0 + membership.BEAT_EVERY
    assert silent_until(refused=True, settling=10.0) == silent_until(refused=True)


def test_one_that_beats_again_is_not_fenced_though_it_has_refused() -> None:
    member = membership.Membership(2)
    beats(member, 0.0, OTHER)
    member.refused(OTHER)
    alive = membership.Peer(1, "north", "10.0.0.1:7700", 8)
    for now in (0.5, 1.0, 1.5, 2.0, 2.5):
        assert beats(member, now, alive) == []


def test_who_could_not_beat_himself_blames_nobody() -> None:
    member = membership.Membership(2)
    beats(member, 0.0, OTHER)
    member.failed()
    assert beats(member, 4.0, OTHER) == []
    assert beats(member, 4.5, OTHER) == []


def test_who_stood_still_himself_blames_nobody() -> None:
    member = membership.Membership(2)
    beats(member, 0.0, OTHER)
    assert beats(member, 60.0, OTHER) == []


def test_where_nobody_plays_a_node_takes_over_but_not_one_that_ends() -> None:
    member = membership.Membership(2)
    assert beats(member, 0.0, active=0) == [membership.TakeOver()]
    assert beats(member, 0.5, OTHER, active=9) == [membership.TakeOver()]
    member.draining = True
    assert beats(member, 1.0, active=0) == []


# Many nodes


class LifeRow(Struct):
    """A life in the database."""

    beat: int = 0
    live: bool = True


class Rows(Struct):
    """The database: what the statements of a node do in it."""

    lives: dict[int, LifeRow] = field(default_factory=dict)
    active: int = 0

    def beat(self, life: int, sent: float) -> membership.Beaten | None:
        row = self.lives[life]
        if not row.live:
            return None
        row.beat += 1
        others = [
            membership.Peer(other, str(other), "", found.beat)
            for other, found in self.lives.items()
            if found.live and other != life
        ]
        return membership.Beaten(sent, others, self.active)

    def fence(self, act: membership.Fence) -> bool:
        row = self.lives[act.life]
        if row.beat == act.beat:
            row.live = False
        return not row.live

    def take_over(self, life: int) -> bool:
        taken = self.active and self.lives[self.active].live
        if self.lives[life].live and not taken:
            self.active = life
        return self.active == life


def _took(member: membership.Membership) -> list[membership.Act]:
    member.took_over()
    return []


class DelayedNodes:
    """Nodes whose statements take as long to arrive and to be answered as ``delay`` says."""

    def __init__(self, nodes: int, delay: Callable[[], float]) -> None:
        self.now = 0.0
        self.rows = Rows({life: LifeRow() for life in range(1, nodes + 1)})
        self.members = {life: membership.Membership(life) for life in self.rows.lives}
        self.over: set[int] = set()
        self.stopped: set[int] = set()
        self.beating: set[int] = set()
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
        if life not in self.stopped | self.beating:
            self.beating.add(life)
            self.do(life, [None])
        self.at(self.now + membership.BEAT_EVERY, lambda: self.wake(life))

    def do(self, life: int, acts: Sequence[membership.Act | None]) -> None:
        for act in acts:
            sent = self.now
            self.at(self.now + self._delay(), lambda a=act, s=sent: self.arrives(life, a, s))  # type: ignore[misc]

    def arrives(self, life: int, act: membership.Act | None, sent: float) -> None:
        """An act reaches the database; its answer comes later, also to one that is stopped."""
        answer: Callable[[membership.Membership], list[membership.Act] | None]
        match act:
            case None:
                found = self.rows.beat(life, sent)
                answer = lambda m: self.beaten(life, m, found)  # noqa: E731
            case membership.Fence():
                done = self.rows.fence(act)
                answer = lambda m: m.fenced(act.life) if done else []  # noqa: E731
            case membership.TakeOver():
                took = self.rows.take_over(life)
                answer = lambda m: _took(m) if took else []  # noqa: E731
        self.at(self.now + self._delay(), lambda: self.hears(life, answer))

    def beaten(
        self, life: int, member: membership.Membership, found: membership.Beaten | None
    ) -> list[membership.Act] | None:
        self.beating.discard(life)
        return None if found is None else member.beaten(found, self.now)

    def hears(
        self, life: int, answer: Callable[[membership.Membership], list[membership.Act] | None]
    ) -> None:
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
            if life not in self.over and member.is_active and member.is_valid(self.now):
                assert self.rows.active == life, (self.now, life)
                assert self.rows.lives[life].live, (self.now, life)


@given(st.data())
def test_who_tells_with_a_lease_plays_whatever_is_late_or_stopped(
    data: st.DataObject,
) -> None:
    delays = st.sampled_from([0.0, 0.01, 0.1, 0.4, 0.8, 1.6, 3.0])
    slow = data.draw(st.booleans())
    world = DelayedNodes(3, lambda: data.draw(delays) if slow else 0.01)
    for life in world.members:
        stops = data.draw(st.lists(st.tuples(st.floats(0, 8), st.floats(0, 6)), max_size=2))
        for begin, seconds in stops:
            world.at(begin, lambda life=life: world.stopped.add(life))  # type: ignore[misc]
            world.at(begin + seconds, lambda life=life: world.stopped.discard(life))  # type: ignore[misc]
    world.run(14.0)


def test_the_node_that_plays_dies_and_within_seconds_another_one_plays() -> None:
    world = DelayedNodes(3, lambda: 0.01)
    world.run(1.0)
    (first,) = [life for life, member in world.members.items() if member.is_active]
    world.stopped.add(first)
    world.run(1.0 + membership.SILENCE + 2 * membership.BEAT_EVERY)
    (second,) = [
        life for life, member in world.members.items() if member.is_active and life != first
    ]
    others = [member for life, member in world.members.items() if life not in (first, second)]
    world.run(world.now + 2 * membership.BEAT_EVERY)
    assert [member.active and member.active.life for member in others] == [second]
    world.stopped.discard(first)
    world.run(world.now + 2.0)
    assert world.over == {first}
