"""Who sits where, and who waits for whom: SocketSpec.md sections 3.4 to 3.6 and 3.10."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from hearts_server.lobby.forming import FormingTable
from hearts_server.lobby.offer import LobbyOffer

from .house import HEARTS, NAMES, Caller, House, four, house, listed, register, text


async def test_nobody_without_a_seat_and_no_table_that_begins_waits_for_the_collector(
    made: House,
) -> None:
    gc.collect()
    gc.disable()
    try:
        await four(made)
        await (await made.greet("Eve", -4, text("friends"))).leave()
        assert not [each for each in gc.get_objects() if type(each) in (FormingTable, LobbyOffer)]
    finally:
        gc.enable()


class TestPublicTables:
    async def test_each_gets_the_lowest_free_seat(self, made: House) -> None:
        for place, caller in enumerate(await four(made)):
            assert await caller.seated() == (1, NAMES)
            assert await caller.silent(0.1)
            await caller.send(place)
            assert await caller.numbers(5) == (1, 0, 100, 60, 0)

    async def test_the_next_four_get_a_table_and_a_game_number_of_their_own(
        self, made: House
    ) -> None:
        await four(made)
        assert await (await four(made))[3].seated() == (2, NAMES)

    async def test_others_wait_for_the_options_and_then_sit_around_the_computers(
        self, made: House
    ) -> None:
        first = await made.player(0)
        second = await made.call()
        await trio.testing.wait_all_tasks_blocked()
        third = await made.call()
        assert await second.silent(2)
        assert await third.silent(0.5)
        await first.send(text("Ann"), -2, HEARTS | 0b0010, 0, 0, 1)
        assert [await register(second), await register(third)] == [2, 3]
        assert (await first.seated())[1][1] == "Moe"

    async def test_who_waited_three_seconds_opens_another_table(self, made: House) -> None:
        await made.player(0)
        start = trio.current_time()
        second = await made.player(0)
        assert trio.current_time() - start == pytest.approx(3)
        await second.send(text("Bob"), 1)
        await made.player(1)
        assert trio.current_time() - start == pytest.approx(3)

    async def test_ten_newcomers_wait_three_seconds_at_most(self, made: House) -> None:
        start = trio.current_time()
        callers = [await made.call() for _ in range(10)]
        for caller in callers:
            await caller.number()
        assert trio.current_time() - start <= 3

    async def test_three_wait_for_a_player_0_and_who_comes_then_opens_another_table(
        self, made: House
    ) -> None:
        start = trio.current_time()
        callers = [await made.call(f"192.0.{n}.1") for n in range(8)]
        assert [await callers[n].number() for n in (0, 4)] == [0, 0]
        assert trio.current_time() == start
        for n in (0, 4):
            await callers[n].send(text("Ann"), 1)
        assert [await callers[n].number() for n in (1, 2, 3, 5, 6, 7)] == [1, 2, 3, 1, 2, 3]
        assert trio.current_time() == start

    async def test_nobody_of_a_crowd_is_left_alone(self, made: House) -> None:
        """As after a takeover of a lobby, on a machine with much to do."""
        played: list[list[str]] = []

        async def come(caller: Caller, name: str) -> None:
            await caller.number()
            await trio.sleep(0.5)
            await caller.send(text(name), 1)
            played.append((await caller.seated())[1])

        names = {f"stranger {n}" for n in range(100)}
        with trio.fail_after(10):
            async with trio.open_nursery() as nursery:
                for n, name in enumerate(sorted(names)):
                    nursery.start_soon(come, made.begin_call(f"192.0.{n}.1"), name)
        assert {name for table in played for name in table} == names

    async def test_a_player_0_who_leaves_makes_place_at_once(self, made: House) -> None:
        first = await made.player(0)
        second = await made.call()
        await trio.testing.wait_all_tasks_blocked()
        start = trio.current_time()
        await first.stream.aclose()
        assert await second.number() == 0
        assert trio.current_time() == start

    async def test_a_public_table_that_is_not_listed_yet_cannot_be_joined_by_its_name(
        self, made: House
    ) -> None:
        first = await made.player(0)
        second = await made.call()
        await first.send(text("Ann"), -8)
        assert await second.number() == 0
        await second.send(text("Bob"), -4, text("Table 1"))
        assert await second.number() == -104

    async def test_who_lists_keeps_nobody_waiting(self, made: House) -> None:
        first = await made.player(0)
        second = await made.call()
        await trio.testing.wait_all_tasks_blocked()
        start = trio.current_time()
        await first.send(text("Ann"), -8)
        assert await second.number() == 0
        assert trio.current_time() == start

    async def test_leaving_frees_the_seat_and_the_options_stay(self, made: House) -> None:
        ann, bob = await made.call(), await made.call()
        await register(ann, -2, HEARTS | 0b1000, 50, 30)
        assert await register(bob, name="Bob") == 1
        await ann.leave()
        cleo = await made.call()
        # This player 0 did not open the table: whatever block -2 holds is ignored.
        assert await register(cleo, -2, -1, -1, -1, name="Cleo") == 0
        dan = await made.call()
        assert await register(dan, name="Dan") == 2
        assert await dan.seated() == (1, ["Cleo", "Bob", "Dan", "Moe"])
        await dan.send(2)
        assert await dan.numbers(5) == (1, 0, 50, 30, 0b1000)

    async def test_options_of_others_are_ignored_whatever_they_hold(self, made: House) -> None:
        callers = [await made.call() for _ in range(4)]
        await register(callers[0])
        for caller in callers[1:]:
            await register(caller, -2, 1, -5, 99999)
        assert (await callers[3].seated())[0] == 1

    async def test_a_table_that_all_have_left_is_gone(self, made: House) -> None:
        first = await made.guest(-2, HEARTS | 0b0010, 50, 30)
        await first.leave()
        callers = await four(made)
        assert await callers[0].seated() == (1, NAMES)

    async def test_twenty_seconds_after_the_first_registration_computers_sit_down(
        self, made: House
    ) -> None:
        first = await made.call()
        await trio.sleep(2)
        await register(first)
        await trio.sleep(10)
        await made.guest(name="Bob")
        third = await made.player(2)
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
            first = await made.guest()
            with trio.fail_after(2.1):
                await first.seated()
        async with house(tmp_path, "--fill-after", "never") as made:
            first = await made.guest()
            assert await first.silent(500)

    async def test_sixty_seconds_to_register(self, made: House) -> None:
        first = await made.player(0)
        start = trio.current_time()
        await first.send(text("Ann"))
        assert await first.number() == -106
        assert trio.current_time() - start == pytest.approx(60)
        assert await first.ended()

    async def test_a_full_table_plays_on_without_the_lobby(self, made: House) -> None:
        caller = await made.guest(-2, HEARTS | 0b1110, 0, 0)
        assert await caller.seated() == (1, ["Ann", "Moe", "Larry", "Curly"])


class TestTablesByName:
    async def test_friends_meet_at_a_private_table(self, made: House) -> None:
        callers = []
        for place, name in enumerate(NAMES):
            caller = await made.call()
            callers.append(caller)
            await caller.number()
            await caller.send(text(name), -4, text("friends"))
            assert await caller.number() == place
            await caller.send(-2, HEARTS, 40, 0, 1)
        assert await callers[2].seated() == (1, NAMES)

    async def test_the_second_waits_three_seconds_for_the_first(self, made: House) -> None:
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
            caller = await made.greet(name, -4, text("friends"), 1)
            assert await caller.number() == place
        assert (await second.seated())[0] == 1
        await second.send(1)
        assert await second.numbers(5) == (1, 0, 100, 60, 0)

    async def test_a_provisional_seat_is_given_up(self, made: House) -> None:
        first, second = await made.call(), await made.call()
        assert await first.number() == 0
        await first.send(text("Ann"), -4, text("friends"))
        assert await first.number() == 0
        assert await second.number() == 0

    async def test_a_public_table_by_its_name(self, made: House) -> None:
        await made.guest()
        second = await made.player(1)
        await second.send(text("Bob"))
        ((name, number, seats, names),) = await listed(second)
        assert (number, seats, names) == (0, 3, ["Ann", "", "", ""])
        await second.send(-4, text(name))
        assert await second.number() == 1

    async def test_a_table_that_is_taken_or_plays(self, made: House) -> None:
        for place in range(2):
            caller = await made.greet("Ann", -4, text("two"))
            assert await caller.number() == place
            await caller.send(-2, HEARTS | 0b1100, 0, 0, 1)
        await trio.testing.wait_all_tasks_blocked()
        await four(made)
        looking = await made.greet("Fay")
        ((public, _, _, _),) = await listed(looking)
        for name in ("two", public):
            late = await made.greet("Eve", -4, text(name))
            assert await late.number() == -104
            assert await late.ended()

    async def test_a_private_table_waits_for_ever(self, made: House) -> None:
        caller = await made.greet("Ann", -4, text("friends"), 1)
        assert await caller.number() == 0
        assert await caller.silent(600)
