"""The taunt server over memory streams, in virtual time: every kind of guest, good and bad."""

from __future__ import annotations

import logging
from functools import partial

import pytest
import trio
import trio.lowlevel
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

from hearts.limits.tries import SEATS_KEPT
from hearts.net import Link
from hearts.net.link import BACKLOG_LIMIT, LINGER
from hearts.taunt.client import ChatRefused, Delivery
from hearts.taunt.messages import encode_numbers
from hearts.wire.codec import encode_int
from hearts.wire.credentials import SeatCredentials, issue
from taunt_server.connection import (
    FLOOD_NOTICE,
    NUMBERS_NOTICE,
    REGISTRATION_SECONDS,
    UNREADABLE_NOTICE,
    too_long_notice,
)
from taunt_server.room import CONNECTIONS_PER_SEAT
from taunt_server.server import BEING_TURNED_AWAY, CLOSING_NOTICE, QUICKLY, TauntServer
from tests.net.stream_link import StreamLink

from .conftest import ChatDesk, Player
from .guests import REFUSED, SEAT, SECRET, assert_in_touch


class TestRegistration:
    @pytest.mark.parametrize(
        "wrong",
        [
            replace(SEAT, game_number=8),
            replace(SEAT, game_id=SEAT.game_id ^ 1),
            replace(SEAT, game_id=-SEAT.game_id),
            replace(SEAT, player=1),
            replace(SEAT, process_id=4243),
            SeatCredentials(7, 0, 4, 4242),
            issue(SECRET, 7, 4, 4242),
            issue(SECRET, 7, -2, 4242),
            issue(bytes(32), 7, 0, 4242),
        ],
    )
    async def test_numbers_that_are_not_genuine_are_refused(
        self, wrong: SeatCredentials, desk: ChatDesk
    ) -> None:
        stranger = desk.stranger(wrong)
        assert await stranger.register() == ChatRefused()
        assert await stranger.is_ended()

    async def test_there_is_one_attempt_a_connection(self, desk: ChatDesk) -> None:
        peer = desk.peer()
        wrong = replace(SEAT, game_id=SEAT.game_id ^ 1)
        await peer.send(encode_numbers(wrong) + encode_numbers(SEAT))
        assert await peer.receive(8) == REFUSED
        assert await peer.is_ended()

    async def test_the_homes_of_so_many_seats_are_remembered(self, desk: ChatDesk) -> None:
        homes = desk.server._shared.homes
        homes.update(((game, 0), "") for game in range(1000, 1000 + SEATS_KEPT))
        await desk.player()
        assert len(homes) == SEATS_KEPT
        assert (next(iter(homes)), homes[7, 0]) == ((1001, 0), "192.0.2.1")

    async def test_silence_is_refused_after_the_deadline(self, desk: ChatDesk) -> None:
        peer = desk.peer()
        began = trio.current_time()
        await peer.send(encode_numbers(SEAT)[:15])
        assert await peer.receive(5) == REFUSED
        assert trio.current_time() - began == pytest.approx(REGISTRATION_SECONDS)

    async def test_a_registered_client_may_be_silent_for_ever(self, desk: ChatDesk) -> None:
        ann = await desk.player()
        await trio.sleep(80_000)
        await assert_in_touch(ann)

    async def test_wrong_ones_are_slowed_by_address(self, desk: ChatDesk) -> None:
        wrong = replace(SEAT, game_id=SEAT.game_id ^ 1)
        began = trio.current_time()
        for _ in range(7):
            assert await desk.stranger(wrong).register() == ChatRefused()
        assert trio.current_time() - began == pytest.approx(20)
        elsewhere = trio.current_time()
        await desk.player(address="192.0.2.2")
        assert trio.current_time() == elsewhere
        await desk.player()
        assert trio.current_time() - began == pytest.approx(30)

    async def test_guesses_at_a_seat_are_counted_whatever_process_id_and_network_they_have(
        self, desk: ChatDesk
    ) -> None:
        await desk.player()
        peers = [desk.peer(f"10.0.{number}.1") for number in range(15)]
        for number, peer in enumerate(peers):
            wrong = replace(SEAT, game_id=SEAT.game_id ^ 1, process_id=number)
            await peer.send(encode_numbers(wrong))
        await wait_all_tasks_blocked()
        stranger = desk.stranger(issue(SECRET, 7, 0, 99), "203.0.113.7")
        assert await stranger.register() == ChatRefused()
        assert trio.current_time() == 0
        # Where the seat was registered from, and at other seats, nobody waits for that.
        await desk.player()
        await desk.player(player=1, address="203.0.113.8")
        assert trio.current_time() == 0
        for peer in peers:
            assert await peer.receive(5) == REFUSED
        assert trio.current_time() == pytest.approx(10)

    async def test_the_numbers_of_the_game_server_are_one_seat_whatever_game_they_name(
        self, desk: ChatDesk
    ) -> None:
        peers = [desk.peer(f"10.0.{number}.1") for number in range(15)]
        for number, peer in enumerate(peers):
            wrong = issue(bytes(32), number, -1, 4242)
            await peer.send(encode_numbers(wrong))
        for peer in peers:
            assert await peer.receive(5) == REFUSED
        assert trio.current_time() == pytest.approx(10)

    async def test_who_leaves_while_he_waits_leaves_nothing_behind(self, desk: ChatDesk) -> None:
        wrong = replace(SEAT, game_id=SEAT.game_id ^ 1)
        for _ in range(6):
            await desk.stranger(wrong).register()
        await trio.sleep(LINGER)
        await wait_all_tasks_blocked()
        assert len(desk.nursery.child_tasks) == 0
        for _ in range(3):
            peer = desk.peer()
            await peer.send(encode_numbers(SEAT))
            await wait_all_tasks_blocked()
            await peer.stream.aclose()
        await wait_all_tasks_blocked()
        assert len(desk.nursery.child_tasks) == 0

    async def test_too_many_bytes_while_it_waits_end_the_connection(self, desk: ChatDesk) -> None:
        peer = desk.peer()
        await peer.send(encode_numbers(SEAT) + bytes(2000))
        assert await peer.is_ended()
        await assert_in_touch(await desk.player())


class TestChatSeats:
    async def test_a_second_registration_does_not_close_the_first(self, desk: ChatDesk) -> None:
        first, second = await desk.player(), await desk.player()
        await assert_in_touch(first, second)

    async def test_a_seat_has_a_bounded_number_of_connections(self, desk: ChatDesk) -> None:
        players = [await desk.player() for _ in range(CONNECTIONS_PER_SEAT)]
        one_more = desk.stranger(SEAT)
        assert await one_more.register() == ChatRefused()
        await assert_in_touch(*players)
        await players.pop().stream.aclose()
        await wait_all_tasks_blocked()
        players.append(await desk.player())
        await assert_in_touch(*players)

    async def test_games_do_not_hear_each_other(self, desk: ChatDesk) -> None:
        ann, other = await desk.player(7), await desk.player(8)
        await assert_in_touch(ann)
        assert await other.is_silent()


class TestTaunts:
    async def test_numbers_of_another_seat_are_not_relayed_even_if_genuine(
        self, desk: ChatDesk
    ) -> None:
        ann, ben = await desk.player(7, 0), await desk.player(7, 3)
        for shown in (SEAT, issue(SECRET, 8, 3, 4242), replace(SEAT, player=-1)):
            await ben.send(encode_numbers(shown) + encode_int(3) + b"hi\0")
            assert await ben.next_event() == Delivery(-1, NUMBERS_NOTICE)
        await assert_in_touch(ann, ben)

    async def test_what_cannot_be_relayed_costs_the_author_a_notice(self, desk: ChatDesk) -> None:
        ann, ben = await desk.player(7, 0), await desk.player(7, 3)
        await ann.send(encode_numbers(SEAT) + encode_int(1024) + bytes(1024))
        assert await ann.next_event() == Delivery(-1, too_long_notice(1023))
        await ann.send(encode_numbers(SEAT) + encode_int(3) + b"\xe9\x07\0")
        assert await ann.next_event() == Delivery(-1, UNREADABLE_NOTICE)
        await assert_in_touch(ann, ben)

    @pytest.mark.parametrize("length", [-1, 0, 1025, 2**31 - 1])
    async def test_nonsense_ends_that_connection_alone(self, length: int, desk: ChatDesk) -> None:
        ann, ben = await desk.player(7, 0), await desk.player(7, 3)
        await ann.send(encode_numbers(SEAT) + encode_int(length) + b"xyz")
        assert await ann.is_ended()
        await assert_in_touch(ben)

    async def test_a_flood_is_told_once_and_dropped(self, desk: ChatDesk) -> None:
        ann, ben = await desk.player(7, 0), await desk.player(7, 3)
        for number in range(40):
            await ann.taunt(str(number))
        for number in range(15):
            assert await ann.next_event() == await ben.next_event() == Delivery(0, str(number))
        assert await ann.next_event() == Delivery(-1, FLOOD_NOTICE)
        assert await ann.is_silent()
        assert await ben.is_silent()
        await trio.sleep(30)
        await assert_in_touch(ann, ben)

    async def test_the_limit_is_the_seats_and_outlives_its_connections(
        self, desk: ChatDesk
    ) -> None:
        first, second = await desk.player(), await desk.player()
        for _ in range(8):
            await first.taunt("one")
            await wait_all_tasks_blocked()
        for _ in range(7):
            await second.taunt("two")
        await wait_all_tasks_blocked()
        await first.stream.aclose()
        await second.stream.aclose()
        third = await desk.player()
        await third.taunt("three")
        assert await third.next_event() == Delivery(-1, FLOOD_NOTICE)

    async def test_notices_count_as_taunts(self, desk: ChatDesk) -> None:
        ann = await desk.player()
        for _ in range(100):
            await ann.send(encode_numbers(SEAT) + encode_int(200) + bytes(200))
        for _ in range(15):
            assert await ann.next_event() == Delivery(-1, too_long_notice(199))
        assert await ann.next_event() == Delivery(-1, FLOOD_NOTICE)
        assert await ann.is_silent()


class TestBounds:
    async def test_one_address_has_a_bounded_number_of_connections(self, desk: ChatDesk) -> None:
        peers = [desk.peer() for _ in range(8)]
        await wait_all_tasks_blocked()
        one_more = desk.stranger(SEAT)
        assert await one_more.register() == ChatRefused()
        assert await one_more.is_ended()
        await desk.player(address="192.0.2.2")
        await peers[0].stream.aclose()
        await wait_all_tasks_blocked()
        await desk.player()

    async def test_there_is_a_bounded_number_of_connections(self, desk: ChatDesk) -> None:
        players = await self._all_places_taken(desk)
        assert await desk.stranger(SEAT, "192.0.2.99").register() == ChatRefused()
        await players[0].stream.aclose()
        await wait_all_tasks_blocked()
        await desk.player(address="192.0.2.99")

    @staticmethod
    async def _all_places_taken(desk: ChatDesk) -> list[Player]:
        """By players, who keep theirs."""
        return [
            await desk.player(number, address=f"192.0.2.{number}", process_id=number)
            for number in range(1, 21)
        ]

    async def test_who_says_nothing_gives_way(self, desk: ChatDesk) -> None:
        """Whoever has waited longest of the network with most; players keep their places."""
        ann = await desk.player(address="203.0.113.1")
        lone = desk.peer("198.51.100.1")
        await wait_all_tasks_blocked()
        crowd = []
        for number in range(18):
            crowd.append(desk.peer(f"192.0.2.{number}"))
            await wait_all_tasks_blocked()
        bob = await desk.player(player=1, address="198.51.100.2")
        assert await crowd[0].receive(5) == REFUSED
        assert await lone.is_silent()
        assert await crowd[1].is_silent()
        await assert_in_touch(ann, bob)

    async def test_who_is_not_registered_gives_way_whatever_they_said(self, desk: ChatDesk) -> None:
        """Some wait for their turn to be answered, others are refused and do not close."""
        wrong = replace(SEAT, process_id=1)
        for number in range(20):
            stranger = desk.stranger(wrong, f"192.0.{number}.1")
            await stranger.send(stranger.session.register())
            await wait_all_tasks_blocked()
        await desk.player(8, address="198.51.100.2")

    async def test_a_handshake_that_never_ends_gives_way_too(
        self, desk: ChatDesk, server: TauntServer
    ) -> None:
        class HalfOpen(StreamLink):
            """As one with TLS whose peer says nothing."""

            async def ready(self) -> bool:
                await trio.sleep_forever()
                return False

        streams = [trio.testing.memory_stream_pair() for _ in range(20)]
        for number, (_, theirs) in enumerate(streams):
            make_link = partial(HalfOpen, theirs)
            desk.nursery.start_soon(server.serve, f"192.0.2.{number}", make_link)
        await wait_all_tasks_blocked()
        await desk.player(address="198.51.100.2")

    async def test_while_half_is_taken_one_registers_quickly(self, desk: ChatDesk) -> None:
        peers = [desk.peer(f"192.0.2.{number}") for number in range(10)]
        await trio.sleep(QUICKLY + 1)
        await desk.player(address="198.51.100.1")
        assert await peers[0].is_silent()
        await desk.player(player=1, address="198.51.100.1")
        for peer in peers:
            assert await peer.receive(5) == REFUSED

    async def test_even_the_turned_away_are_bounded(self, desk: ChatDesk) -> None:
        await self._all_places_taken(desk)
        turned_away = [desk.peer() for _ in range(BEING_TURNED_AWAY)]
        await wait_all_tasks_blocked()
        one_more = desk.peer()
        assert await one_more.is_ended()
        for peer in turned_away:
            assert await peer.receive(5) == REFUSED
        await trio.sleep(LINGER + 1)
        assert await desk.peer().receive(5) == REFUSED

    async def test_a_client_that_does_not_read_costs_only_itself(self, desk: ChatDesk) -> None:
        ann = await desk.player(7, 0)
        deaf = await desk.player(7, 3, lockstep=True)
        game_server = await desk.announcer()
        text = "x" * 127
        count = BACKLOG_LIMIT // 127 + 10
        for _ in range(count):
            await game_server.announce(7, text)
        for _ in range(count):
            assert await ann.next_event() == Delivery(-1, text)
        await wait_all_tasks_blocked()
        with pytest.raises(trio.BrokenResourceError):
            await deaf.send(b"x")
        await assert_in_touch(ann)

    async def test_nothing_is_left_of_clients_that_are_gone(self, desk: ChatDesk) -> None:
        players = [await desk.player(7, seat) for seat in range(4)]
        for player in players:
            await player.taunt("bye")
            await player.stream.aclose()
        await wait_all_tasks_blocked()
        assert len(desk.nursery.child_tasks) == 0

    async def test_an_error_of_our_own_ends_one_connection(
        self,
        desk: ChatDesk,
        server: TauntServer,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        def make_link(nursery: trio.Nursery) -> Link:
            raise RuntimeError("a bug")

        ann = await desk.player()
        await server.serve("192.0.2.66", make_link)
        assert "internal-error address=192.0.2.66" in caplog.text
        await assert_in_touch(ann)


class TestEnd:
    async def test_everybody_is_told_and_closed(self, desk: ChatDesk, server: TauntServer) -> None:
        ann = await desk.player()
        silent = desk.peer()
        await wait_all_tasks_blocked()
        server.end()
        assert await ann.next_event() == Delivery(-1, CLOSING_NOTICE)
        assert await ann.is_ended()
        assert await silent.is_ended()
        await trio.sleep(LINGER)
        await wait_all_tasks_blocked()
        assert len(desk.nursery.child_tasks) == 0

    async def test_a_registration_that_waits_is_just_ended(
        self, desk: ChatDesk, server: TauntServer
    ) -> None:
        wrong = replace(SEAT, game_id=SEAT.game_id ^ 1)
        for _ in range(6):
            await desk.stranger(wrong).register()
        peer = desk.peer()
        await peer.send(encode_numbers(SEAT))
        await wait_all_tasks_blocked()
        server.end()
        assert await peer.is_ended()


async def test_logs_hold_no_text_and_no_secret(
    desk: ChatDesk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    ann = await desk.player()
    assert await desk.stranger(replace(SEAT, game_id=SEAT.game_id ^ 1)).register() == ChatRefused()
    await ann.taunt("sesame")
    await ann.send(encode_numbers(SEAT) + encode_int(8) + b"sesame\x07\0")
    await ann.send(encode_numbers(SEAT) + encode_int(-5))
    assert await ann.next_event() == Delivery(0, "sesame")
    await ann.stream.aclose()
    await wait_all_tasks_blocked()
    assert "registered address=192.0.2.1 game=7 player=0" in caplog.text
    assert "protocol-error address=192.0.2.1" in caplog.text
    for hidden in ("sesame", str(SEAT.game_id), str(SEAT.process_id), SECRET.hex()):
        assert hidden not in caplog.text
    assert all("\n" not in record.getMessage() for record in caplog.records)
