"""A hand at a whole server twice, with cards exchanged that a player or a watcher may not know.

The other seats are a computer, a player whose clock runs out, and one who leaves, so that stand-ins
come in. The player makes all kinds of mistakes. One watcher is there from the first hand on,
another comes in the middle of the second; the host may show them everything later, and they may
come as a page does, through the gateway for browsers. Until the rules show the difference, each
gets the same bytes at the same moments, and the log and the announcements say the same. What is
shown and when, the journal knows.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import NamedTuple

import pytest
import trio
import trio.testing

from hearts.game.deal import Hands
from hearts.game.events import ChosenBy, Deal, Play
from hearts.game.record import parse_action
from tests.independent import dealer_frames as p
from tests.independent.dealer import DealerWatcher, PlayerConnection
from tests.independent.dealer_frames import ints
from tests.independent.plain_client import ClientHabits, OwnSession, Read, Talk, Write

from . import hidden
from .by_page import Received, call_by_page
from .dealers import game_of, player, returned, settings, until
from .hidden import AWAY, GOES_AT, LEAVES_AT, SECOND, Difference, Roles, Tape, Wiretap
from .house import House, house, options, text

LATE = 8.0
"""Seconds of the hand after which the second watcher comes."""


class TimedFrame(NamedTuple):
    """A frame, and when its last byte came."""

    moment: float
    kind: int
    number: int
    payload: bytes


@dataclass
class Ear:
    replies: int
    """Bytes of the registration."""
    heard: list[tuple[float, int]] = field(default_factory=list)
    """Each byte with its moment."""
    received: Received = field(default_factory=list)
    """The same in the frames of the WebSocket, if it came over one."""

    def frames(self) -> list[TimedFrame]:
        """Its frames; the last may not have come as a whole."""
        told, at = [], self.replies
        data = bytes(byte for _, byte in self.heard)
        while at + 12 <= len(data):
            kind, number, size = struct.unpack_from(">3i", data, at)
            end = at + 12 + size
            if end > len(data):
                break
            told.append(TimedFrame(self.heard[end - 1][0], kind, number, data[at + 12 : end]))
            at = end
        return told


@dataclass
class HeardRun(Tape):
    """A run, with what its listeners got."""

    player: list[Ear] = field(default_factory=list)
    told: list[tuple[float, bytes]] = field(default_factory=list)
    """All that people were told who have asked from outside, with the moment."""
    watcher: list[Ear] = field(default_factory=list)
    late: list[Ear] = field(default_factory=list)


class SessionRun:
    """One session with this deal as its second."""

    def __init__(self, made: House, roles: Roles, tape: HeardRun) -> None:
        self._made = made
        self._roles = roles
        self._tape = tape
        self._begun = trio.Event()
        """Set at the begin of the second hand."""
        want: dict[str, object] = {"plodding": True, "think_chance": 1.0, "think_seconds": 0.3}
        want |= {"committed": False, "comment": "one of us"}
        # What comes when nothing is due is read at moments that differ from run to run.
        bad = {"wrong": 0.2, "unasked": 0.2, "mistyped": 0.2, "short": 0.1}
        bad |= {"unknown": 0.2, "pings": 0.3}
        wishes = {
            roles.player: settings(roles.player, **want | bad),
            roles.slow: settings(roles.slow, **want | {"think_seconds": 4.0}),
            roles.leaver: settings(roles.leaver, **want),
        }
        dialects = {roles.player: roles.speaks, roles.slow: roles.dialect}
        opens = options(roles.rules, 1000, 1 << roles.computer)
        self.sessions = {
            seat: player(
                dialects.get(seat, "plain"),
                replace(wish, options=opens if seat == 0 else None),
            )
            for seat, wish in sorted(wishes.items())
        }

    async def _follow(self, talk: Talk, replies: int, ears: list[Ear]) -> None:
        ear = Ear(replies)
        ears.append(ear)
        made = self._made
        called = call_by_page(made, ear.received) if self._roles.by_page else made.call()
        caller = Wiretap(await called, ear.heard, self._tape)
        async with caller.stream:
            await caller.converse(talk)

    async def play(self, seat: int) -> None:
        """Play at this seat."""
        session, roles = self.sessions[seat], self._roles
        if seat == roles.player:
            await self._play_and_come_back(session)
            return
        caller = await self._made.call()
        talk = session.talk()
        if seat == roles.leaver:
            talk = hidden.until_choice(talk, session, LEAVES_AT)
        async with caller.stream:
            await caller.converse(talk)

    async def _play_and_come_back(self, session: OwnSession) -> None:
        roles, ears = self._roles, self._tape.player

        def has_begun() -> bool:
            if [fact.kind for fact in session.facts].count("hand") == 2:
                self._begun.set()
            return False

        talk = until(session.talk(), has_begun)
        if roles.back is None:
            await self._follow(talk, 12, ears)
            return
        await self._follow(hidden.until_choice(talk, session, GOES_AT), 12, ears)
        await trio.sleep(AWAY)
        ticket = session.ticket
        assert ticket is not None
        assert roles.back in (-1, ticket.hands)
        if not isinstance(session, PlayerConnection):
            again = replace(session.settings, options=None, seed=9)
            talk = OwnSession(again, replace(ticket, hands=roles.back)).talk()
        elif roles.back == -1:
            # Nothing counts the hands that were before.
            numbers = (ticket.game, ticket.game_id, ticket.player, ticket.process_id, -1)
            talk = only_listens(ticket.process_id, -5, *numbers)
        else:
            talk = returned("dealer", session, session).talk()
        await self._follow(talk, 16, ears)

    async def watch(self) -> None:
        """Watch from the middle of the first hand on."""
        await trio.sleep(2)
        eve = DealerWatcher(ClientHabits(name="Eve"), self._game, bothers=True, committed=False)
        await self._follow(eve.talk(), 16, self._tape.watcher)

    async def watch_late(self) -> None:
        """Begin to watch in the middle of the second hand."""
        await self._begun.wait()
        await trio.sleep(LATE)
        # The hands that were before are not told, so nothing counts them.
        await self._follow(only_listens(1, -9, self._game), 16, self._tape.late)

    @property
    def _game(self) -> int:
        return game_of(self.sessions[self._roles.player])


def only_listens(process_id: int, *block: int) -> Talk:
    """Somebody who comes with an option block, takes whatever they are told, and says nothing."""
    yield Read(4)
    for said in (text("Eve") + ints(-10, 0), ints(-6, 1), ints(*block)):
        yield Write(said)
        yield Read(4)
    yield Write(ints(process_id))
    while True:
        yield Read(1)


async def run(data_dir: Path, roles: Roles, second: Hands) -> HeardRun:
    """One session with this deal as its second."""
    tape, delay = HeardRun(), roles.delay
    late = ("--watch-delay", str(delay))
    async with hidden.playing(tape, data_dir, second, *late, delay=delay) as (made, clients):
        played = SessionRun(made, roles, tape)
        for seat in played.sessions:
            clients.start_soon(played.play, seat)
            await trio.testing.wait_all_tasks_blocked()
        clients.start_soon(played.watch)
        clients.start_soon(played.watch_late)
    return tape


def check_heard(one: Sequence[Ear], other: Sequence[Ear], shown: Difference, delay: float) -> None:
    """Assert that listeners got the same at the same times, until the difference is shown."""
    # Moments are whole microseconds, and a sum of two is not quite.
    moment = round(shown.moment + delay, 6)
    for ear, also in zip(one, other, strict=True):
        assert hidden.before(moment, ear.received) == hidden.before(moment, also.received)
        assert hidden.before(moment, ear.heard) == hidden.before(moment, also.heard)


ROLES = [
    Roles(0, 1, 2, 3),
    Roles(1, 2, 3, 0, dialect="dealer", back=-1),
    Roles(2, 3, 0, 1, back=1, delay=7.5, by_page=True),
    Roles(3, 1, 0, 2, speaks="plain", back=1, rules="standard"),
    *(
        pytest.param(roles, marks=pytest.mark.heavy)
        for roles in (
            Roles(0, 1, 2, 3, speaks="plain"),
            Roles(2, 3, 0, 1, back=1, delay=7.5),
            Roles(1, 2, 3, 0, dialect="dealer", by_page=True),
            Roles(0, 1, 2, 3, dialect="dealer", rules="standard"),
            Roles(0, 2, 3, 1, back=1, rules="pass=left,bleed", delay=12.0),
            Roles(1, 2, 3, 0, speaks="plain", back=-1),
            Roles(0, 2, 3, 1, speaks="plain", back=1, rules="pass=left,bleed"),
            Roles(2, 3, 0, 1, speaks="plain", back=1, by_page=True),
        )
    ),
]


@pytest.mark.parametrize("roles", ROLES, ids=str)
def test_nothing_tells_what_may_not_be_known(roles: Roles, tmp_path: Path) -> None:
    before = hidden.run_alike(run, tmp_path / "before", roles, SECOND)
    plays = []
    for number, hands in enumerate(hidden.hard_to_tell(before, roles.player)):
        after = hidden.run_alike(run, tmp_path / f"after-{number}", roles, hands)
        shown = hidden.difference(before, after, roles.player, roles.rules)
        check_heard(before.player, after.player, shown, 0.0)
        hidden.check_said(before, after, shown.moment)
        open_to_all = hidden.difference(before, after, None, roles.rules)
        check_heard(before.watcher, after.watcher, open_to_all, roles.delay)
        check_heard(before.late, after.late, open_to_all, roles.delay)
        plays.append(shown.plays)
    assert max(plays) >= 20
    check_rich(before, roles)
    check_delay(before, roles.delay)


def check_rich(tape: HeardRun, roles: Roles) -> None:
    """Assert that all that could tell something occurs."""
    if roles.speaks == "dealer":
        told = {frame.kind for ear in tape.player for frame in ear.frames()}
        assert {p.WAITING, p.PLAYER_CHANGE, p.TAKE_CARD, p.LOSE_CARD, p.CARD_PLAYED} <= told
        assert told & set(p.ERRORS)
    assert any(line.startswith("level=info") for _, line in tape.log)
    assert any("has left" in text for _, text in tape.said)
    assert len(tape.player) == 1 + (roles.back is not None)
    assert {play.by for play in (play for _, play in tape.plays)} == set(ChosenBy)
    assert all(ear.received for ear in tape.player) == roles.by_page
    for ears in (tape.watcher, tape.late):
        seen = {frame.kind for ear in ears for frame in ear.frames()}
        assert p.CARD_PLAYED in seen
        assert not seen & {p.TAKE_CARD, p.TAKE_PASS, p.LOSE_CARD, p.LOSE_PASS, p.WAITING}


def check_delay(tape: HeardRun, delay: float) -> None:
    """Assert that watchers saw no card before it was played and the delay was over."""
    played = [at for at, line in tape.lines if isinstance(parse_action(line), Play)]
    for (ear,) in (tape.watcher, tape.late):
        frames = ear.frames()
        seen = [told.moment for told in frames if told.kind == p.CARD_PLAYED]
        (hand, _) = struct.unpack(">2i", next(f.payload for f in frames if f.kind == p.NEW_HAND))
        assert len(seen) > 20
        for moment, at in zip(seen, played[52 * (hand - 1) :], strict=False):
            assert moment >= round(at + delay, 6)


def test_a_watcher_is_not_told_of_cards_of_anybody(tmp_path: Path) -> None:
    """The player's own cards are exchanged with those of others."""
    roles = Roles(1, 2, 3, 0, dialect="dealer", rules="standard")
    before = hidden.run_alike(run, tmp_path / "before", roles, SECOND)
    plays = []
    for number, hands in enumerate(hidden.hard_to_tell(before, None)):
        after = hidden.run_alike(run, tmp_path / f"after-{number}", roles, hands)
        shown = hidden.difference(before, after, None, roles.rules)
        check_heard(before.watcher, after.watcher, shown, 0.0)
        check_heard(before.late, after.late, shown, 0.0)
        plays.append(shown.plays)
    assert max(plays) >= 20


async def cut_by_another(data_dir: Path, seed: int) -> HeardRun:
    """The first hand of a session that another player cuts, as ``seed`` wills."""
    tape = HeardRun()

    def secrets() -> Iterator[Deal]:
        while True:
            yield Deal.from_secret(bytes(range(16)))

    # Two hands at most are played: no time passes while they are.
    opens = options("standard", 20, 0b1010)
    other = player("dealer", settings(0, cuts=True, options=opens, seed=seed))
    me = player("dealer", settings(2, plodding=True))
    with hidden.logged(tape):
        async with (
            house(
                data_dir, *hidden.ARGUMENTS, deals=secrets, chat=hidden.TapedNotices(tape)
            ) as made,
            trio.open_nursery() as clients,
        ):
            # They have said that they cut before the table is full.
            clients.start_soon((await made.call()).converse, other.talk())
            await trio.testing.wait_all_tasks_blocked()
            ear = Ear(12)
            tape.player.append(ear)
            clients.start_soon(Wiretap(await made.call(), ear.heard, tape).converse, me.talk())
            await trio.sleep(60)
            tape.ended = True
            clients.cancel_scope.cancel()
    return tape


def test_of_what_others_cut_only_the_hash_is_told_before_the_deal_is_made(tmp_path: Path) -> None:
    tapes = [hidden.run_alike(cut_by_another, tmp_path / str(seed), seed) for seed in (2, 3)]
    frames = [tape.player[0].frames() for tape in tapes]
    pairs = ((a, b) for a, b in zip(*frames, strict=False) if a != b)
    promises, told = next(pairs), next(pairs)
    assert {promise.kind for promise in promises} == {p.DEAL_COMMITMENT}
    assert {card.kind for card in told} == {p.TAKE_CARD}
    one, other = (promise.payload for promise in promises)
    assert (one[:36], one[68:]) == (other[:36], other[68:]), "all but the hash of player 0"
    hidden.check_said(tapes[0], tapes[1], told[0].moment)
    proofs = [next(f.payload for f in each if f.kind == p.DEAL_PROOF) for each in frames]
    assert proofs[0][:20] == proofs[1][:20], "number and secret"
    values = [proof[52:84] for proof in proofs]
    assert [sha256(value).digest() for value in values] == [one[36:68], other[36:68]]


def test_a_run_is_the_same_again(tmp_path: Path) -> None:
    roles = Roles(0, 1, 2, 3, dialect="dealer", speaks="plain", back=1, delay=3.0)
    one, other = (
        hidden.run_alike(run, tmp_path / name, roles, SECOND) for name in ("one", "other")
    )
    assert hidden.difference(one, other, 0, roles.rules) == Difference(inf, 52)
    assert one == other
