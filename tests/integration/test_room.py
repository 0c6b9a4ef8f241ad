"""A full server ends a table that nobody plays at, though not while its players may come back."""

from __future__ import annotations

from pathlib import Path

import trio
import trio.testing
from trio.testing import MockClock

from hearts.plain.messages import Refusal
from hearts_server.lobby import HURRIED_WAIT
from hearts_server.server import ROOM_AFTER
from tests.independent import client

from .house import HEARTS, House, four, house, register, text
from .test_every_write import MemoryJournal

ARGUMENTS = ("--max-tables", "1", "--pause-limit", "3600")


async def left_alone(made: House) -> client.Ticket:
    """A table that all its players have left; what player 0 needs to come back."""
    callers = await four(made, -2, HEARTS, 0, 0)
    game, game_id = await callers[0].numbers(2)
    for caller in callers:
        await caller.stream.aclose()
    await trio.testing.wait_all_tasks_blocked()
    return client.Ticket(game, game_id, 0, 1000, 0, 0)


async def test_a_table_is_not_ended_at_once(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with house(tmp_path, *ARGUMENTS) as made:
        ticket = await left_alone(made)
        await trio.sleep(ROOM_AFTER - 1)
        newcomer = await made.call()
        assert await register(newcomer, name="Eve") == 0
        assert await newcomer.number() == Refusal.SERVER_FULL
        back = client.Session(client.Settings(process_id=1000), ticket)
        await (await made.call()).converse(back.talk(), steps=30)
        assert [fact.kind for fact in back.facts[1:4]] == ["back", "seated", "table"]


async def test_a_table_without_anybody_makes_room(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with house(tmp_path, *ARGUMENTS) as made:
        ticket = await left_alone(made)
        await trio.sleep(ROOM_AFTER)
        newcomer = await made.call()
        await register(newcomer, -2, HEARTS | 0b1110, 0, 0, name="Eve")
        game, _ = await newcomer.seated()
        assert game == ticket.game + 1
        late = client.Session(client.Settings(process_id=1000), ticket)
        await (await made.call()).converse(late.talk())
        assert any(fact.kind == "refused" for fact in late.facts)


async def test_only_so_many_of_those_who_register_get_a_table(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with house(tmp_path, *ARGUMENTS) as made:
        first, second = await made.call(), await made.call()
        assert await first.number() == 0
        assert await second.number() == 0, "after 3 s, at a table of his own"
        await first.send(text("Ann"), -2, HEARTS | 0b1110, 0, 0, 1000)
        await first.seated()
        await second.send(text("Bob"), -2, HEARTS | 0b1110, 0, 0, 1000)
        assert await second.number() == Refusal.SERVER_FULL


async def test_who_connects_after_a_restart_waits_for_nobody_long(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    journal = MemoryJournal()
    async with house(tmp_path, journal=journal) as made:
        await left_alone(made)
    async with house(tmp_path, "--pause-limit", "3600") as made:
        assert await made.server.take_up([journal.stored]) == 1
        first, second = await made.call(), await made.call()
        assert await first.number() == 0
        begin = trio.current_time()
        assert await second.number() == 0
        assert trio.current_time() - begin == HURRIED_WAIT
