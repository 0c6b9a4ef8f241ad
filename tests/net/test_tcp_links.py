"""The connection and its outbox over real sockets, read in its own task and by a pump."""

from __future__ import annotations

import socket
import struct
from collections.abc import AsyncIterator, Callable

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from hearts.net import Link, Pump, SocketLink

from .link_ends import TIMEOUT, Echo, Ends, fill, ignore, read_all, receive_exactly, tcp_pair

MakeLink = Callable[[trio.SocketStream, trio.Nursery], Link]


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


Connection = Ends[Link, trio.SocketStream]


@pytest.fixture
async def tcp(nursery: trio.Nursery, make_link: MakeLink) -> AsyncIterator[Connection]:
    async with tcp_pair() as (ours, theirs):
        made = Ends(make_link(ours, nursery), theirs, nursery)
        yield made
        await theirs.aclose()
        made.link.close()
        await made.all_ended()


async def test_what_a_step_writes_leaves_at_once_and_in_one_piece(tcp: Connection) -> None:
    tcp.run(Echo(tcp.link))
    await tcp.theirs.send_all(b"abcdef")
    with trio.fail_after(TIMEOUT):
        assert await tcp.theirs.receive_some(100) == b"abcdef"
    assert tcp.link.backlog == 0
    tcp.link.quick_ack()
    await tcp.theirs.aclose()
    await tcp.all_ended()
    assert tcp.link.why_lost is None
    tcp.link.quick_ack()


async def test_a_backlog_arrives_whole_and_in_order_once_the_peer_reads(tcp: Connection) -> None:
    tcp.run(ignore)
    written = fill(tcp.link, unsent=30_000)
    assert await receive_exactly(tcp.theirs, len(written)) == written
    assert tcp.link.backlog == 0
    tcp.link.write(b"at once again")
    tcp.link.flush()
    assert tcp.link.backlog == 0
    assert await receive_exactly(tcp.theirs, 13) == b"at once again"


@pytest.mark.parametrize("unsent", [0, 30_000])
async def test_all_that_was_written_arrives_before_the_end(unsent: int, tcp: Connection) -> None:
    tcp.run(ignore)
    written = fill(tcp.link, unsent)
    tcp.link.write(b"bye")
    tcp.link.end()
    assert await read_all(tcp.theirs) == written + b"bye"
    await tcp.theirs.send_all(b"read and dropped, so that no reset overtakes the goodbye")
    await tcp.theirs.aclose()
    await tcp.all_ended()
    assert tcp.link.why_lost is None


async def test_an_abort_closes_at_once(tcp: Connection) -> None:
    tcp.run(ignore)
    fill(tcp.link, unsent=1000)
    tcp.link.abort("enough")
    await tcp.all_ended()
    assert tcp.link.why_lost == "enough"


@pytest.mark.parametrize("unsent", [0, 10_000])
async def test_a_reset_ends_it_and_is_the_reason(unsent: int, tcp: Connection) -> None:
    tcp.run(ignore)
    await wait_all_tasks_blocked()
    fill(tcp.link, unsent)
    reset(tcp.theirs)
    await tcp.all_ended()
    assert tcp.link.why_lost is not None
    assert "failed" in tcp.link.why_lost


async def test_writing_to_a_peer_that_is_gone_never_raises(tcp: Connection) -> None:
    link = tcp.link
    reset(tcp.theirs)
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


async def test_one_that_was_closed_before_it_is_read(tcp: Connection) -> None:
    tcp.link.close()
    await tcp.link.run(ignore)
    assert tcp.link.why_lost is None


async def test_closed_in_the_middle_of_what_it_receives(tcp: Connection) -> None:
    await tcp.theirs.send_all(b"x")
    with trio.fail_after(TIMEOUT):
        await tcp.link.run(lambda data: tcp.link.close())
    assert tcp.link.why_lost is None
    assert await read_all(tcp.theirs) == b""


async def test_a_writer_that_has_not_begun_when_the_reader_ends_does_nothing(
    tcp: Connection,
) -> None:
    fill(tcp.link, unsent=1000)
    tcp.link.close()
    await tcp.all_ended()
    assert tcp.link.why_lost is not None
    assert "bytes unsent" in tcp.link.why_lost


async def test_a_connection_that_was_reset_before_it_was_served(
    nursery: trio.Nursery, make_link: MakeLink
) -> None:
    async with tcp_pair() as (ours, theirs):
        reset(theirs)
        link = make_link(ours, nursery)
        with trio.fail_after(TIMEOUT):
            await link.run(ignore)
        assert link.why_lost is not None


async def test_the_link_owns_the_socket(nursery: trio.Nursery, make_link: MakeLink) -> None:
    async with tcp_pair() as (ours, theirs):
        link = make_link(ours, nursery)
        await ours.aclose()
        nursery.start_soon(link.run, Echo(link))
        await theirs.send_all(b"still open")
        assert await receive_exactly(theirs, 10) == b"still open"


def reset(stream: trio.SocketStream) -> None:
    """End a connection as a crashing peer does."""
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    stream.socket.close()
