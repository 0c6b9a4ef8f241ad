"""What the game server says to the chat: notices, whose a seat is, and who is muted."""

from __future__ import annotations

import pytest
import trio
import trio.lowlevel
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

from hearts.net import Pump
from hearts.taunt.announcer import NOBODY, Announcer
from hearts.taunt.client import Delivery, Registered
from hearts.taunt.messages import TAUNT_LIMIT, encode_numbers, encode_taunt
from hearts.wire.codec import encode_int
from hearts.wire.credentials import issue
from taunt_server.connection import NUMBERS_NOTICE, muted_notice
from taunt_server.room import LINES_KEPT, NOTICES_SECONDS, OTHERS_KEPT, REPLACED_NOTICE
from taunt_server.server import BEING_TURNED_AWAY, TauntServer

from .conftest import ChatDesk, Player
from .guests import REFUSED, SEAT, SECRET, assert_in_touch


class TestAnnouncements:
    async def test_one_connection_speaks_to_every_game(self, desk: ChatDesk) -> None:
        ann, ben, other = (
            await desk.player(7, 0),
            await desk.player(7, 3),
            await desk.player(8, 0),
        )
        game_server = await desk.announcer()
        await game_server.announce(7, "seven")
        await game_server.announce(8, "eight")
        await game_server.announce(9, "nobody is there")
        assert await ann.next_event() == await ben.next_event() == Delivery(-1, "seven")
        assert await other.next_event() == Delivery(-1, "eight")
        for peer in (ann, ben, other, game_server):
            assert await peer.is_silent()

    async def test_who_registers_later_hears_the_last_notices_first(self, desk: ChatDesk) -> None:
        game_server = await desk.announcer()
        await game_server.announce(7, "before anybody came")
        await game_server.announce(8, "elsewhere")
        await wait_all_tasks_blocked()
        ann = await desk.player(7, 0)
        assert await ann.next_event() == Delivery(-1, "before anybody came")
        await ann.taunt("hello")
        assert await ann.next_event() == Delivery(0, "hello")
        for number in range(OTHERS_KEPT):
            await game_server.announce(7, str(number))
        await wait_all_tasks_blocked()
        ben = await desk.player(7, 3)
        await ann.taunt("hello ben")
        texts = [*map(str, range(OTHERS_KEPT))]
        for player in (ann, ben):
            assert [await player.next_event() for _ in texts] == [
                Delivery(-1, text) for text in texts
            ]
            assert await player.next_event() == Delivery(0, "hello ben")
            assert await player.is_silent()
        assert await game_server.is_silent()

    async def test_a_wrong_registration_hears_no_notice(self, desk: ChatDesk) -> None:
        game_server = await desk.announcer()
        await game_server.announce(7, "for game 7")
        await wait_all_tasks_blocked()
        stranger = desk.peer()
        await stranger.send(encode_numbers(replace(SEAT, process_id=1)))
        assert await stranger.receive(100) == REFUSED

    async def test_notices_that_nobody_heard_are_forgotten(self, desk: ChatDesk) -> None:
        game_server = await desk.announcer()
        await game_server.announce(7, "long ago")
        await trio.sleep(NOTICES_SECONDS)
        ann = await desk.player(7, 0)
        assert await ann.is_silent()
        await game_server.announce(7, "for ann")
        await trio.sleep(2 * NOTICES_SECONDS)
        ben = await desk.player(7, 3)
        assert await ann.next_event() == await ben.next_event() == Delivery(-1, "for ann")

    async def test_the_game_server_is_never_too_fast(self, desk: ChatDesk) -> None:
        ann, game_server = await desk.player(), await desk.announcer()
        for number in range(100):
            await game_server.announce(7, str(number))
        assert [await ann.next_event() for _ in range(100)] == [
            Delivery(-1, str(number)) for number in range(100)
        ]

    async def test_it_speaks_as_nobody_but_itself(self, desk: ChatDesk) -> None:
        ann, game_server = await desk.player(), await desk.announcer()
        forged = replace(issue(SECRET, 7, -1, 900), game_id=5)
        for shown in (SEAT, forged):
            await game_server.send(encode_numbers(shown) + encode_int(3) + b"hi\0")
            assert await game_server.next_event() == Delivery(-1, NUMBERS_NOTICE)
        assert await ann.is_silent()


class TestReplacedPlayers:
    """The game server says whose a seat is now: who had it before hears and says nothing more."""

    async def test_he_is_told_and_ended_and_nobody_else_is(self, desk: ChatDesk) -> None:
        old, other = await desk.player(7, 0), await desk.player(7, 3)
        elsewhere = await desk.player(8, 0)
        game_server = await desk.announcer()
        await game_server.give_seat(7, 0, 5000)
        assert await old.next_event() == Delivery(-1, REPLACED_NOTICE)
        assert await old.is_ended()
        new = await desk.player(7, 0, 5000)
        await assert_in_touch(new, other)
        await assert_in_touch(elsewhere)
        assert await game_server.is_silent()

    @pytest.mark.parametrize("holder", [5000, NOBODY])
    async def test_he_cannot_register_again(self, holder: int, desk: ChatDesk) -> None:
        game_server = await desk.announcer()
        await game_server.announce(7, "for those who play")
        await game_server.give_seat(7, 0, holder)
        await wait_all_tasks_blocked()
        old = desk.peer()
        await old.send(encode_numbers(SEAT))
        assert await old.receive(100) == REFUSED
        assert await desk.stranger(issue(SECRET, 7, 1, 4242)).register() == Registered()

    async def test_he_may_have_the_seat_again(self, desk: ChatDesk) -> None:
        game_server = await desk.announcer()
        for holder in (NOBODY, SEAT.process_id):
            await game_server.give_seat(7, 0, holder)
        await wait_all_tasks_blocked()
        await assert_in_touch(await desk.player(7, 0))

    async def test_no_player_can_say_whose_a_seat_is(self, desk: ChatDesk) -> None:
        ann, ben = await desk.player(7, 0), await desk.player(7, 3)
        await ben.send(encode_taunt(issue(SECRET, 7, 0, 5000), ""))
        assert await ben.next_event() == Delivery(-1, NUMBERS_NOTICE)
        await ben.send(encode_taunt(issue(SECRET, 7, 3, 4242), ""))
        assert await ann.next_event() == await ben.next_event() == Delivery(3, "")
        await assert_in_touch(ann, ben)

    async def test_the_numbers_have_to_be_genuine(self, desk: ChatDesk) -> None:
        ann, game_server = await desk.player(7, 0), await desk.announcer()
        genuine = issue(SECRET, 7, 0, 5000)
        for shown in (replace(genuine, game_id=5), issue(SECRET, 7, 4, 5000)):
            await game_server.send(encode_taunt(shown, ""))
            assert await game_server.next_event() == Delivery(-1, NUMBERS_NOTICE)
        await assert_in_touch(ann)


class TestTheWayOfTheGameServer:
    async def test_it_takes_no_place_and_nobody_takes_its_place(
        self, desk: ChatDesk, server: TauntServer
    ) -> None:
        players = [
            await desk.player(7 + number // 4, number % 4, address=f"192.0.2.{number}")
            for number in range(20)
        ]
        for number in range(BEING_TURNED_AWAY + 6):
            desk.peer(f"192.0.2.{number}")
        await wait_all_tasks_blocked()
        ours, theirs = (trio.SocketStream(end) for end in trio.socket.socketpair())
        pump = Pump()
        desk.nursery.start_soon(pump.run)
        desk.nursery.start_soon(server.serve_announcer, pump, theirs)
        guesses, now = server._shared.guesses, trio.current_time()
        for number in range(20):
            guesses.attempt((0, -1), f"198.51.{number}.1", home="", right=False, now=now)
        async with ours:
            game_server = Player(ours, Announcer(SECRET, 900))
            assert await game_server.register() == Registered()
            await game_server.announce(7, "heard")
            assert await players[0].next_event() == Delivery(-1, "heard")
            await players[-1].stream.aclose()
            await wait_all_tasks_blocked()
            await desk.player(address="192.0.2.99")


class TestMuted:
    async def test_nobody_hears_him_and_he_hears_all(self, desk: ChatDesk) -> None:
        ann, ben, game_server = (
            await desk.player(7, 0), await desk.player(7, 1), await desk.announcer(),
        )  # fmt: skip
        await game_server.mute(7, 0, 4242, True)
        await wait_all_tasks_blocked()
        await ann.taunt("can you hear me?")
        assert await ann.next_event() == Delivery(-1, muted_notice())
        await ben.taunt("hello")
        assert await ann.next_event() == await ben.next_event() == Delivery(1, "hello")
        assert await game_server.is_silent()

    async def test_until_the_host_lets_him_speak(self, desk: ChatDesk) -> None:
        ann, game_server = await desk.player(7, 0), await desk.announcer()
        for muted in (True, False):
            await game_server.mute(7, 0, 4242, muted)
        await wait_all_tasks_blocked()
        await assert_in_touch(ann)

    async def test_a_new_connection_does_not_help(self, desk: ChatDesk) -> None:
        await (await desk.announcer()).mute(7, 0, 4242, True)
        await wait_all_tasks_blocked()
        ann = await desk.player(7, 0)
        await ann.taunt("me again")
        assert await ann.next_event() == Delivery(-1, muted_notice())

    async def test_others_may_speak_also_whoever_has_his_seat_next(self, desk: ChatDesk) -> None:
        game_server = await desk.announcer()
        await game_server.mute(7, 0, 4242, True)
        await game_server.give_seat(7, 0, 5000)
        await wait_all_tasks_blocked()
        await assert_in_touch(await desk.player(7, 0, 5000), await desk.player(7, 1))
        await assert_in_touch(await desk.player(8, 0))

    async def test_they_hear_until_when_and_why(self, desk: ChatDesk) -> None:
        ann, game_server = await desk.player(7, 0), await desk.announcer()
        await game_server.mute(7, 0, 4242, True, " until tomorrow: spam")
        await wait_all_tasks_blocked()
        await ann.taunt("hello?")
        notice = "Not passed on: the host has muted you until tomorrow: spam"
        assert await ann.next_event() == Delivery(-1, notice)
        await game_server.mute(7, 0, 4242, True, f": {'x' * TAUNT_LIMIT}")
        await wait_all_tasks_blocked()
        await ann.taunt("hello?")
        told = await ann.next_event()
        assert isinstance(told, Delivery)
        assert len(told.text) == TAUNT_LIMIT

    async def test_nobody_else_can_mute(self, desk: ChatDesk) -> None:
        ann, ben = await desk.player(7, 0), await desk.player(7, 1)
        await ben.send(encode_taunt(SEAT, "mute"))
        assert await ben.next_event() == Delivery(-1, NUMBERS_NOTICE)
        await ben.send(encode_taunt(issue(SECRET, 7, 1, 4242), "mute"))
        assert await ann.next_event() == await ben.next_event() == Delivery(1, "mute")
        await assert_in_touch(ann, ben)

    async def test_what_the_game_server_does_not_say(self, desk: ChatDesk) -> None:
        game_server = await desk.announcer()
        await game_server.send(encode_taunt(SEAT, "deafen"))
        assert await game_server.next_event() == Delivery(-1, NUMBERS_NOTICE)


class TestTold:
    async def test_one_player_alone_on_all_their_connections(self, desk: ChatDesk) -> None:
        ann, again, ben, game_server = (
            await desk.player(7, 0), await desk.player(7, 0), await desk.player(7, 1),
            await desk.announcer(),
        )  # fmt: skip
        await game_server.tell(7, 0, 4242, "be kind")
        assert await ann.next_event() == await again.next_event() == Delivery(-1, "be kind")
        await game_server.tell(7, 0, 4243, "not to who has the seat now")
        assert await ben.is_silent()
        assert await ann.is_silent()


class TestLastLines:
    async def test_the_last_ones_of_one_game(self, desk: ChatDesk) -> None:
        ann, ben, other = (
            await desk.player(7, 0), await desk.player(7, 1), await desk.player(8, 0),
        )  # fmt: skip
        game_server = await desk.announcer()
        assert await game_server.lines(7) == []
        for number in range(LINES_KEPT):
            await ann.taunt(f"hello {number}")
            await trio.sleep(5)
        await other.taunt("elsewhere")
        await ben.taunt("hello ann")
        await wait_all_tasks_blocked()
        *first, last = await game_server.lines(7)
        assert first == [Delivery(0, f"hello {number}") for number in range(1, LINES_KEPT)]
        assert last == Delivery(1, "hello ann")
        await trio.sleep(NOTICES_SECONDS)
        assert await game_server.lines(7) == []

    async def test_nobody_answers_for_another_at_the_same_seat(self, desk: ChatDesk) -> None:
        ann, ben, game_server = (
            await desk.player(7, 0), await desk.player(7, 1), await desk.announcer(),
        )  # fmt: skip
        await game_server.give_seat(7, 0, 4242)
        await wait_all_tasks_blocked()
        await ann.taunt("something rude")
        await ben.taunt("please")
        await wait_all_tasks_blocked()
        await game_server.give_seat(7, 0, 4242)
        said = [Delivery(0, "something rude"), Delivery(1, "please")]
        assert await game_server.lines(7) == said
        await game_server.give_seat(7, 0, 5000)
        assert await game_server.lines(7) == said[1:]
        await game_server.give_seat(7, 1, 5001)
        assert await game_server.lines(7) == []

    async def test_no_player_is_told_them(self, desk: ChatDesk) -> None:
        ann = await desk.player(7, 0)
        await ann.send(encode_taunt(issue(SECRET, 7, 0, -1), "lines"))
        assert await ann.next_event() == Delivery(-1, NUMBERS_NOTICE)
