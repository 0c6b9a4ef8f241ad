"""A full server ends tables of whoever left many behind, and nobody else's."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from hearts.limits.table_limits import FIRST_TABLES
from hearts.session.messages import Refusal
from hearts_server.lobby.named_tables import ROOM_AFTER
from hearts_server.lobby.seating import HURRIED_WAIT
from tests.independent import plain_client as client

from .house import HEARTS, House, four, house, register, take_up, text
from .ports import DyingJournal

FULL = FIRST_TABLES + 2
ARGUMENTS = ("--max-tables", str(FULL), "--pause-limit", "3600")
HOARDER, NEWCOMER = "198.51.100.9", "203.0.113.4"


async def left_alone(made: House) -> client.Ticket:
    """A table that all its players have left; what player 0 needs to come back."""
    callers = await four(made, -2, HEARTS, 0, 0)
    game, game_id = await callers[0].numbers(2)
    for caller in callers:
        await caller.leave()
    return client.Ticket(game, game_id, 0, 1000, 0, 0)


async def hoard(made: House, address: str = HOARDER) -> list[int]:
    """Fill the server with tables against computers that are left at once; their games."""
    games: list[int] = []
    while True:
        caller = await made.guest(-2, HEARTS | 0b1110, 0, 0, address=address)
        game = await caller.number()
        await caller.leave()
        if game == Refusal.SERVER_FULL:
            return games
        games.append(game)


async def refused(made: House, address: str = NEWCOMER) -> bool:
    """Tell if somebody who wants to play is refused; otherwise they have a table."""
    newcomer = await made.guest(-2, HEARTS | 0b1110, 0, 0, name="Eve", address=address)
    return await newcomer.number() == Refusal.SERVER_FULL


async def comes_back(made: House, ticket: client.Ticket) -> bool:
    back = client.OwnSession(client.ClientHabits(process_id=1000), ticket)
    await (await made.call()).converse(back.talk(), steps=30)
    return [fact.kind for fact in back.facts[1:4]] == ["back", "seated", "table"]


@pytest.mark.house(*ARGUMENTS)
async def test_a_hoarder_makes_room_and_a_table_that_friends_have_left_stays(made: House) -> None:
    friends = await left_alone(made)
    await trio.sleep(ROOM_AFTER)
    games = await hoard(made)
    assert len(games) == FULL - 1
    assert await refused(made), "the hoarder may be on their way back"
    await trio.sleep(ROOM_AFTER - 1)
    assert await refused(made)
    await trio.sleep(1)
    assert not await refused(made)
    still = {host.game_number for host in made.server.sessions.running}
    assert still == {friends.game, *games[:-1], games[-1] + 1}
    assert await comes_back(made, friends)


@pytest.mark.house("--max-tables", str(FIRST_TABLES), "--pause-limit", "600")
async def test_the_first_tables_of_everybody_stay_for_their_pause_limit(made: House) -> None:
    await hoard(made)
    await trio.sleep(590)
    assert await refused(made)
    await trio.sleep(15)
    assert not await refused(made)


@pytest.mark.parametrize("there", [1, 2])
async def test_a_table_with_two_connected_people_counts_for_nobody(
    there: int, tmp_path: Path, autojump_clock: MockClock
) -> None:
    limits = ("--tables-per-ipv4", "2,3", "--max-tables", "100")
    async with house(tmp_path, *ARGUMENTS, *limits) as made:
        for _ in range(5):
            callers = [await made.call(HOARDER) for _ in range(there)]
            computers = 0b1110 << (there - 1) & 0b1110
            await register(callers[0], -2, HEARTS | computers, 0, 0)
            for caller in callers[1:]:
                await register(caller)
            await trio.testing.wait_all_tasks_blocked()
        count = len(made.server.sessions.running)
        assert count == (5 if there == 2 else 2)
        assert await refused(made, HOARDER) is (there == 1)
        neighbours = [await refused(made, f"198.51.100.{number}") for number in (10, 11)]
        assert neighbours == [False, there == 1]


async def test_the_network_of_the_opener_is_known_after_a_restart(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    limits = ("--tables-per-ipv4", "1,1", "--pause-limit", "3600")
    journal = DyingJournal()
    async with house(tmp_path, *limits, journal=journal) as made:
        first, second = await made.call(HOARDER), await made.call()
        await register(first, -2, HEARTS | 0b1100, 0, 0)
        assert await register(second, name="Bob") == 1
        await second.number()
    async with house(tmp_path, *limits) as made:
        await take_up(made.server, [journal.stored])
        assert await refused(made, HOARDER)
        assert not await refused(made)


@pytest.mark.house("--tables-per-ipv4", "1,1", "--pause-limit", "600")
async def test_who_may_open_no_table_may_still_join_one(made: House) -> None:
    assert not await refused(made, HOARDER)
    await made.guest(-10, 0, -4, text("ours"), name="Bob", address=NEWCOMER)
    caller = await made.greet("Ann", -10, 0, -4, text("mine"), address=HOARDER)
    assert await caller.numbers(2) == (1, Refusal.SERVER_FULL)
    assert "198.51.100.9 has opened as many tables" in await caller.string()
    caller = await made.greet("Ann", -4, text("ours"), address=HOARDER)
    assert await caller.number() == 1


@pytest.mark.house("--max-tables", "1")
async def test_only_so_many_of_those_who_register_get_a_table(made: House) -> None:
    first, second = await made.call(), await made.call()
    assert await first.number() == 0
    assert await second.number() == 0, "after 3 s, at a table of their own"
    await first.send(text("Ann"), -2, HEARTS | 0b1110, 0, 0, 1000)
    await first.seated()
    await second.send(text("Bob"), -2, HEARTS | 0b1110, 0, 0, 1000)
    assert await second.number() == Refusal.SERVER_FULL


async def test_who_connects_after_a_restart_waits_for_nobody_long(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    journal = DyingJournal()
    async with house(tmp_path, journal=journal) as made:
        await left_alone(made)
    async with house(tmp_path, "--pause-limit", "3600") as made:
        await take_up(made.server, [journal.stored])
        first, second = await made.call(), await made.call()
        assert await first.number() == 0
        begin = trio.current_time()
        assert await second.number() == 0
        assert trio.current_time() - begin == HURRIED_WAIT
