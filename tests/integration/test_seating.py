"""Who sits where, and who waits for whom: SocketSpec.md sections 3.4 to 3.6 and 3.10."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from .house import HEARTS, Caller, House, house, register, text

NAMES = ["Ann", "Bob", "Cleo", "Dan"]


async def four(made: House, *blocks: int | bytes) -> list[Caller]:
    """Four players who sit down one after the other; the first sends the blocks."""
    callers = []
    for name in NAMES:
        caller = await made.call()
        callers.append(caller)
        await register(caller, *(blocks if name == "Ann" else ()), name=name)
    return callers


async def listed(caller: Caller) -> list[tuple[str, int, int, list[str]]]:
    """The tables that block -8 shows to a caller who has sent a name."""
    await caller.send(-8)
    tables = []
    for _ in range(await caller.number()):
        name = await caller.string()
        number, seats = await caller.numbers(2)
        tables.append((name, number, seats, [await caller.string() for _ in range(4)]))
    return tables


class TestPublicTables:
    async def test_each_gets_the_lowest_free_seat(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            for place, caller in enumerate(await four(made)):
                assert await caller.seated() == (1, NAMES)
                assert await caller.silent(0.1)
                await caller.send(place)
                assert await caller.numbers(5) == (1, 0, 100, 60, 0)

    async def test_the_next_four_get_a_table_and_a_game_number_of_their_own(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            await four(made)
            assert await (await four(made))[3].seated() == (2, NAMES)

    async def test_others_wait_for_the_options_and_then_sit_around_the_computers(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            first = await made.call()
            assert await first.number() == 0
            second, third = await made.call(), await made.call()
            assert await second.silent(2)
            assert await third.silent(0.5)
            await first.send(text("Ann"), -2, HEARTS | 0b0010, 0, 0, 1)
            assert {await register(second), await register(third)} == {2, 3}
            assert (await first.seated())[1][1] == "Moe"

    async def test_who_waited_three_seconds_opens_another_table(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            slow = await made.call()
            assert await slow.number() == 0
            start = trio.current_time()
            second = await made.call()
            assert await second.number() == 0
            assert trio.current_time() - start == pytest.approx(3)
            await second.send(text("Bob"), 1)
            third = await made.call()
            assert await third.number() == 1
            assert trio.current_time() - start == pytest.approx(3)

    async def test_ten_newcomers_wait_three_seconds_at_most(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            start = trio.current_time()
            callers = [await made.call() for _ in range(10)]
            for caller in callers:
                await caller.number()
            assert trio.current_time() - start <= 3

    async def test_a_player_0_who_leaves_makes_place_at_once(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            first = await made.call()
            assert await first.number() == 0
            second = await made.call()
            await trio.testing.wait_all_tasks_blocked()
            start = trio.current_time()
            await first.stream.aclose()
            assert await second.number() == 0
            assert trio.current_time() == start

    async def test_who_lists_keeps_nobody_waiting(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            first = await made.call()
            assert await first.number() == 0
            second = await made.call()
            await trio.testing.wait_all_tasks_blocked()
            start = trio.current_time()
            await first.send(text("Ann"), -8)
            assert await second.number() == 0
            assert trio.current_time() == start

    async def test_leaving_frees_the_seat_and_the_options_stay(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            ann, bob = await made.call(), await made.call()
            await register(ann, -2, HEARTS | 0b1000, 50, 30)
            assert await register(bob, name="Bob") == 1
            await ann.stream.aclose()
            await trio.testing.wait_all_tasks_blocked()
            cleo = await made.call()
            # This player 0 did not open the table: whatever block -2 holds is ignored.
            assert await register(cleo, -2, -1, -1, -1, name="Cleo") == 0
            dan = await made.call()
            assert await register(dan, name="Dan") == 2
            assert await dan.seated() == (1, ["Cleo", "Bob", "Dan", "Moe"])
            await dan.send(2)
            assert await dan.numbers(5) == (1, 0, 50, 30, 0b1000)

    async def test_options_of_others_are_ignored_whatever_they_hold(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            callers = [await made.call() for _ in range(4)]
            await register(callers[0])
            for caller in callers[1:]:
                await register(caller, -2, 1, -5, 99999)
            assert (await callers[3].seated())[0] == 1

    async def test_a_table_that_all_have_left_is_gone(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            first = await made.call()
            await register(first, -2, HEARTS | 0b0010, 50, 30)
            await first.stream.aclose()
            await trio.testing.wait_all_tasks_blocked()
            callers = await four(made)
            assert await callers[0].seated() == (1, NAMES)

    async def test_twenty_seconds_after_the_first_registration_computers_sit_down(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            first = await made.call()
            await trio.sleep(2)
            await register(first)
            await trio.sleep(10)
            second = await made.call()
            await register(second, name="Bob")
            third = await made.call()
            assert await third.number() == 2
            await third.send(text("Slow"))
            start = trio.current_time()
            assert await first.seated() == (1, ["Ann", "Bob", "Moe", "Larry"])
            assert trio.current_time() - start == pytest.approx(10)
            assert await third.silent(1)
            await third.send(-11, 0)
            assert await third.number() == -104
            assert await third.ended()

    async def test_computers_may_be_told_to_come_sooner_or_never(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path, "--fill-after", "2") as made:
            first = await made.call()
            await register(first)
            with trio.fail_after(2.1):
                await first.seated()
        async with house(tmp_path, "--fill-after", "never") as made:
            first = await made.call()
            await register(first)
            assert await first.silent(500)

    async def test_sixty_seconds_to_register(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            first = await made.call()
            assert await first.number() == 0
            start = trio.current_time()
            await first.send(text("Ann"))
            assert await first.number() == -106
            assert trio.current_time() - start == pytest.approx(60)
            assert await first.ended()

    async def test_a_full_table_plays_on_without_the_lobby(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            caller = await made.call()
            await register(caller, -2, HEARTS | 0b1110, 0, 0)
            assert await caller.seated() == (1, ["Ann", "Moe", "Larry", "Curly"])


class TestTablesByName:
    async def test_friends_meet_at_a_private_table(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            callers = []
            for place, name in enumerate(NAMES):
                caller = await made.call()
                callers.append(caller)
                await caller.number()
                await caller.send(text(name), -4, text("friends"))
                assert await caller.number() == place
                await caller.send(-2, HEARTS, 40, 0, 1)
            assert await callers[2].seated() == (1, NAMES)

    async def test_the_second_waits_three_seconds_for_the_first(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            first, second = await made.call(), await made.call()
            for caller in (first, second):
                await caller.number()
                await caller.send(text("Ann"), -4, text("friends"))
            start = trio.current_time()
            assert await first.number() == 0
            assert await second.number() == 1
            assert trio.current_time() - start == pytest.approx(3)
            # The options come too late now, whatever they are.
            await first.send(-2, -1, -1, -1, 1)
            await second.send(1)
            for place, name in ((2, "Cleo"), (3, "Dan")):
                caller = await made.call()
                await caller.number()
                await caller.send(text(name), -4, text("friends"), 1)
                assert await caller.number() == place
            assert (await second.seated())[0] == 1
            await second.send(1)
            assert await second.numbers(5) == (1, 0, 100, 60, 0)

    async def test_a_provisional_seat_is_given_up(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            first, second = await made.call(), await made.call()
            assert await first.number() == 0
            await first.send(text("Ann"), -4, text("friends"))
            assert await first.number() == 0
            assert await second.number() == 0

    async def test_a_public_table_by_its_name(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            first = await made.call()
            await register(first)
            second = await made.call()
            assert await second.number() == 1
            await second.send(text("Bob"))
            ((name, number, seats, names),) = await listed(second)
            assert (number, seats, names) == (0, 2, ["Ann", "", "", ""])
            await second.send(-4, text(name))
            assert await second.number() == 1

    async def test_a_table_that_is_taken_or_plays(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            for place in range(2):
                caller = await made.call()
                await caller.number()
                await caller.send(text("Ann"), -4, text("two"))
                assert await caller.number() == place
                await caller.send(-2, HEARTS | 0b1100, 0, 0, 1)
            await trio.testing.wait_all_tasks_blocked()
            await four(made)
            looking = await made.call()
            await looking.number()
            await looking.send(text("Fay"))
            ((public, _, _, _),) = await listed(looking)
            for name in ("two", public):
                late = await made.call()
                await late.number()
                await late.send(text("Eve"), -4, text(name))
                assert await late.number() == -104
                assert await late.ended()

    async def test_a_private_table_waits_for_ever(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            caller = await made.call()
            await caller.number()
            await caller.send(text("Ann"), -4, text("friends"), 1)
            assert await caller.number() == 0
            assert await caller.silent(2_000)


class TestTheList:
    async def test_forming_tables_come_first_and_private_ones_not_at_all(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            callers = await four(made)
            private = await made.call()
            await private.number()
            await private.send(text("Secret"), -4, text("friends"), 1)
            forming = await made.call()
            await register(forming, -2, HEARTS | 0b0010, 0, 0, name="Eve")
            looking = await made.call()
            assert await looking.number() == 2
            await looking.send(text("Fay"))
            first, second = await listed(looking)
            assert first[1:] == (0, 1, ["Eve", "Moe", "", ""])
            assert second[1:] == (1, 0, NAMES)
            assert first[0] != second[0]
            for caller in callers:
                await caller.stream.aclose()
            again = await made.call()
            assert await again.number() == 3
            await again.send(text("Gil"))
            assert await listed(again) == [(first[0], 0, 0, ["Eve", "Moe", "", ""])]

    async def test_a_table_is_listed_from_its_first_registered_player_on(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            caller = await made.call()
            assert await caller.number() == 0
            await caller.send(text("Ann"))
            assert await listed(caller) == []

    async def test_a_hundred_tables_at_most(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            for _ in range(101):
                await register(await made.call(), -2, HEARTS | 0b1110, 0, 0)
            caller = await made.call()
            await caller.number()
            await caller.send(text("Ann"))
            assert len(await listed(caller)) == 100


class TestWhoIsLetIn:
    async def test_a_full_server(self, tmp_path: Path, autojump_clock: MockClock) -> None:
        async with house(tmp_path, "--max-tables", "1") as made:
            playing = await made.call()
            await register(playing, -2, HEARTS | 0b1110, 0, 0)
            await playing.seated()
            late = await made.call()
            assert await late.number() == -1
            assert await late.ended()
            await playing.stream.aclose()
            await trio.testing.wait_all_tasks_blocked()
            newcomer = await made.call()
            assert await newcomer.number() == 0

    async def test_too_many_from_one_address(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path, "--max-per-address", "2") as made:
            await register(await made.call("192.0.2.7"))
            second = await made.call("192.0.2.7")
            assert await second.number() == 1
            third = await made.call("192.0.2.7")
            assert await third.number() == -2
            assert await third.ended()
            neighbour = await made.call("192.0.2.8")
            assert await neighbour.number() == 2

    async def test_nobody_new_while_shutting_down(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            registered, registering = await made.call(), await made.call()
            await register(registered)
            assert await registering.number() == 1
            waiting = await made.call()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(made.server.drain)
                assert await registered.number() == -4
                assert await registered.ended()
                await registering.send(text("Bob"), -7, text("x"))
                assert await registering.number() == -4
                assert await registering.ended()
                assert await waiting.number() in (-4, 2)
                late = await made.call()
                assert await late.number() == -4
                assert await late.ended()
                for caller in (registered, registering, waiting, late):
                    await caller.stream.aclose()
