"""Guessing at seats and at the password: SocketSpec.md sections 3.7 and 5.6."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from .house import HEARTS, Caller, House, call, house, listening, text

ALONE = (-2, HEARTS | 0b1110, 0, 0)
PROCESS_ID = 0x5EA7_1234
HOME, PHONE = "192.0.2.1", "203.0.113.7"
LATER, WRONG = -2, -103


async def take_a_seat(caller: Caller) -> tuple[int, int, int, int]:
    """Sit down with three computers and lose the connection; the numbers of the seat."""
    player = await caller.number()
    await caller.send(text("Ann"), *ALONE, PROCESS_ID)
    game, game_id = await caller.numbers(2)
    await caller.stream.aclose()
    return game, game_id, player, PROCESS_ID


async def come_back(caller: Caller, numbers: tuple[int, int, int, int]) -> int:
    """What is answered to block -5."""
    assert await caller.number() >= 0
    await caller.send(text("Ann"), -5, *numbers, 0)
    answer = await caller.number()
    await caller.stream.aclose()
    return answer


async def guess(made: House, address: str, numbers: tuple[int, int, int, int]) -> int:
    return await come_back(await made.call(address), numbers)


def wrong(numbers: tuple[int, int, int, int], *, knows_process_id: bool = False) -> tuple[int, ...]:
    game, game_id, player, process_id = numbers
    return game, game_id ^ 1, player, process_id if knows_process_id else process_id ^ 1


async def attack(
    made: House, addresses: list[str], numbers: tuple[int, ...], answers: list[int]
) -> None:
    async def one(address: str) -> None:
        a, b, c, d = numbers
        answers.append(await guess(made, address, (a, b, c, d)))

    async with trio.open_nursery() as nursery:
        for address in addresses:
            nursery.start_soon(one, address)


NETWORKS = [f"10.0.{number}.1" for number in range(40)]
LOOKED_AT = (11, 12)
"""Tries that are looked at of a crowd: one at once, one in each second that a try may wait, and one
more if some of the crowd come a moment later."""


class TestGuessedSeats:
    @pytest.mark.house("--pause-limit", "never")
    @pytest.mark.parametrize(
        ("guessers", "owners"), [([HOME] * 40, [HOME]), (NETWORKS, [PHONE, HOME, NETWORKS[0]])]
    )
    async def test_wrong_numbers_do_not_keep_the_owner_out_wherever_he_is(
        self, made: House, guessers: list[str], owners: list[str]
    ) -> None:
        numbers = await take_a_seat(await made.call(HOME))
        answers: list[int] = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(attack, made, guessers, wrong(numbers), answers)
            await trio.sleep(0.5)
            for address in owners:
                assert await guess(made, address, numbers) == 1
            assert trio.current_time() < 1
        assert trio.current_time() >= 10, "each that is looked at waits for its turn"
        assert answers.count(WRONG) in LOOKED_AT
        assert answers.count(LATER) == 40 - answers.count(WRONG)

    async def test_the_home_of_a_seat_is_where_it_last_sat_also_after_a_restart(
        self, tmp_path: Path
    ) -> None:
        keeping = ("--pause-limit", "never", "--grace", "0")
        home, other = "127.1.2.3", "127.9.9.9"
        async with listening(tmp_path, *keeping) as running:
            numbers = await take_a_seat(await call(running.port, home))
        guesses = wrong(numbers, knows_process_id=True)
        async with (
            listening(tmp_path, *keeping) as running,
            AsyncExitStack() as guessers,
        ):
            for number in range(20):
                caller = await call(running.port, f"127.20.{number}.1")
                await guessers.enter_async_context(caller.stream)
                await caller.number()
                await caller.send(text("Ann"), -5, *guesses, 0)
            assert await come_back(await call(running.port, other), numbers) == LATER
            assert await come_back(await call(running.port, home), numbers) >= 1


PASSWORD = "acorn-banjo-canoe"


async def say_password(caller: Caller, password: str) -> int:
    assert await caller.number() >= 0
    await caller.send(text("Ann"), -7, text(password))
    answer = await caller.number()
    await caller.stream.aclose()
    return answer


@pytest.mark.house("--password", PASSWORD)
class TestThePassword:
    async def test_a_right_word_waits_its_turn_and_then_its_network_is_known(
        self, made: House
    ) -> None:
        for _ in range(5):
            assert await say_password(await made.call(HOME), "cat") == -105
        began = trio.current_time()
        assert await say_password(await made.call(HOME), PASSWORD) == 1
        assert 0 < trio.current_time() - began <= 1

        callers = [await made.call(address) for address in (*NETWORKS * 2, PHONE, HOME)]
        # Until all have their Player ID.
        await trio.sleep(5)
        for caller in callers[:-2]:
            await caller.send(text("Ann"), -7, text("cat"))
        await trio.testing.wait_all_tasks_blocked()
        began = trio.current_time()
        assert await say_password(callers[-2], PASSWORD) == LATER
        assert await say_password(callers[-1], PASSWORD) == 1
        assert trio.current_time() == began

    async def test_who_waits_for_his_turn_can_leave(self, made: House) -> None:
        for _ in range(9):
            caller = await made.greet("Ann", -7, text("cat"), address=HOME)
            await trio.testing.wait_all_tasks_blocked()
            await caller.leave()
        assert trio.current_time() == 0
        assert made.server.connections.count == 0

    async def test_networks_that_know_it_are_kept_until_it_changes(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path, "--password", PASSWORD) as made:
            assert await say_password(await made.call(HOME), PASSWORD) == 1
            await trio.testing.wait_all_tasks_blocked(0.01)
        file = tmp_path / "known-networks"
        assert file.stat().st_mode & 0o777 == 0o600
        assert HOME not in file.read_text()
        for password, answer in ((PASSWORD, 1), ("another", LATER)):
            async with house(tmp_path, "--password", password) as made:
                callers = [await made.call(address) for address in (*NETWORKS * 2, HOME)]
                await trio.sleep(5)
                for caller in callers[:-1]:
                    await caller.send(text("Ann"), -7, text("cat"))
                await trio.testing.wait_all_tasks_blocked()
                assert await say_password(callers[-1], password) == answer
