"""Seats that change hands: a computer for who is away, and a person for a computer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from hearts.game.deal import DealDisclosed, DealPromised, parse_notice
from hearts.hosting.table_chat import GameNotice, SeatHolder
from hearts.taunt.announcer import NOBODY
from tests.independent.dealer import PlayerConnection, Wish
from tests.independent.dealer_frames import (
    OPEN_SEAT,
    PLAYER_CHANGE,
    REPLACE_PLAYER,
    ints,
)
from tests.independent.plain_client import OwnSession
from tests.independent.referee import Referee

from .dealers import Life, at_deal, converse, player, settings, sit, until
from .house import House, house, listed, options, take_up
from .ports import DyingJournal, ListeningChat

TABLE = "a private one"
PAUSE = ("--pause-limit", "600")
SLOW = {"think_chance": 1.0, "think_seconds": 0.2, "again": 1, "cuts": True}


def host(*wishes: Wish, clients: int = 1, **more: object) -> PlayerConnection:
    """Player 0, with their wishes."""
    computers = sum(1 << seat for seat in range(clients, 4))
    given = options("pass=cycle3", 50, computers)
    return PlayerConnection(settings(0, options=given, wishes=wishes, **{**SLOW, **more}))


def newcomer(dialect: str, name: str, **more: object) -> OwnSession:
    given = {"name": name, "process_id": 500, "newcomer": True, **SLOW, **more}
    return player(dialect, settings(3, **given))


def changes(session: PlayerConnection, seat: int) -> list[int]:
    frames = [f for f in session.frames if f.type == PLAYER_CHANGE and f["info"].player == seat]
    return [frame["change"] for frame in frames]


def common(session: OwnSession) -> list[tuple[str, tuple[int, ...]]]:
    kinds = ("pass", "leads", "tallies", "new game")
    return [(f.kind, f.numbers) for f in session.facts if f.kind in kinds]


def agree(whole: OwnSession, part: OwnSession) -> None:
    """Check that a late comer saw the same as the other from their first hand on."""
    seen, all_seen = common(part), common(whole)
    assert len(seen) > 28
    assert all_seen[-len(seen) :] == seen


def judge(session: OwnSession) -> None:
    assert session.facts[-1].kind == "end"
    assert Referee({0: session.facts}).judge().games == 2


@pytest.mark.parametrize(("dialect", "private"), [("dealer", False), ("plain", True)])
async def test_a_newcomer_takes_a_computers_seat(dialect: str, private: bool, made: House) -> None:
    async with trio.open_nursery() as nursery:
        first = host(Wish(2, OPEN_SEAT, ints(2)), table=TABLE if private else None)
        await sit(nursery, made, first)
        assert await open_seats(made) == {}
        await at_deal(first, 2)
        seats = await open_seats(made)
        name = TABLE if private else first.table_name
        assert seats == ({} if private else {name: 1})
        late = newcomer(dialect, "Eve", table=name)
        nursery.start_soon(converse, await made.call(), late.talk())
        await at_deal(first, 3)
        assert late.me == 2
        assert await open_seats(made) == {}
    judge(first)
    agree(first, late)
    assert changes(first, 2) == [5, 6]
    assert first.people[2].name == "Eve"
    assert late.facts[-1].kind == "end"


async def open_seats(made: House) -> dict[str, int]:
    """The tables that play and have an open seat."""
    caller = await made.greet("Bob")
    tables = {name: seats for name, game, seats, _ in await listed(caller) if game and seats}
    await caller.stream.aclose()
    return tables


async def test_who_leaves_while_he_waits_leaves_the_seat_open(made: House) -> None:
    async with trio.open_nursery() as nursery:
        first = host(Wish(2, OPEN_SEAT, ints(3)), table=TABLE)
        await sit(nursery, made, first)
        await at_deal(first, 2)
        for name in ("Bob", "Cid"):
            caller = await made.call()
            gone = newcomer("dealer", name, table=TABLE)
            assert isinstance(gone, PlayerConnection)
            await caller.converse(until(gone.talk(), partial(_is_asked, gone)))
            refused = newcomer("plain", "Dan", table=TABLE)
            await converse(await made.call(), refused.talk())
            assert [f.numbers for f in refused.facts if f.kind == "refused"] == [(-104,)]
            await caller.leave()
        late = newcomer("dealer", "Eve", table=TABLE)
        nursery.start_soon(converse, await made.call(), late.talk())
    judge(first)
    agree(first, late)
    assert changes(first, 3) == [5, 6]


def _is_asked(session: PlayerConnection) -> bool:
    return bool(session.frames)


@pytest.mark.house("--grace", "0.1")
async def test_a_computer_for_good(made: House, chat: ListeningChat) -> None:
    """Its owner cannot come back, and a person can have the seat after that."""
    async with trio.open_nursery() as nursery:
        wishes = (Wish(2, REPLACE_PLAYER, ints(1)), Wish(3, OPEN_SEAT, ints(1)))
        first = host(*wishes, clients=2, table=TABLE)
        leaver = Life(PlayerConnection(settings(1, table=TABLE)))
        await sit(nursery, made, first)

        async def leave() -> None:
            await leaver.run(await made.call(), lambda s: any(f.kind == "leads" for f in s.facts))

        nursery.start_soon(leave)
        await at_deal(first, 3)
        leaver.come_back("dealer")
        await leaver.run(await made.call())
        assert [f.numbers for f in leaver.session.facts if f.kind == "refused"] == [(-103,)]
        late = newcomer("plain", "Eve", table=TABLE)
        nursery.start_soon(converse, await made.call(), late.talk())
    judge(first)
    agree(first, late)
    assert [change for change in changes(first, 1) if change] == [1, 3, 4, 5, 6]
    holders = [said for said in chat.said if isinstance(said, SeatHolder)]
    assert [(said.player, said.process_id) for said in holders] == [(1, NOBODY), (1, 500)]


@pytest.mark.parametrize("dialects", [("dealer", "plain"), ("plain", "dealer")])
async def test_a_newcomer_comes_back_after_a_restart(
    dialects: Sequence[str], tmp_path: Path, autojump_clock: MockClock
) -> None:
    lives = [Life(host(Wish(1, OPEN_SEAT, ints(2)), table=TABLE))]
    lives.append(Life(newcomer(dialects[0], "Eve", table=TABLE)))
    journal = DyingJournal()
    async with trio.open_nursery() as clients, house(tmp_path, *PAUSE, journal=journal) as made:
        clients.start_soon(lives[0].run, await made.call())  # noqa: ASYNC111
        await at_deal(lives[0].session, 1)
        clients.start_soon(lives[1].run, await made.call())  # noqa: ASYNC111
        await at_deal(lives[1].session, 2)
        await trio.sleep(1)
        journal.cut.set()
    async with house(tmp_path, *PAUSE, journal=DyingJournal()) as made:
        await take_up(made.server, [journal.stored])
        game = journal.stored.session.game_number
        holder, *notices = made.server.chat.standing()
        assert holder == SeatHolder(game, 2, 500)
        # All that was said of deals before is there again.
        deals = [parse_notice(said.text) for said in notices if isinstance(said, GameNotice)]
        over = sum(line.startswith("deal ") for line in journal.stored.lines) - 1
        assert [type(each) for each in deals[1::2]] == [DealDisclosed] * over
        assert all(isinstance(each, DealPromised) for each in deals[::2])
        assert [each.deal for each in deals if each] == [1 + n // 2 for n in range(2 * over + 1)]
        async with trio.open_nursery() as nursery:
            for life, dialect in zip(lives, ("dealer", dialects[1]), strict=True):
                life.come_back(dialect)
                nursery.start_soon(life.run, await made.call())
    first, late = (life.joined.facts for life in lives)
    assert Referee({0: first}, came_back=True).judge().games == 2
    told = [f for f in late if f.kind in ("leads", "tallies")]
    assert len(told) > 28
    assert [f for f in first if f.kind in ("leads", "tallies")][-len(told) :] == told
    assert isinstance(lives[0].session, PlayerConnection)
    assert lives[0].session.people[2].name == "Eve"
