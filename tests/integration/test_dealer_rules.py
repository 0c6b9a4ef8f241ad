"""Other rules for the next game: proposed, agreed, refused, timed out, and stored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from hearts.game.rules import parse_rules
from tests.independent.client import Session
from tests.independent.dealer import DealerSession, Wish
from tests.independent.dealer_frames import (
    NEW_GAME,
    NEW_RULES,
    PROPOSE_RULES,
    QUERY_NEW_RULES,
    RULES_STAY,
    ints,
)
from tests.independent.referee import Referee

from .dealers import Life, at_deal, settings, sit
from .house import House, house, judge, options
from .ports import MemoryJournal

OTHER = ints(1, 20, 1, 1, 1, 0, 1, 2, 1, 0)
BITS = parse_rules(
    "jack,moon=minus,exact=zero,dump,bleed,rotate,pass=left,notrick,queen-keeps"
).bits
PAUSE = ("--pause-limit", "600")
PROPOSAL = Wish(2, PROPOSE_RULES, OTHER)


def proposer(*wishes: Wish, clients: int = 2, thinks: float = 0.0) -> DealerSession:
    computers = sum(1 << seat for seat in range(clients, 4))
    given = options("standard", 27, computers)
    thinking = {"think_chance": float(thinks > 0), "think_seconds": thinks}
    return DealerSession(settings(0, options=given, again=1, wishes=wishes, **thinking))


def tables(session: Session) -> list[tuple[int, ...]]:
    """Rules and end score of each game."""
    return [fact.numbers[1:3] for fact in session.facts if fact.kind == "table"]


def stayed(session: DealerSession) -> list[int]:
    return [frame["player"] for frame in session.frames if frame.type == RULES_STAY]


async def test_rules_that_all_agree_to(made: House) -> None:
    sessions = [proposer(PROPOSAL, clients=3), *(DealerSession(settings(s)) for s in (1, 2))]
    async with trio.open_nursery() as nursery:
        await sit(nursery, made, *sessions)
    assert judge(sessions).games == 2
    for session in sessions:
        assert tables(session) == [(0, 27), (BITS, 20)]
        assert sum(frame.type == NEW_RULES for frame in session.frames) == 1
        assert stayed(session) == []


async def test_rules_that_somebody_refuses(made: House) -> None:
    sessions = [proposer(PROPOSAL, clients=3), *(DealerSession(settings(s)) for s in (1, 2))]
    sessions[2].settings = settings(2, agrees=False)
    async with trio.open_nursery() as nursery:
        await sit(nursery, made, *sessions)
    assert judge(sessions).games == 2
    for session in sessions:
        assert tables(session) == [(0, 27)] * 2
        assert stayed(session) == [2]


@pytest.mark.house("--turn-limit", "0")
async def test_rules_that_somebody_does_not_answer(made: House) -> None:
    """A second proposal in the meantime is not possible."""
    wishes = (PROPOSAL, replace(PROPOSAL, reason=-26))
    sessions = [proposer(*wishes, thinks=20), DealerSession(settings(1, agrees=None))]
    async with trio.open_nursery() as nursery:
        await sit(nursery, made, *sessions)
    assert judge(sessions).games == 2
    assert sessions[0].errors == [-26]
    for session in sessions:
        assert tables(session) == [(0, 27)] * 2
        assert stayed(session) == [-1]


async def test_a_plain_client_cannot_agree(made: House) -> None:
    first, other = proposer(PROPOSAL, clients=3), DealerSession(settings(2))
    sessions = [first, Session(settings(1)), other]
    async with trio.open_nursery() as nursery:
        await sit(nursery, made, *sessions)
    assert judge(sessions).games == 2
    assert stayed(first) == stayed(other) == [1]
    assert all(frame.type != QUERY_NEW_RULES for frame in other.frames)


async def test_only_player_0_may_ask_and_only_for_rules(made: House) -> None:
    meaningless = [OTHER[:-1], b"", ints(1, 0, 1, 1, 1, 0, 1, 2, 1, 0)]
    meaningless += [ints(2, 20, 1, 1, 1, 0, 1, 2, 1, 0), ints(1, 20, 1, 1, 1, 0, 1, 4, 1, 0)]
    wishes = [Wish(1, PROPOSE_RULES, payload, -23) for payload in meaningless]
    others = [Wish(1, kind, ints(2), -25) for kind in (221, 222)]
    others.append(replace(PROPOSAL, deal=1, reason=-25))
    seats = [Wish(1, 221, ints(number), -23) for number in (-1, 4)]
    seats += [Wish(1, 221, ints(number), -26) for number in (0, 2)]
    seats.append(Wish(1, 222, ints(0), -26))
    first = proposer(*wishes, *seats)
    second = DealerSession(settings(1, wishes=tuple(others)))
    async with trio.open_nursery() as nursery:
        await sit(nursery, made, first, second)
    assert judge([first, second]).games == 2
    assert first.errors == [wish.reason for wish in (*wishes, *seats)]
    assert second.errors == [-25] * 3


@pytest.mark.house("--turn-limit", "3600")
async def test_the_next_game_has_them_for_a_plain_client_too(made: House) -> None:
    """He has agreed in this dialect, and comes back in the other one."""
    first, second = Life(proposer(PROPOSAL)), Life(DealerSession(settings(1)))

    async def change() -> None:
        await second.run(await made.call(), lambda session: _agreed(session))
        second.come_back("plain")
        await second.run(await made.call())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(first.run, await made.call())
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(change)
    both = {life.session.me: life.joined.facts for life in (first, second)}
    assert Referee(both, came_back=True).judge().games == 2
    assert tables(second.session)[-1] == (BITS, 20)


def _agreed(session: Session) -> bool:
    assert isinstance(session, DealerSession)
    return session._agreed is not None and any(f.type == NEW_RULES for f in session.frames)


async def test_they_hold_after_a_restart(tmp_path: Path, autojump_clock: MockClock) -> None:
    """The server dies between the agreement and the next game."""
    lives = [Life(proposer(PROPOSAL, thinks=0.5)), Life(DealerSession(settings(1)))]
    journal = MemoryJournal()
    async with (
        trio.open_nursery() as clients,
        house(tmp_path, *PAUSE, journal=journal) as made,
    ):
        for life in lives:
            clients.start_soon(life.run, await made.call())  # noqa: ASYNC111
            await trio.testing.wait_all_tasks_blocked()
        await at_deal(lives[0].session, 2)
        await trio.sleep(1)
        journal.cut.set()
    again = MemoryJournal()
    async with house(tmp_path, *PAUSE, journal=again) as made:
        assert await made.server.take_up([journal.stored]) == 1
        async with trio.open_nursery() as nursery:
            for life, dialect in zip(lives, ("dealer", "plain"), strict=True):
                life.come_back(dialect)
                nursery.start_soon(life.run, await made.call())
    both = {life.session.me: life.joined.facts for life in lives}
    assert Referee(both, came_back=True).judge().games == 2
    for life in lives:
        assert tables(life.session)[-1] == (BITS, 20)
    assert isinstance(lives[0].session, DealerSession)
    news = [f for f in lives[0].session.frames if f.type == NEW_GAME]
    assert not news[-1].past
