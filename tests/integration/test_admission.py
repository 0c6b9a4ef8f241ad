"""What is listed and who is let in: SocketSpec.md sections 3.1, 3.5 and 3.7."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from hearts.session.messages import Refusal
from hearts_server.given_settings import parse_config
from hearts_server.lobby.arrival import REGISTRATION_LIMIT
from hearts_server.lobby.open_connections import RESERVE
from tests.independent import plain_client as client
from tests.independent.plain_client import Closed

from .house import (
    HEARTS,
    NAMES,
    NEAR,
    Caller,
    House,
    call,
    four,
    house,
    listed,
    listening,
    register,
    text,
)
from .test_many_tables import FILES


class TestTheList:
    async def test_forming_tables_come_first_and_private_ones_not_at_all(self, made: House) -> None:
        callers = await four(made)
        await made.greet("Secret", -4, text("friends"), 1)
        await made.guest(-2, HEARTS | 0b0010, 0, 0, name="Eve")
        looking = await made.player(2)
        await looking.send(text("Fay"))
        first, second = await listed(looking)
        assert first[1:] == (0, 2, ["Eve", "Moe", "", ""])
        assert second[1:] == (1, 0, NAMES)
        assert first[0] != second[0]
        for caller in callers:
            await caller.stream.aclose()
        again = await made.player(3)
        await again.send(text("Gil"))
        assert await listed(again) == [(first[0], 0, 1, ["Eve", "Moe", "", ""])]

    async def test_a_table_is_listed_from_its_first_registered_player_on(self, made: House) -> None:
        caller = await made.player(0)
        await caller.send(text("Ann"))
        assert await listed(caller) == []

    async def test_a_hundred_tables_at_most_and_those_of_one_network_hide_no_other(
        self, made: House
    ) -> None:
        for _ in range(101):
            await made.guest(-2, HEARTS | 0b1110, 0, 0)
        await made.guest(-2, HEARTS | 0b1110, 0, 0, name="Bob", address="198.51.100.1")
        caller = await made.greet("Ann")
        tables = await listed(caller)
        assert len(tables) == 100
        assert [players[0] for _, _, _, players in tables[:3]] == ["Ann", "Bob", "Ann"]


class TestWhoIsLetIn:
    @pytest.mark.house("--max-tables", "1")
    async def test_a_full_server(self, made: House) -> None:
        playing = await made.guest(-2, HEARTS | 0b1110, 0, 0)
        await playing.seated()
        late = await made.call()
        assert await register(late) == 0
        assert await late.number() == -1
        assert await late.ended()
        await playing.leave()
        await made.player(0)

    @pytest.mark.house("--max-per-address", "2")
    async def test_too_many_from_one_address(self, made: House) -> None:
        await made.guest(address="192.0.2.7")
        await made.player(1, "192.0.2.7")
        third = await made.call("192.0.2.7")
        assert await register(third) == 0
        assert await third.number() == -2
        assert await third.ended()
        await made.player(2, "192.0.2.8")

    @pytest.mark.house(NEAR)
    async def test_a_stranger_may_only_come_back(self, made: House) -> None:
        near = await made.guest(-2, HEARTS | 0b1110, 0, 0, address="127.0.0.1")
        number, game_id = await near.numbers(2)
        for blocks in ((-8,), (-4, text("friends")), (-7, text("x"), 1000), (-6, number), (1000,)):
            stranger = await made.greet("Eve", -10, text("")[:0], 0, *blocks, address="203.0.113.9")
            assert await stranger.number() == 1
            while (reply := await stranger.number()) == 1:
                pass
            assert reply == Refusal.STRANGER
            assert "--password auto" in await stranger.string()
        away = await made.greet("Ann", -5, number, game_id, 0, 1000, 0, address="203.0.113.9")
        assert await away.number() >= 0

    async def test_nobody_new_while_shutting_down(self, made: House) -> None:
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
            late = await made.player(0)
            await late.send(text("Eve"), -8)
            assert await late.number() == -4
            assert await late.ended()
            for caller in (registered, registering, waiting, late):
                await caller.stream.aclose()

    async def test_a_crowd_waits_for_its_turn_inside_and_nobody_behind_it(
        self, made: House, nursery: trio.Nursery
    ) -> None:
        answered: list[str] = []

        async def wait(caller: Caller, address: str) -> None:
            await caller.number()
            answered.append(address)

        crowd = ["192.0.2.1"] * 40
        friends = [f"198.51.{number}.1" for number in range(3)]
        await made.guest()
        nursery.start_soon(made.server.drain)
        await trio.testing.wait_all_tasks_blocked()
        opened = made.server.metrics.connections_opened.value
        for address in crowd + friends:
            nursery.start_soon(wait, made.begin_call(address), address)
        for _ in range(3):
            await trio.lowlevel.checkpoint()
        # All are counted, so that limits and deadlines hold for those who wait as well.
        assert made.server.metrics.connections_opened.value == opened + 43
        assert len(answered) < 10
        await trio.testing.wait_all_tasks_blocked()
        assert len(answered) == 43
        assert set(friends) < set(answered[:12])

    async def test_whoever_has_no_turn_within_a_minute_is_refused(
        self, tmp_path: Path, mock_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            callers = [made.begin_call("192.0.2.1") for _ in range(40)]
            for _ in range(3):
                await trio.lowlevel.checkpoint()
            mock_clock.jump(REGISTRATION_LIMIT)
            await trio.testing.wait_all_tasks_blocked()
            refused = 0
            for caller in callers[-5:]:
                refused += await caller.number() == -1 and await caller.ended()
            assert refused


@pytest.mark.house("--max-tables", "1", "--max-per-address", "32")
async def test_a_crowd_of_networks_does_not_keep_a_player_from_his_seat(made: House) -> None:
    callers = await four(made)
    game, game_id = await callers[0].numbers(2)
    await callers[0].stream.aclose()
    crowd = parse_config(["--max-tables", "1"]).max_connections + RESERVE
    for number in range(crowd - 3):
        made.begin_call(f"2001:db8:{number // 30:x}::1")
    await trio.testing.wait_all_tasks_blocked()
    stranger = await made.call("198.51.100.1")
    assert await stranger.number() == Refusal.SERVER_FULL
    back = client.OwnSession(
        client.ClientHabits(process_id=1000), client.Ticket(game, game_id, 0, 1000, 0, 0)
    )
    await (await made.call()).converse(back.talk(), steps=22)
    assert [fact.kind for fact in back.facts[1:4]] == ["back", "seated", "table"]


@pytest.mark.skipif(not FILES.is_dir(), reason="other systems have one loopback address")
async def test_who_only_connects_is_closed_at_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    limits = ("--accept-rate", "10", "--accept-burst", "50")
    closed = 0

    async def meet(port: int) -> None:
        nonlocal closed
        try:
            caller = await call(port, "127.4.0.2")
            async with caller.stream:
                await caller.number()
        except (OSError, Closed, trio.BrokenResourceError):
            closed += 1

    async with listening(tmp_path, *limits) as running:
        begun = trio.current_time()
        async with trio.open_nursery() as nursery:
            for _ in range(300):
                nursery.start_soon(meet, running.port)
        late = int(10 * (trio.current_time() - begun)) + 1
        assert 300 - 50 - late <= closed <= 250
        neighbour = await call(running.port, "127.5.0.2")
        assert await neighbour.number() == 0
        await neighbour.stream.aclose()
        assert running.server.metrics.readings["connections_too_fast_total"].read() == closed
        assert running.server.metrics.connections_opened.value == 301 - closed
        lines = [record.getMessage() for record in caplog.records]
        assert lines == ["connections-too-fast address=127.4.0.2 closed=1"]
