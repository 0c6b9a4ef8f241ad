"""The pump over real sockets: slices, errors, descriptors, ends, rest and pauses.

What a link promises however it is read is in test_net.py, test_tcp_links.py and test_rest.py.
"""

from __future__ import annotations

import errno
import select
import socket
import struct
from collections.abc import Callable

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from hearts.net import Link, Pump, SocketLink
from hearts.net.link import LINGER, RECEIVE_BYTES
from hearts.net.pump import READS_IN_A_PASS

from .conftest import LinkEnd, Links, Passes

pytestmark = pytest.mark.skipif(not hasattr(select, "epoll"), reason="no epoll here")

RESET = struct.pack("ii", 1, 0)


def tcp() -> tuple[socket.socket, socket.socket]:
    """A connection over TCP: ours and theirs."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        theirs = socket.create_connection(listening.getsockname())
        ours, _ = listening.accept()
    return ours, theirs


async def until(condition: Callable[[], object]) -> None:
    """Wait for what TCP brings some time."""
    with trio.fail_after(10):
        while not condition():
            await trio.lowlevel.checkpoint()


class TestReading:
    async def test_a_link_that_has_begun_has_no_task_before_its_end(
        self, house: Links, passes: Passes
    ) -> None:
        peer = house.meet()
        for number in range(20):
            await peer.say(bytes([number]))
        assert not any("_run_to_end" in name for name in passes.steps)
        peer.sock.close()
        await wait_all_tasks_blocked()
        assert any("_run_to_end" in name for name in passes.steps)
        assert peer.whole == bytes(range(20))
        assert peer.is_over
        assert peer.link.why_lost is None

    async def test_what_came_before_the_link_runs_is_heard(self, house: Links) -> None:
        peer = house.connect()
        peer.send(b"read while registering")
        assert await peer.link.read() == b"read while registering"
        peer.send(b"early")
        house.run(peer)
        await wait_all_tasks_blocked()
        assert peer.heard == [b"early"]

    async def test_a_flood_is_read_in_slices_and_others_between_them(self, house: Links) -> None:
        flood, other = house.connect(), house.meet()
        order: list[str] = []
        flood.then = lambda data: order.append("flood")
        other.then = lambda data: order.append("other")
        flood.send(bytes(3 * RECEIVE_BYTES + 1))
        house.run(flood)
        await wait_all_tasks_blocked()
        assert [len(data) for data in flood.heard] == [RECEIVE_BYTES] * 3 + [1]
        order.clear()
        flood.send(bytes(3 * RECEIVE_BYTES))
        await other.say(b"x")
        assert order.index("other") <= 1
        assert order.count("flood") == 3

    async def test_only_so_many_are_read_in_a_pass_and_nobody_is_forgotten(
        self, house: Links, passes: Passes
    ) -> None:
        crowd = [house.meet() for _ in range(3 * READS_IN_A_PASS)]
        await wait_all_tasks_blocked()
        reads: dict[int, int] = {}

        def count(data: bytes) -> None:
            reads[passes.count] = reads.get(passes.count, 0) + 1

        for peer in crowd:
            peer.then = count
            peer.send(b"x")
        await wait_all_tasks_blocked()
        assert list(reads.values()) == [READS_IN_A_PASS] * 3
        assert all(peer.heard == [b"x"] for peer in crowd)

    async def test_bytes_behind_urgent_ones_are_heard(self, house: Links) -> None:
        # Reading stops before an urgent byte, which looks as if that were all.
        peer = house.connect(tcp())
        peer.sock.send(b"before")
        peer.sock.send(b"!", socket.MSG_OOB)
        peer.sock.send(b"behind")
        house.run(peer)
        await until(lambda: peer.whole == b"beforebehind")
        peer.sock.send(b" and so on")
        await until(lambda: peer.whole == b"beforebehind and so on")

    async def test_without_epoll_links_read_for_themselves(
        self, house: Links, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delattr(select, "epoll")
        pump = Pump()
        await pump.run()
        ours, theirs = socket.socketpair()
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(ours))
        link = pump.link(stream, house.nursery)
        assert type(link) is SocketLink
        heard: list[bytes] = []
        with theirs:
            theirs.send(b"abc")
            house.nursery.start_soon(link.run, heard.append)
            await wait_all_tasks_blocked()
            assert heard == [b"abc"]


class TestErrors:
    @pytest.mark.parametrize("error", [RuntimeError("a bug"), OSError(errno.ENOSPC, "a disk")])
    async def test_an_error_of_a_receiver_ends_its_connection_and_no_other(
        self, error: Exception, house: Links
    ) -> None:
        bad, *good = crowd = [house.meet() for _ in range(3)]

        def fail(data: bytes) -> None:
            raise error

        bad.then = fail
        for _ in range(2):
            for peer in crowd:
                if not peer.is_over:
                    peer.send(b"x")
            await wait_all_tasks_blocked()
        assert bad.is_over
        assert bad.heard == [b"x"]
        # An OSError counts as the connection's own, as it does for other links.
        assert bad.error is error or "a disk" in str(bad.link.why_lost)
        assert bad.link.ending
        assert bad.sock.recv(1) == b""
        assert [peer.whole for peer in good] == [b"xx", b"xx"]
        assert not any(peer.is_over for peer in good)

    async def test_an_error_after_an_abort_is_told_as_well(self, house: Links) -> None:
        peer = house.meet()

        def fail(data: bytes) -> None:
            peer.link.abort("enough")
            raise RuntimeError("a bug")

        peer.then = fail
        await peer.say(b"x")
        assert str(peer.error) == "a bug"
        assert peer.link.why_lost == "enough"

    async def test_a_reset_ends_its_connection_and_no_other(self, house: Links) -> None:
        lost, other = (house.run(house.connect(tcp())) for _ in range(2))
        lost.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        lost.sock.close()
        await until(lambda: lost.is_over)
        assert "receiving failed" in str(lost.link.why_lost)
        other.send(b"x")
        await until(lambda: other.whole)
        assert not other.is_over

    async def test_the_end_of_the_pump_ends_its_links_and_it_takes_no_more(
        self, house: Links
    ) -> None:
        peer, late = house.meet(), house.connect()
        await wait_all_tasks_blocked()
        house.pumping.cancel()
        await wait_all_tasks_blocked()
        assert peer.is_over
        assert peer.link.why_lost == "nobody reads any more"
        peer.link.wake()
        late.begin()
        await late.over.wait()
        assert late.link.why_lost is not None
        assert late.link.ending


def descriptor_of(peer: LinkEnd) -> int:
    assert isinstance(peer.link, SocketLink)
    return peer.link._socket.fileno()


class TestDescriptors:
    @pytest.mark.parametrize("how", ["end", "abort", "close"])
    async def test_a_link_ends_another_whose_event_is_in_hand(self, how: str, house: Links) -> None:
        pair = [house.meet() for _ in range(2)]
        await wait_all_tasks_blocked()
        for one, other in (pair, pair[::-1]):
            one.then = lambda data, link=other.link: (  # type: ignore[misc]
                link.abort("by the other") if how == "abort" else getattr(link, how)()
            )
        for peer in pair:
            peer.send(b"x")
        await wait_all_tasks_blocked()
        (first,) = (peer for peer in pair if peer.heard)
        (second,) = (peer for peer in pair if not peer.heard)
        assert not first.is_over
        assert second.link.ending
        assert second.is_over is (how != "end")
        assert second.link.why_lost == ("by the other" if how == "abort" else None)
        await first.say(b"y")
        assert first.whole == b"xy"

    async def test_a_descriptor_that_is_used_again_in_the_same_pass(self, house: Links) -> None:
        pair = [house.meet() for _ in range(2)]
        await wait_all_tasks_blocked()
        descriptors = {peer: descriptor_of(peer) for peer in pair}
        fresh: list[LinkEnd] = []

        def replace(data: bytes) -> None:
            (other,) = (peer for peer in pair if not peer.heard)
            other.link.close()
            fresh.append(house.connect())
            assert descriptor_of(fresh[0]) == descriptors[other]
            fresh[0].then = other.then
            house.run(fresh[0])

        for peer in pair:
            peer.then = replace
            peer.send(b"for whom it was sent")
        fresh_sent = b"for the new one"
        await wait_all_tasks_blocked()
        assert fresh[0].heard == []
        assert not fresh[0].is_over
        fresh[0].then = lambda data: None
        await fresh[0].say(fresh_sent)
        assert fresh[0].heard == [fresh_sent]

    async def test_a_thousand_connections_one_after_the_other(self, house: Links) -> None:
        for number in range(1000):
            peer = house.meet()
            peer.send(b"%d" % number)
            if number % 3:
                peer.sock.close()
            await wait_all_tasks_blocked()
            assert peer.whole == b"%d" % number
            if not number % 3:
                peer.link.close()
                await wait_all_tasks_blocked()
            assert peer.is_over
        assert not house.pump._links


class TestEnds:
    @pytest.mark.parametrize("size", [1, RECEIVE_BYTES, 5 * RECEIVE_BYTES + 1])
    @pytest.mark.parametrize("half", [False, True])
    @pytest.mark.parametrize("kind", [socket.socketpair, tcp])
    async def test_all_that_was_sent_is_heard_before_the_end(
        self,
        kind: Callable[[], tuple[socket.socket, socket.socket]],
        half: bool,
        size: int,
        house: Links,
    ) -> None:
        peer = house.connect(kind())
        peer.send(bytes(size))
        if half:
            peer.sock.shutdown(socket.SHUT_WR)
        else:
            peer.sock.close()
        house.run(peer)
        await until(lambda: peer.is_over)
        assert peer.whole == bytes(size)
        assert peer.link.why_lost is None
        if half:
            assert peer.sock.recv(1) == b""

    async def test_what_is_unread_at_our_end_is_dropped_and_read_to_the_peers(
        self, house: Links, autojump_clock: MockClock
    ) -> None:
        peer = house.meet()
        peer.then = lambda data: peer.link.end()
        await peer.say(bytes(3 * RECEIVE_BYTES))
        assert len(peer.whole) == RECEIVE_BYTES
        assert peer.sock.recv(1) == b""
        began = trio.current_time()
        await trio.sleep(LINGER / 2)
        assert not peer.is_over
        peer.send(bytes(10))
        # Closed while bytes are unread, a connection is reset: the goodbye would be lost.
        peer.sock.close()
        await wait_all_tasks_blocked()
        assert peer.is_over
        assert peer.link.why_lost is None
        assert trio.current_time() == began + LINGER / 2

    async def test_a_peer_that_stays_is_left_after_a_while(
        self, house: Links, autojump_clock: MockClock
    ) -> None:
        peer = house.meet()
        await wait_all_tasks_blocked()
        peer.link.end()
        began = trio.current_time()
        await peer.over.wait()
        assert trio.current_time() == began + LINGER

    async def test_a_resting_link_is_read_at_its_end_and_when_something_is_due(
        self, house: Links
    ) -> None:
        peer = house.meet()
        peer.link.to_wake = to_wake = dict[Link, None]()
        peer.then = lambda data: peer.link.rest(talks=False)
        await peer.say(b"a")
        await peer.say(b"b" * 2 * RECEIVE_BYTES)
        assert (peer.heard, to_wake) == ([b"a"], {})
        # It may have chosen before it was told, and then says nothing more.
        peer.link.write(b"news")
        assert peer.link.catch_up() == b""
        to_wake.popitem()[0].wake()
        await wait_all_tasks_blocked()
        assert peer.heard == [b"a", b"b" * RECEIVE_BYTES]
        peer.sock.close()
        await wait_all_tasks_blocked()
        assert peer.whole == b"a" + b"b" * 2 * RECEIVE_BYTES
        assert peer.is_over
