"""What a lobby does while the end of a table is on its way to the store, and if one has stopped."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from hearts.limits.table_limits import FIRST_TABLES
from hearts.session.messages import Refusal
from hearts_server.lobby.named_tables import ROOM_AFTER
from hearts_server.server import HAND_OVER_LIMIT
from tests.journal.desk import running
from tests.journal.memory import MemoryJournal

from .house import HEARTS, Caller, House, four, house, text

STORING = 1.0
"""Seconds until something is durable."""
FULL = FIRST_TABLES + 1
ALONE = HEARTS | 0b1110


async def play_alone(made: House, address: str = "192.0.2.1") -> tuple[Caller, int, int]:
    """One person with three computers: their game number and Game ID."""
    caller = await made.guest(-2, ALONE, 0, 0, address=address)
    number, game_id = await caller.numbers(2)
    return caller, number, game_id


async def come_back(made: House, number: int, game_id: int) -> Caller:
    return await made.greet("Ann", -5, number, game_id, 0, 1000, 0)


async def test_a_name_is_free_when_the_end_of_its_table_is_durable(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    journal = MemoryJournal(STORING)
    async with house(tmp_path, journal=journal) as made, running(journal):
        await play_alone(made)
        (host,) = made.server.sessions.running
        host.end("enough")
        began = trio.current_time()
        friend = await made.greet("Bob", -4, text(host.session.table_name))
        # The seat of a new table, and not a refusal.
        assert await friend.number() == 0
        assert trio.current_time() > began
        assert host.has_ended
        assert not made.server.sessions.running


async def test_a_table_that_ends_has_made_room_and_is_there_until_that_is_durable(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    journal = MemoryJournal(STORING)
    arguments = ("--max-tables", str(FULL), "--pause-limit", "3600")
    async with house(tmp_path, *arguments, journal=journal) as made, running(journal):
        game_ids = {}
        for _ in range(FULL):
            caller, number, game_ids[number] = await play_alone(made)
            await caller.stream.aclose()
        await trio.sleep(10 * ROOM_AFTER)
        newcomer = await made.guest(-2, ALONE, 0, 0, address="203.0.113.4")
        await wait_all_tasks_blocked()
        (host,) = [host for host in made.server.sessions.running if host.is_closed]
        number, game_id = host.game_number, game_ids[host.game_number]
        assert not host.has_ended
        assert len(made.server.sessions.running) == FULL + 1
        back = await come_back(made, number, game_id)
        # They get their seat, and then they hear with all others that it has ended.
        assert await back.number() > 0
        await newcomer.number()
        assert host.has_ended
        assert await (await come_back(made, number, game_id)).number() == Refusal.TABLE_TAKEN


async def test_a_table_that_has_stopped_for_an_error_of_ours_can_be_come_back_to_later(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    journal = MemoryJournal()
    async with house(tmp_path, journal=journal) as made, running(journal):
        _, number, game_id = await play_alone(made)
        made.server.journal_refused(number)
        await wait_all_tasks_blocked()
        back = await come_back(made, number, game_id)
        assert await back.number() == Refusal.SHUTTING_DOWN
        assert journal.kept[number].ended is None


@pytest.mark.house("--turn-limit", "3600")
async def test_for_a_standby_that_waits_tables_stop_in_mid_hand_and_have_not_ended(
    made: House,
) -> None:
    callers = await four(made, -2, HEARTS, 0, 0)
    await wait_all_tasks_blocked()
    hosts = made.server.sessions.running
    began = trio.current_time()
    await made.server.hand_over()
    assert trio.current_time() - began <= HAND_OVER_LIMIT
    assert all(host.is_over and not host.has_ended for host in hosts)
    # Who connects now comes back to the next one.
    late = await made.guest()
    assert await late.number() == -4
    for caller in (*callers, late):
        await caller.stream.aclose()
