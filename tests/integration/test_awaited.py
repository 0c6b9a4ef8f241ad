"""A server that has many tables to take up lets people in at once: it takes up first what somebody
comes back to, and until then keeps names and numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
import trio.testing

from hearts.game.rules import STANDARD
from hearts.hosting.store import Session, StoredSeat
from hearts.session.messages import Refusal
from hearts.table.inputs import Setting
from hearts.table.seat import Kind
from hearts.wire.credentials import issue
from hearts_server.config import JOURNAL_FILE, Durability
from hearts_server.journal.sqlite import SqliteJournal
from hearts_server.journal.store import StoredSession
from hearts_server.lobby.awaited import PART
from hearts_server.running.composition import Running, run_server
from tests.journal.desk import nothing, running, stored
from tests.table.desk import NAMES

from .house import HEARTS, Caller, House, config, text
from .test_long_sessions import PROCESS_ID, played

MANY = 3 * PART
OVER = MANY + 1


def awaited(number: int) -> StoredSession:
    a, b, c, d = (StoredSeat(name, Kind.CLIENT, PROCESS_ID, "192.0.2.7") for name in NAMES)
    setting = Setting(STANDARD, 10_000, 0, math.inf, math.inf)
    private = number % 2 == 0
    name = f"friends {number}" if private else f"Table {number}"
    session = Session(number, name, private, setting, (a, b, c, d), 0, "192.0.2.7")
    return StoredSession(session, played()[:60], None, "")


class Shelf:
    """The sessions that are to be taken up; it gives a part when it is told to."""

    def __init__(self, made: House) -> None:
        self.made = made
        self.parts: list[Sequence[int]] = []
        self.gives = trio.Semaphore(0)
        going_on = [awaited(number).session for number in range(1, OVER)]
        made.server.sessions.awaited.expect(going_on, [awaited(OVER).session])

    async def read(self, numbers: Sequence[int]) -> list[StoredSession]:
        self.parts.append(numbers)
        await self.gives.acquire()
        # One of them is damaged.
        return [awaited(number) for number in numbers if number not in (5, OVER)]

    @property
    def running(self) -> set[int]:
        return {host.game_number for host in self.made.server.sessions.running}


@pytest.fixture
async def shelf(made: House, nursery: trio.Nursery) -> Shelf:
    shelf = Shelf(made)
    nursery.start_soon(made.server.take_up, shelf.read)
    await trio.testing.wait_all_tasks_blocked()
    return shelf


async def test_what_somebody_comes_back_to_is_taken_up_next(shelf: Shelf) -> None:
    assert [*shelf.parts[0]] == [*range(1, PART + 1)]
    caller = await shelf.made.call()
    await ask_for(shelf, caller, MANY)
    shelf.gives.release()
    await trio.testing.wait_all_tasks_blocked()
    assert shelf.running == {*range(1, PART + 1)} - {5}
    assert [*shelf.parts[1]] == [MANY]
    shelf.gives.release()
    decided = await caller.number()
    assert decided > 0
    assert MANY in shelf.running
    for _ in range(4):
        shelf.gives.release()
    await trio.testing.wait_all_tasks_blocked()
    assert shelf.running == {*range(1, OVER)} - {5}


async def ask_for(shelf: Shelf, caller: Caller, game: int) -> None:
    """Say block -5 with genuine numbers."""
    await caller.number()
    shown = issue(shelf.made.data_dir.secret, game, 0, PROCESS_ID)
    await caller.send(text("Ann"), -5, game, shown.game_id, 0, PROCESS_ID, 0)
    await trio.testing.wait_all_tasks_blocked()


async def test_what_cannot_be_read_is_no_game_when_that_is_known(shelf: Shelf) -> None:
    caller = await shelf.made.call()
    await ask_for(shelf, caller, 5)
    assert await caller.silent(5)
    shelf.gives.release()
    assert await caller.number() == Refusal.NO_SUCH_GAME


async def test_a_stranger_hurries_nothing(shelf: Shelf) -> None:
    caller = await shelf.made.greet("Eve", -5, MANY, 1, 0, PROCESS_ID, 0)
    assert await caller.number() == Refusal.NO_SUCH_GAME
    shelf.gives.release()
    await trio.testing.wait_all_tasks_blocked()
    assert MANY not in shelf.parts[1]


async def test_the_name_of_a_table_that_is_awaited_is_taken(shelf: Shelf) -> None:
    lobby = shelf.made.server.lobby
    await shelf.made.guest(-2, HEARTS, 0, 0, name="Zoe", address="203.0.113.9")
    await trio.testing.wait_all_tasks_blocked()
    # Not "Table 1", which is the name of an awaited one, as are all odd ones after it.
    assert [table.name for table in lobby.forming] == ["Table 2"]
    friend = await shelf.made.greet("Ann", -4, text(f"friends {MANY}"), address="203.0.113.9")
    assert await friend.silent(2)
    shelf.gives.release()
    await trio.testing.wait_all_tasks_blocked()
    assert [*shelf.parts[1]] == [MANY]
    shelf.gives.release()
    # It plays, and has no open seat.
    assert await friend.number() == Refusal.TABLE_TAKEN


@pytest.mark.house("--max-tables", str(MANY))
async def test_tables_that_are_awaited_count(shelf: Shelf) -> None:
    caller = await shelf.made.guest(-2, HEARTS | 0b1110, 0, 0, address="203.0.113.9")
    assert await caller.number() == Refusal.SERVER_FULL
    assert shelf.made.server.sessions.seats_by_network() == {"192.0.2.7": 4 * MANY}


async def test_a_server_that_ends_takes_up_no_more(shelf: Shelf) -> None:
    shelf.gives.release()
    await trio.testing.wait_all_tasks_blocked()
    caller = await shelf.made.call()
    await ask_for(shelf, caller, MANY)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(shelf.made.server.drain)
        assert await caller.number() == Refusal.SHUTTING_DOWN
    shelf.gives.release()
    await trio.testing.wait_all_tasks_blocked()
    assert not shelf.running


async def test_a_server_with_many_tables_goes_on_with_all_of_them(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    number = PART + 3
    async with running(SqliteJournal(tmp_path / JOURNAL_FILE, Durability.NORMAL)) as journal:
        for left in map(awaited, range(1, number + 1)):
            await stored(journal.begin(left.session, nothing), left.lines)
        journal.begin(awaited(number + 1).session, nothing).end("the players are done", nothing)
    said: list[str] = []
    made: Running = await nursery.start(run_server, config(tmp_path), said.append)
    assert f"hearts-server goes on with {number} tables, whose players may come back" in said
    secret = (tmp_path / "secret").read_bytes()
    ended, unknown = Refusal.TABLE_TAKEN, Refusal.NO_SUCH_GAME
    for game, told in ((number, 16), (number + 1, ended), (number + 2, unknown)):
        async with await trio.open_tcp_stream(made.host, made.port) as stream:
            caller = Caller(stream)
            await caller.number()
            shown = issue(secret, game, 0, PROCESS_ID)
            await caller.send(text("Ann"), -5, game, shown.game_id, 0, PROCESS_ID, 0)
            assert await caller.number() == told
    assert made.table_count == number
