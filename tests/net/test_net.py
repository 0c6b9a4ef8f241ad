"""The connection and its outbox, over memory streams in virtual time and over real sockets."""

from __future__ import annotations

import errno
import socket
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from trio.testing import (
    MockClock,
    lockstep_stream_pair,
    memory_stream_pair,
    wait_all_tasks_blocked,
)

from hearts.net import (
    Link,
    Pump,
    SocketLink,
    StreamLink,
    accept_connections,
    address_text,
    open_listeners,
    open_private_listener,
)
from hearts.net.link import BACKLOG_LIMIT, LINGER

TIMEOUT = 10


@asynccontextmanager
async def tcp_pair() -> AsyncIterator[tuple[trio.SocketStream, trio.SocketStream]]:
    """The server's and the client's end of a TCP connection with small buffers."""
    (listener,) = await open_listeners("127.0.0.1", 0)
    async with listener:
        listener.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        client = trio.socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        await client.connect(listener.socket.getsockname())
        async with trio.SocketStream(client) as theirs, await listener.accept() as ours:
            yield ours, theirs


async def read_all(stream: trio.abc.ReceiveStream) -> bytes:
    """Everything until the other side ends."""
    data = bytearray()
    with trio.fail_after(TIMEOUT):
        async for piece in stream:
            data += piece
    return bytes(data)


async def receive_exactly(stream: trio.abc.ReceiveStream, size: int) -> bytes:
    data = bytearray()
    with trio.fail_after(TIMEOUT):
        while len(data) < size:
            piece = await stream.receive_some(size - len(data))
            assert piece, f"the connection ended after {len(data)} bytes"
            data += piece
    return bytes(data)


def ignore(data: bytes) -> None:
    """For a reader whose bytes do not matter."""


class Echo:
    """A receiver that answers in the same step, as a session does."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.heard = b""

    def __call__(self, data: bytes) -> None:
        self.heard += data
        for byte in data:
            self.link.write(bytes([byte]))
        self.link.flush()


def fill(link: Link, unsent: int) -> bytes:
    """Write until so many bytes wait in the backlog; gives all that was written."""
    written = bytearray()
    while link.backlog < unsent:
        piece = len(written).to_bytes(4, "big") * 64
        link.write(piece)
        link.flush()
        assert not link.ending, link.why_lost
        written += piece
    return bytes(written)


MakeLink = Callable[[trio.SocketStream, trio.Nursery], SocketLink]


@pytest.fixture(params=["in its own task", "by a pump"])
async def make_link(request: pytest.FixtureRequest) -> AsyncIterator[MakeLink]:
    """Both ways in which a link is read."""
    if request.param == "in its own task":
        yield SocketLink
        return
    async with trio.open_nursery() as pumping:
        pump = Pump()
        pumping.start_soon(pump.run)
        yield pump.link
        pumping.cancel_scope.cancel()


class TestOverMemory:
    """Virtual time: what depends on a clock."""

    async def test_what_a_step_writes_arrives_in_order(
        self, autojump_clock: MockClock, nursery: trio.Nursery
    ) -> None:
        ours, theirs = memory_stream_pair()
        link = StreamLink(ours, nursery)
        echo = Echo(link)
        nursery.start_soon(link.run, echo)
        await theirs.send_all(b"abc")
        assert await receive_exactly(theirs, 3) == b"abc"
        await theirs.send_all(b"def")
        assert await receive_exactly(theirs, 3) == b"def"
        await theirs.aclose()
        await wait_all_tasks_blocked()
        assert echo.heard == b"abcdef"
        assert link.ending
        assert link.why_lost is None

    async def test_an_ended_link_lingers_and_then_closes(
        self, autojump_clock: MockClock, nursery: trio.Nursery
    ) -> None:
        ours, theirs = memory_stream_pair()
        link = StreamLink(ours, nursery)
        began = trio.current_time()
        link.write(b"bye")
        link.end()
        nursery.start_soon(link.run, ignore)
        assert await read_all(theirs) == b"bye"
        assert trio.current_time() == began
        await theirs.send_all(b"still read, and dropped")
        await trio.sleep(LINGER - 0.1)
        assert len(nursery.child_tasks) == 1
        await trio.sleep(0.2)
        assert len(nursery.child_tasks) == 0
        assert link.why_lost is None

    async def test_an_ended_link_closes_as_soon_as_the_peer_does(
        self, autojump_clock: MockClock, nursery: trio.Nursery
    ) -> None:
        ours, theirs = memory_stream_pair()
        link = StreamLink(ours, nursery)
        began = trio.current_time()
        link.end()
        await theirs.aclose()
        await link.run(ignore)
        assert trio.current_time() == began

    async def test_nothing_is_heard_or_said_after_the_end(
        self, autojump_clock: MockClock, nursery: trio.Nursery
    ) -> None:
        ours, theirs = memory_stream_pair()
        link = StreamLink(ours, nursery)
        echo = Echo(link)
        nursery.start_soon(link.run, echo)
        await theirs.send_all(b"1")
        assert await receive_exactly(theirs, 1) == b"1"
        link.end()
        await theirs.send_all(b"2")
        link.write(b"3")
        link.flush()
        link.end()
        assert await read_all(theirs) == b""
        await wait_all_tasks_blocked()
        assert echo.heard == b"1"

    async def test_the_end_comes_after_a_backlog_that_the_peer_still_reads(
        self, autojump_clock: MockClock, nursery: trio.Nursery
    ) -> None:
        ours, theirs = lockstep_stream_pair()
        link = StreamLink(ours, nursery)
        nursery.start_soon(link.run, ignore)
        link.write(b"x" * 1000)
        link.end()
        await trio.sleep(LINGER / 2)
        assert link.backlog == 1000
        assert await read_all(theirs) == b"x" * 1000

    async def test_the_end_waits_no_longer_for_a_peer_that_does_not_read(
        self, autojump_clock: MockClock, nursery: trio.Nursery
    ) -> None:
        ours, _theirs = lockstep_stream_pair()
        link = StreamLink(ours, nursery)
        link.write(b"x" * 1000)
        began = trio.current_time()
        link.end()
        await link.run(ignore)
        assert trio.current_time() - began == pytest.approx(LINGER)
        assert link.why_lost == "closed with 1000 bytes unsent"
        await wait_all_tasks_blocked()
        assert len(nursery.child_tasks) == 0

    async def test_too_far_behind_is_the_end(
        self, autojump_clock: MockClock, nursery: trio.Nursery
    ) -> None:
        ours, _theirs = lockstep_stream_pair()
        link = StreamLink(ours, nursery)
        nursery.start_soon(link.run, ignore)
        await wait_all_tasks_blocked()
        link.write(bytes(BACKLOG_LIMIT))
        link.flush()
        assert not link.ending
        assert link.backlog == BACKLOG_LIMIT
        link.write(b"x")
        link.flush()
        assert link.ending
        assert link.why_lost == f"too far behind: {BACKLOG_LIMIT + 1} bytes unsent"
        assert link.backlog == 0
        await wait_all_tasks_blocked()
        assert len(nursery.child_tasks) == 0

    async def test_an_abort_ends_at_once_and_the_first_reason_stays(
        self, autojump_clock: MockClock, nursery: trio.Nursery
    ) -> None:
        ours, theirs = lockstep_stream_pair()
        link = StreamLink(ours, nursery)
        nursery.start_soon(link.run, ignore)
        link.write(b"lost")
        link.flush()
        await wait_all_tasks_blocked()
        began = trio.current_time()
        link.abort("first")
        link.abort("second")
        await wait_all_tasks_blocked()
        assert len(nursery.child_tasks) == 0
        assert trio.current_time() == began
        assert link.why_lost == "first"
        with pytest.raises(trio.BrokenResourceError):
            await theirs.send_all(b"nobody is there")

    async def test_what_was_never_flushed_is_no_failure_after_the_end(
        self, autojump_clock: MockClock, nursery: trio.Nursery
    ) -> None:
        ours, theirs = memory_stream_pair()
        link = StreamLink(ours, nursery)
        link.write(b"forgotten")
        await theirs.aclose()
        await link.run(ignore)
        link.flush()
        assert link.backlog == 0
        assert link.why_lost is None

    async def test_an_error_of_the_receiver_closes_the_connection_and_is_told(
        self, autojump_clock: MockClock, nursery: trio.Nursery
    ) -> None:
        def fail(data: bytes) -> None:
            raise RuntimeError("a bug")

        ours, theirs = memory_stream_pair()
        link = StreamLink(ours, nursery)
        await theirs.send_all(b"x")
        with pytest.raises(RuntimeError, match="a bug"):
            await link.run(fail)
        assert await read_all(theirs) == b""

    async def test_a_cancelled_reader_closes_the_connection(
        self, autojump_clock: MockClock, nursery: trio.Nursery
    ) -> None:
        ours, theirs = memory_stream_pair()
        link = StreamLink(ours, nursery)
        with trio.move_on_after(5) as scope:
            await link.run(ignore)
        assert scope.cancelled_caught
        assert await read_all(theirs) == b""


class TestRest:
    async def test_reads_nothing_while_it_rests(self) -> None:
        ours, theirs = memory_stream_pair()
        heard: list[bytes] = []
        async with trio.open_nursery() as nursery:
            link = StreamLink(ours, nursery)

            def receive(data: bytes) -> None:
                heard.append(data)
                link.rest()

            nursery.start_soon(link.run, receive)
            for byte in b"abc":
                await theirs.send_all(bytes([byte]))
                await wait_all_tasks_blocked()
            assert heard == [b"a"]
            link.wake()
            await wait_all_tasks_blocked()
            assert heard == [b"a", b"bc"]
            nursery.cancel_scope.cancel()

    async def test_waking_before_it_rests_counts(self) -> None:
        ours, theirs = memory_stream_pair()
        heard: list[bytes] = []
        async with trio.open_nursery() as nursery:
            link = StreamLink(ours, nursery)

            def receive(data: bytes) -> None:
                heard.append(data)
                link.rest()
                link.wake()

            nursery.start_soon(link.run, receive)
            for byte in b"ab":
                await theirs.send_all(bytes([byte]))
                await wait_all_tasks_blocked()
            assert heard == [b"a", b"b"]
            nursery.cancel_scope.cancel()

    @pytest.mark.parametrize("ending", ["end", "abort"])
    async def test_a_resting_reader_ends_with_its_connection(
        self, ending: str, autojump_clock: MockClock
    ) -> None:
        ours, theirs = memory_stream_pair()
        async with trio.open_nursery() as nursery:
            link = StreamLink(ours, nursery)

            def receive(_: bytes) -> None:
                link.rest()

            nursery.start_soon(link.run, receive)
            await theirs.send_all(b"a")
            await wait_all_tasks_blocked()
            if ending == "end":
                link.end()
            else:
                link.abort("for a test")
            with trio.fail_after(LINGER + 1):
                assert await read_all(theirs) == b""

    async def test_one_that_ends_in_what_it_receives_does_not_rest_afterwards(
        self, mock_clock: MockClock
    ) -> None:
        ours, theirs = memory_stream_pair()
        async with trio.open_nursery() as nursery:
            link = StreamLink(ours, nursery)

            def receive(_: bytes) -> None:
                link.end()
                link.rest()

            nursery.start_soon(link.run, receive)
            await theirs.send_all(b"a")
            # It is not the LINGER seconds that end it: the clock stands still.
            await theirs.aclose()


class TestPause:
    @pytest.mark.parametrize("resting", [False, True])
    async def test_reads_nothing_until_the_time_is_over(
        self, resting: bool, autojump_clock: MockClock
    ) -> None:
        ours, theirs = memory_stream_pair()
        heard: list[tuple[float, bytes]] = []
        begun = trio.current_time()
        async with trio.open_nursery() as nursery:
            link = StreamLink(ours, nursery)

            def receive(data: bytes) -> None:
                heard.append((trio.current_time() - begun, data))
                link.pause(3)
                if resting:
                    link.rest()

            nursery.start_soon(link.run, receive)
            for byte in b"abc":
                await theirs.send_all(bytes([byte]))
                await wait_all_tasks_blocked()
                link.wake()
            await trio.sleep(4)
            assert heard == [(0, b"a"), (3, b"bc")]
            nursery.cancel_scope.cancel()

    async def test_a_pause_from_outside_while_it_rests(self, autojump_clock: MockClock) -> None:
        ours, theirs = memory_stream_pair()
        heard: list[float] = []
        begun = trio.current_time()
        async with trio.open_nursery() as nursery:
            link = StreamLink(ours, nursery)
            link.rest()
            nursery.start_soon(link.run, lambda data: heard.append(trio.current_time() - begun))
            await theirs.send_all(b"a")
            await wait_all_tasks_blocked()
            link.pause(3)
            await trio.sleep(2)
            link.wake()
            await trio.sleep(2)
            assert heard == [3]
            nursery.cancel_scope.cancel()

    @pytest.mark.parametrize("ending", ["end", "abort"])
    async def test_ends_with_its_connection(self, ending: str, autojump_clock: MockClock) -> None:
        ours, theirs = memory_stream_pair()
        async with trio.open_nursery() as nursery:
            link = StreamLink(ours, nursery)
            nursery.start_soon(link.run, lambda data: link.pause(1000))
            await theirs.send_all(b"a")
            await wait_all_tasks_blocked()
            if ending == "end":
                link.end()
            else:
                link.abort("for a test")
            with trio.fail_after(LINGER + 1):
                assert await read_all(theirs) == b""


class TestOverTcp:
    """Real sockets: what depends on the kernel, and is the same however a link is read."""

    async def test_what_a_step_writes_leaves_at_once_and_in_one_piece(
        self, nursery: trio.Nursery, make_link: MakeLink
    ) -> None:
        async with tcp_pair() as (ours, theirs):
            link = make_link(ours, nursery)
            nursery.start_soon(link.run, Echo(link))
            await theirs.send_all(b"abcdef")
            with trio.fail_after(TIMEOUT):
                assert await theirs.receive_some(100) == b"abcdef"
            assert link.backlog == 0
            link.quick_ack()
            await theirs.aclose()
        await self.all_ended(nursery)
        assert link.why_lost is None
        link.quick_ack()

    async def test_catching_up_does_not_end_a_pause(
        self, nursery: trio.Nursery, make_link: MakeLink
    ) -> None:
        async with tcp_pair() as (ours, theirs):
            link = make_link(ours, nursery)
            heard = trio.Event()

            def receive(data: bytes) -> None:
                link.rest()
                link.pause(1000)
                heard.set()

            nursery.start_soon(link.run, receive)
            await theirs.send_all(b"a")
            await heard.wait()
            await theirs.send_all(b"b")
            await trio.lowlevel.wait_readable(link._socket)
            assert link.catch_up() == b""
            link.abort("for a test")
        await self.all_ended(nursery)

    async def test_catching_up_gives_what_came_while_it_rested(
        self, nursery: trio.Nursery, make_link: MakeLink
    ) -> None:
        heard, hear = trio.open_memory_channel[bytes](10)

        def receive(data: bytes) -> None:
            heard.send_nowait(data)
            link.rest()

        async with tcp_pair() as (ours, theirs):
            link = make_link(ours, nursery)
            nursery.start_soon(link.run, receive)
            with trio.fail_after(TIMEOUT):
                await theirs.send_all(b"a")
                assert await hear.receive() == b"a"
                await theirs.send_all(b"bc")
                await wait_all_tasks_blocked()
                assert link.catch_up() == b"bc"
                assert link.catch_up() == b""
                await theirs.send_all(b"d")
                assert await hear.receive() == b"d"
            link.wake()
            await theirs.aclose()
        await self.all_ended(nursery)

    async def test_a_backlog_arrives_whole_and_in_order_once_the_peer_reads(
        self, nursery: trio.Nursery, make_link: MakeLink
    ) -> None:
        async with tcp_pair() as (ours, theirs):
            link = make_link(ours, nursery)
            nursery.start_soon(link.run, ignore)
            written = fill(link, unsent=30_000)
            assert await receive_exactly(theirs, len(written)) == written
            assert link.backlog == 0
            link.write(b"at once again")
            link.flush()
            assert link.backlog == 0
            assert await receive_exactly(theirs, 13) == b"at once again"
            link.end()
            await theirs.aclose()
        await self.all_ended(nursery)

    async def test_a_backlog_arrives_before_the_end(
        self, nursery: trio.Nursery, make_link: MakeLink
    ) -> None:
        async with tcp_pair() as (ours, theirs):
            link = make_link(ours, nursery)
            nursery.start_soon(link.run, ignore)
            written = fill(link, unsent=30_000)
            link.end()
            assert await read_all(theirs) == written
            await theirs.aclose()
        await self.all_ended(nursery)
        assert link.why_lost is None

    async def test_too_far_behind_is_the_end(
        self, nursery: trio.Nursery, make_link: MakeLink
    ) -> None:
        async with tcp_pair() as (ours, theirs):
            link = make_link(ours, nursery)
            nursery.start_soon(link.run, ignore)
            fill(link, unsent=BACKLOG_LIMIT - 300)
            link.write(bytes(600))
            link.flush()
            assert link.ending
            assert link.why_lost is not None
            assert link.why_lost.startswith("too far behind: ")
            await self.all_ended(nursery)
            await theirs.aclose()

    async def test_an_end_without_a_backlog_is_heard_at_once(
        self, nursery: trio.Nursery, make_link: MakeLink
    ) -> None:
        async with tcp_pair() as (ours, theirs):
            link = make_link(ours, nursery)
            nursery.start_soon(link.run, ignore)
            link.write(b"bye")
            link.end()
            assert await read_all(theirs) == b"bye"
            await theirs.send_all(b"read and dropped, so that no reset overtakes the goodbye")
            await theirs.aclose()
        await self.all_ended(nursery)
        assert link.why_lost is None

    async def test_an_abort_closes_at_once(
        self, nursery: trio.Nursery, make_link: MakeLink
    ) -> None:
        async with tcp_pair() as (ours, theirs):
            link = make_link(ours, nursery)
            nursery.start_soon(link.run, ignore)
            fill(link, unsent=1000)
            link.abort("enough")
            await self.all_ended(nursery)
            assert link.why_lost == "enough"
            await theirs.aclose()

    @pytest.mark.parametrize("unsent", [0, 10_000])
    async def test_a_reset_ends_it_and_is_the_reason(
        self, unsent: int, nursery: trio.Nursery, make_link: MakeLink
    ) -> None:
        async with tcp_pair() as (ours, theirs):
            link = make_link(ours, nursery)
            nursery.start_soon(link.run, ignore)
            await wait_all_tasks_blocked()
            if unsent:
                fill(link, unsent)
            reset(theirs)
            await self.all_ended(nursery)
            assert link.why_lost is not None
            assert "failed" in link.why_lost

    async def test_writing_to_a_peer_that_is_gone_never_raises(
        self, nursery: trio.Nursery, make_link: MakeLink
    ) -> None:
        async with tcp_pair() as (ours, theirs):
            link = make_link(ours, nursery)
            reset(theirs)
            with trio.fail_after(TIMEOUT):
                while not link.ending:
                    link.write(b"x")
                    link.flush()
                    await trio.lowlevel.checkpoint()
            assert link.why_lost is not None
            await link.run(ignore)
            link.write(b"y")
            link.flush()
            link.end()

    async def test_one_that_was_closed_before_it_is_read(
        self, nursery: trio.Nursery, make_link: MakeLink
    ) -> None:
        async with tcp_pair() as (ours, _theirs):
            link = make_link(ours, nursery)
            link.close()
            await link.run(ignore)
            assert link.why_lost is None

    async def test_closed_in_the_middle_of_what_it_receives(
        self, nursery: trio.Nursery, make_link: MakeLink
    ) -> None:
        async with tcp_pair() as (ours, theirs):
            link = make_link(ours, nursery)
            await theirs.send_all(b"x")
            with trio.fail_after(TIMEOUT):
                await link.run(lambda data: link.close())
            assert link.why_lost is None
            assert await read_all(theirs) == b""

    async def test_a_writer_that_has_not_begun_when_the_reader_ends_does_nothing(
        self, nursery: trio.Nursery, make_link: MakeLink
    ) -> None:
        async with tcp_pair() as (ours, _theirs):
            link = make_link(ours, nursery)
            fill(link, unsent=1000)
            link.close()
            await self.all_ended(nursery)
            assert link.why_lost is not None
            assert "bytes unsent" in link.why_lost

    async def test_a_connection_that_was_reset_before_it_was_served(
        self, nursery: trio.Nursery, make_link: MakeLink
    ) -> None:
        async with tcp_pair() as (ours, theirs):
            reset(theirs)
            link = make_link(ours, nursery)
            with trio.fail_after(TIMEOUT):
                await link.run(ignore)
            assert link.why_lost is not None

    async def test_the_link_owns_the_socket(
        self, nursery: trio.Nursery, make_link: MakeLink
    ) -> None:
        async with tcp_pair() as (ours, theirs):
            link = make_link(ours, nursery)
            await ours.aclose()
            nursery.start_soon(link.run, Echo(link))
            await theirs.send_all(b"still open")
            assert await receive_exactly(theirs, 10) == b"still open"
            await theirs.aclose()
        await self.all_ended(nursery)

    async def all_ended(self, nursery: trio.Nursery) -> None:
        """Wait until neither reader nor writer is left."""
        with trio.fail_after(TIMEOUT):
            while nursery.child_tasks:
                await wait_all_tasks_blocked(0.001)


def reset(stream: trio.SocketStream) -> None:
    """End a connection as a crashing peer does."""
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    stream.socket.close()


class TestListening:
    async def test_a_free_port_is_the_same_on_every_address(self) -> None:
        listeners = await open_listeners("localhost", 0)
        ports = {listener.socket.getsockname()[1] for listener in listeners}
        for listener in listeners:
            await listener.aclose()
        assert len(ports) == 1
        assert 0 not in ports

    async def test_an_address_as_people_write_it(self) -> None:
        (listener,) = await open_listeners("127.0.0.1", 0)
        async with listener:
            port = listener.socket.getsockname()[1]
            assert address_text(listener) == f"127.0.0.1:{port}"

    async def test_an_ipv6_address_has_brackets(self) -> None:
        try:
            (listener,) = await open_listeners("::1", 0)
        except OSError as error:
            pytest.skip(f"no IPv6 here: {error}")
        async with listener:
            port = listener.socket.getsockname()[1]
            assert address_text(listener) == f"[::1]:{port}"

    async def test_a_port_in_use_is_an_oserror(self) -> None:
        (listener,) = await open_listeners("127.0.0.1", 0)
        async with listener:
            with pytest.raises(OSError, match=r".") as caught:
                await open_listeners("127.0.0.1", listener.socket.getsockname()[1])
        assert caught.value.errno == errno.EADDRINUSE

    async def test_the_peers_address_is_without_its_port(self) -> None:
        (listener,) = await open_listeners("127.0.0.1", 0)
        assert await served_address(listener, socket.AF_INET) == "127.0.0.1"

    async def test_an_ipv4_peer_of_an_ipv6_socket_has_its_ipv4_address(self) -> None:
        try:
            listening = trio.socket.socket(socket.AF_INET6)
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            await listening.bind(("::", 0))
        except OSError as error:
            pytest.skip(f"no IPv6 here: {error}")
        listening.listen()
        assert await served_address(trio.SocketListener(listening), socket.AF_INET) == "127.0.0.1"

    async def test_a_peer_at_a_unix_socket_has_none(self, tmp_path: Path) -> None:
        listener = open_private_listener(tmp_path / "socket")
        assert await served_address(listener, socket.AF_UNIX) == ""


async def served_address(listener: trio.SocketListener, family: int) -> str:
    """What a connection is served with that comes to this listener."""
    found: list[str] = []
    name = listener.socket.getsockname()
    where = name if family == socket.AF_UNIX else ("127.0.0.1", name[1])
    async with listener, trio.open_nursery() as nursery:

        async def serve(stream: trio.SocketStream, address: str) -> None:
            found.append(address)
            nursery.cancel_scope.cancel()

        nursery.start_soon(accept_connections, [listener], lambda address: True, serve, nursery)
        with socket.socket(family) as client, trio.fail_after(TIMEOUT):
            client.connect(where)
            await trio.sleep_forever()
    return found[0]
