"""The connection and its outbox over real sockets, read in its own task and by a pump."""

from __future__ import annotations

import socket
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from hearts.net import Link, Pump, SocketLink, open_listeners
from hearts.net.link import BACKLOG_LIMIT

from .link_ends import TIMEOUT, Echo, ignore, read_all, receive_exactly


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
