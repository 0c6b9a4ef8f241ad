"""Links that rest, that pause, and that wait for turns, read by a pump and in their own tasks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from hearts.net.link import LINGER, RECEIVE_BYTES

from .conftest import Links

pytestmark = pytest.mark.parametrize("house", [True, False], ids=["pump", "task"], indirect=True)


class TestRestingLinks:
    async def test_what_came_while_it_rested_is_read_on_waking(self, house: Links) -> None:
        peer = house.meet()
        peer.then = lambda data: peer.link.rest()
        for byte in b"abc":
            await peer.say(bytes([byte]))
        assert peer.heard == [b"a"]
        peer.link.wake()
        await wait_all_tasks_blocked()
        assert peer.heard == [b"a", b"bc"]
        peer.link.wake()
        await peer.say(b"d")
        assert peer.heard == [b"a", b"bc", b"d"]

    async def test_more_than_a_slice_of_it_is_read_on(self, house: Links) -> None:
        peer = house.meet()
        peer.link.rest()
        await wait_all_tasks_blocked()
        await peer.say(bytes(2 * RECEIVE_BYTES + 1))
        assert peer.heard == []
        assert peer.link.catch_up() == bytes(RECEIVE_BYTES)
        assert peer.link.catch_up() == b""
        await wait_all_tasks_blocked()
        assert peer.heard == [bytes(RECEIVE_BYTES), bytes(1)]

    async def test_with_nothing_there_catching_up_asks_nobody(self, house: Links) -> None:
        peer = house.meet()
        await wait_all_tasks_blocked()
        peer.link.rest()
        assert peer.link.catch_up() == b""
        await peer.say(b"x")
        assert peer.heard == [b"x"]

    async def test_catching_up_finds_the_end(self, house: Links) -> None:
        peer = house.meet()
        peer.then = lambda data: peer.link.rest()
        await peer.say(b"a")
        await peer.say(b"b")
        peer.sock.close()
        assert peer.link.catch_up() == b"b"
        await wait_all_tasks_blocked()
        assert peer.is_over
        assert peer.link.catch_up() == b""


class TestPause:
    async def test_reads_nothing_until_time_is_over_and_its_turn_has_come(
        self, house: Links, autojump_clock: MockClock
    ) -> None:
        peer, other = house.meet(), house.meet()
        turn = trio.Event()

        def pause(data: bytes) -> None:
            if len(peer.heard) == 1:
                peer.link.pause(3, turn.wait)

        peer.then = pause
        for byte in b"abc":
            peer.send(bytes([byte]))
            await other.say(bytes([byte]))
            peer.link.wake()
            peer.link.rest()
            assert peer.link.catch_up() == b""
        assert peer.heard == [b"a"]
        assert other.heard == [b"a", b"b", b"c"]
        await trio.sleep(4)
        assert peer.heard == [b"a"]
        turn.set()
        await wait_all_tasks_blocked()
        assert peer.heard == [b"a", b"bc"]
        await peer.say(b"d")
        assert peer.whole == b"abcd"

    async def test_a_flood_is_read_on_after_it(
        self, house: Links, autojump_clock: MockClock
    ) -> None:
        peer = house.meet()
        began = trio.current_time()
        read: list[float] = []

        def pause(data: bytes) -> None:
            read.append(trio.current_time() - began)
            peer.link.pause(1)

        peer.then = pause
        peer.send(bytes(3 * RECEIVE_BYTES))
        await trio.sleep(10)
        assert read == [0, 1, 2]

    async def test_a_pause_from_before_it_runs_counts(
        self, house: Links, autojump_clock: MockClock
    ) -> None:
        peer = house.connect()
        peer.link.pause(3)
        peer.send(b"a")
        house.run(peer)
        await trio.sleep(2)
        assert peer.heard == []
        await trio.sleep(2)
        assert peer.heard == [b"a"]

    @pytest.mark.parametrize("how", ["end", "abort", "close", "peer"])
    async def test_an_end_in_the_middle_of_it(
        self, how: str, house: Links, autojump_clock: MockClock
    ) -> None:
        peer = house.meet()
        peer.then = lambda data: None if data == b"b" else peer.link.pause(1000)
        await peer.say(b"a")
        peer.send(b"b")
        match how:
            case "end":
                peer.link.end()
            case "abort":
                peer.link.abort("for a test")
            case "close":
                peer.link.close()
            case _:
                peer.sock.close()
        await wait_all_tasks_blocked()
        assert peer.is_over is (how in ("abort", "close"))
        await trio.sleep(1000 if how == "peer" else LINGER)
        await wait_all_tasks_blocked()
        assert peer.is_over
        # It was only paused: what a peer sent before it left is heard.
        assert peer.whole == (b"ab" if how == "peer" else b"a")

    async def test_an_end_in_the_same_step_as_the_pause(
        self, house: Links, autojump_clock: MockClock
    ) -> None:
        peer = house.meet()

        def pause_and_end(data: bytes) -> None:
            peer.link.pause(1000)
            peer.link.end()

        peer.then = pause_and_end
        await peer.say(b"a")
        assert not peer.is_over
        assert peer.sock.recv(1) == b""
        peer.sock.close()
        await wait_all_tasks_blocked()
        assert peer.is_over


class TestTurns:
    async def test_each_piece_waits_for_a_turn_once_it_is_there(
        self, house: Links, autojump_clock: MockClock
    ) -> None:
        peer, other = house.meet(), house.meet()
        asked: list[Callable[[], None]] = []
        await wait_all_tasks_blocked()
        peer.link.ask_turn = asked.append
        await wait_all_tasks_blocked()
        assert not asked
        peer.send(bytes(2 * RECEIVE_BYTES))
        other.send(b"x")
        for turns in (1, 2):
            await wait_all_tasks_blocked()
            assert (len(asked), len(peer.heard)) == (turns, turns - 1)
            # Waking it changes nothing.
            peer.link.wake()
            await wait_all_tasks_blocked()
            assert (len(asked), len(peer.heard)) == (turns, turns - 1)
            asked[-1]()
        await wait_all_tasks_blocked()
        assert peer.whole == bytes(2 * RECEIVE_BYTES)
        assert other.heard == [b"x"]

    @pytest.mark.parametrize("rests", [False, True])
    async def test_what_is_due_needs_no_turn(
        self, rests: bool, house: Links, autojump_clock: MockClock
    ) -> None:
        peer = house.meet()
        asked: list[Callable[[], None]] = []
        peer.then = lambda data: peer.link.rest() if rests else None
        peer.link.piece = 2
        await wait_all_tasks_blocked()
        peer.link.ask_turn = asked.append
        await peer.say(b"abc")
        assert peer.heard == []
        assert peer.link.catch_up() == b""
        await wait_all_tasks_blocked()
        assert peer.heard == [b"ab"]
        peer.link.wake()
        await wait_all_tasks_blocked()
        assert peer.heard == [b"ab"]
        asked[-1]()
        await wait_all_tasks_blocked()
        assert peer.heard == [b"ab", b"c"]

    async def test_an_end_while_it_waits(self, house: Links, autojump_clock: MockClock) -> None:
        peer = house.meet()
        asked: list[Callable[[], None]] = []
        await wait_all_tasks_blocked()
        peer.link.ask_turn = asked.append
        await peer.say(b"a")
        peer.link.abort("test")
        await wait_all_tasks_blocked()
        assert peer.is_over
        # A turn that comes too late is nobody's.
        asked[0]()
        await wait_all_tasks_blocked()
        assert peer.heard == []

    async def test_a_turn_at_once(self, house: Links, autojump_clock: MockClock) -> None:
        peer = house.meet()
        await wait_all_tasks_blocked()
        peer.link.ask_turn = lambda take: take()
        await peer.say(bytes(2 * RECEIVE_BYTES))
        assert peer.whole == bytes(2 * RECEIVE_BYTES)
