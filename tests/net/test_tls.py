"""Connections with TLS over real sockets."""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import AsyncIterator

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from hearts.net import TlsLink, client_tls
from hearts.net.link import BACKLOG_LIMIT, LINGER
from hearts.net.tls import HANDSHAKE_LIMIT

from .link_ends import TIMEOUT, Ends, fill, ignore, read_all, receive_exactly, tcp_pair
from .tls_peers import FILES, HOST, context, echo

_ALERT = b"\x15\x03"


def trusting(name: str = "house") -> ssl.SSLContext:
    return client_tls(FILES / f"{name}.pem", insecure=False)


Tls = Ends[TlsLink, trio.SSLStream[trio.SocketStream]]
Plain = Ends[TlsLink, trio.SocketStream]


@pytest.fixture
async def plain(nursery: trio.Nursery) -> AsyncIterator[Plain]:
    """A link with TLS, which nobody reads yet, and the socket of its client."""
    async with tcp_pair() as (ours, theirs):
        made = Ends(TlsLink(ours, nursery, context()), theirs, nursery)
        yield made
        made.link.close()


@pytest.fixture
async def tls(plain: Plain, nursery: trio.Nursery) -> AsyncIterator[Tls]:
    """The same, and the client's stream before the handshake."""
    async with trio.SSLStream(plain.theirs, trusting(), server_hostname=HOST) as stream:
        yield Ends(plain.link, stream, nursery)


class TestLink:
    async def test_what_each_side_says_arrives(self, tls: Tls) -> None:
        link, stream = tls.link, tls.theirs
        tls.run(echo(link))
        await stream.send_all(b"abc")
        assert await receive_exactly(stream, 3) == b"abc"
        assert link.backlog == 0
        assert stream.version() == "TLSv1.3"
        link.quick_ack()
        await stream.send_all(b"x" * 20_000)
        assert await receive_exactly(stream, 20_000) == b"x" * 20_000
        await stream.aclose()
        await tls.all_ended()
        assert link.why_lost is None

    async def test_nothing_is_readable_on_the_way(self, plain: Plain) -> None:
        link, theirs = plain.link, plain.theirs
        plain.run(echo(link))
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        client = trusting().wrap_bio(incoming, outgoing, server_hostname=HOST)
        seen = bytearray()
        heard = b""
        asked = False
        with trio.fail_after(TIMEOUT):
            while heard != b"queen of spades":
                try:
                    client.do_handshake()
                    if not asked:
                        client.write(b"queen of spades")
                        asked = True
                    heard += client.read(100)
                except ssl.SSLWantReadError:
                    await theirs.send_all(outgoing.read())
                    piece = bytes(await theirs.receive_some())
                    seen += piece
                    incoming.write(piece)
        assert b"queen" not in seen
        link.close()

    async def test_what_is_written_before_the_handshake_waits_for_it(self, tls: Tls) -> None:
        link, stream = tls.link, tls.theirs
        link.write(b"player ")
        link.flush()
        link.write(b"0")
        link.flush()
        tls.run(ignore)
        assert await receive_exactly(stream, 8) == b"player 0"

    async def test_reading_by_hand_before_the_reader_runs(self, tls: Tls) -> None:
        link, stream = tls.link, tls.theirs
        with trio.fail_after(TIMEOUT):
            async with trio.open_nursery() as sending:
                sending.start_soon(stream.send_all, b"name")
                assert await link.read() == b"name"
        tls.run(echo(link))
        await stream.send_all(b"card")
        assert await receive_exactly(stream, 4) == b"card"

    async def test_a_backlog_arrives_whole_and_before_the_end(self, tls: Tls) -> None:
        link, stream = tls.link, tls.theirs
        tls.run(ignore)
        await stream.do_handshake()
        await wait_all_tasks_blocked()
        written = fill(link, unsent=30_000)
        link.end()
        assert await read_all(stream) == written
        await stream.aclose()
        await tls.all_ended()
        assert link.why_lost is None

    async def test_an_end_is_said_at_once_and_in_tls(self, tls: Tls) -> None:
        link, stream = tls.link, tls.theirs
        tls.run(echo(link))
        await stream.send_all(b"x")
        assert await receive_exactly(stream, 1) == b"x"
        link.write(b"bye")
        link.end()
        assert await read_all(stream) == b"bye"
        await stream.aclose()
        await tls.all_ended()
        assert link.why_lost is None

    async def test_an_end_before_the_handshake_comes_after_it(self, tls: Tls) -> None:
        link, stream = tls.link, tls.theirs
        link.write(b"refused")
        link.end()
        tls.run(ignore)
        assert await read_all(stream) == b"refused"
        await stream.aclose()
        await tls.all_ended()
        assert link.why_lost is None

    async def test_an_end_waits_no_longer_than_ever_for_a_handshake(
        self, autojump_clock: MockClock, plain: Plain
    ) -> None:
        link, theirs = plain.link, plain.theirs
        link.end()
        began = trio.current_time()
        await link.run(ignore)
        assert trio.current_time() - began == pytest.approx(LINGER)
        await theirs.aclose()

    async def test_too_far_behind_is_the_end(self, tls: Tls) -> None:
        link, stream = tls.link, tls.theirs
        tls.run(ignore)
        await stream.do_handshake()
        await wait_all_tasks_blocked()
        for _ in range(10):
            link.write(bytes(BACKLOG_LIMIT // 8))
            link.flush()
        while not link.ending:
            link.write(bytes(1000))
            link.flush()
        assert link.why_lost is not None
        assert link.why_lost.startswith("too far behind: ")
        await tls.all_ended()

    async def test_catching_up_gives_what_came_while_it_rested(self, tls: Tls) -> None:
        heard, come = trio.open_memory_channel[bytes](10)
        link, stream = tls.link, tls.theirs

        def receive(data: bytes) -> None:
            heard.send_nowait(data)
            link.rest()

        tls.run(receive)
        await stream.send_all(b"a")
        with trio.fail_after(TIMEOUT):
            assert await come.receive() == b"a"
            await stream.send_all(b"bc")
            await wait_all_tasks_blocked()
            assert come.statistics().current_buffer_used == 0
            assert link.catch_up() == b"bc"
            assert link.catch_up() == b""
            await stream.send_all(b"d")
            assert await come.receive() == b"d"
        link.wake()

    async def test_a_client_that_ends_while_it_rests_is_noticed(self, tls: Tls) -> None:
        link, stream = tls.link, tls.theirs

        def receive(_: bytes) -> None:
            link.rest()

        tls.run(receive)
        await stream.send_all(b"a")
        await wait_all_tasks_blocked()
        await stream.aclose()
        await wait_all_tasks_blocked()
        assert link.catch_up() == b""
        await tls.all_ended()
        assert link.why_lost is None

    async def test_a_connection_that_just_ends_is_no_failure(self, plain: Plain) -> None:
        link, theirs = plain.link, plain.theirs
        plain.run(ignore)
        await trio.SSLStream(theirs, trusting(), server_hostname=HOST).do_handshake()
        await theirs.aclose()
        await plain.all_ended()
        assert link.why_lost is None

    async def test_bytes_that_somebody_changed_end_it(self, tls: Tls) -> None:
        link, stream = tls.link, tls.theirs
        tls.run(ignore)
        await stream.do_handshake()
        await stream.transport_stream.send_all(b"\x17\x03\x03\x00\x20" + bytes(32))
        await tls.all_ended()
        assert link.why_lost is not None
        assert "record" in link.why_lost.lower()


class TestHandshake:
    async def test_one_that_stalls_ends_at_its_deadline(
        self, autojump_clock: MockClock, plain: Plain
    ) -> None:
        link, theirs = plain.link, plain.theirs
        began = trio.current_time()
        plain.run(ignore)
        assert (await read_all(theirs)).startswith(_ALERT)
        assert trio.current_time() - began == pytest.approx(HANDSHAKE_LIMIT)
        assert link.why_lost == "no TLS handshake within 10 s"

    async def test_one_that_drips_has_no_longer(
        self, autojump_clock: MockClock, plain: Plain
    ) -> None:
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        client = trusting().wrap_bio(incoming, outgoing, server_hostname=HOST)
        with pytest.raises(ssl.SSLWantReadError):
            client.do_handshake()
        hello = outgoing.read()
        link, theirs = plain.link, plain.theirs
        plain.run(ignore)
        for byte in hello[: int(HANDSHAKE_LIMIT) - 1]:
            await theirs.send_all(bytes([byte]))
            await trio.sleep(1)
        assert not link.ending
        await trio.sleep(2)
        assert link.ending

    @pytest.mark.parametrize(
        ("garbage", "why"),
        [
            (bytes(16), "wrong version number"),
            (b"GET / HTTP/1.1\r\n\r\n", "http request"),
            (b"\x16\x03\x01\x00\x05hello", "unexpected message"),
            (b"\x16\x03\x01\xff\xff" + bytes(70_000), ""),
        ],
    )
    async def test_garbage_is_answered_with_an_alert(
        self, garbage: bytes, why: str, plain: Plain, nursery: trio.Nursery
    ) -> None:
        link, theirs = plain.link, plain.theirs
        plain.run(ignore)
        nursery.start_soon(send_what_is_taken, theirs, garbage)
        if len(garbage) < 100:
            assert (await read_all(theirs)).startswith(_ALERT)
        await plain.all_ended()
        assert link.why_lost is not None
        assert link.why_lost.startswith(f"no TLS handshake: {why}")

    async def test_a_client_that_hangs_up(self, plain: Plain) -> None:
        link, theirs = plain.link, plain.theirs
        plain.run(ignore)
        await theirs.aclose()
        await plain.all_ended()
        assert link.why_lost == "ended in the TLS handshake"

    async def test_old_versions_are_refused(self, plain: Plain) -> None:
        link, theirs = plain.link, plain.theirs
        plain.run(ignore)
        # A hello of TLS 1.1: version 3.2, 32 bytes by chance, no session, one cipher suite.
        hello = b"\x03\x02" + bytes(32) + b"\x00" + b"\x00\x02\xc0\x13" + b"\x01\x00"
        message = b"\x01" + len(hello).to_bytes(3, "big") + hello
        await theirs.send_all(b"\x16\x03\x01" + len(message).to_bytes(2, "big") + message)
        assert (await read_all(theirs)).startswith(_ALERT)
        assert link.why_lost == "no TLS handshake: unsupported protocol"


async def send_what_is_taken(stream: trio.SocketStream, data: bytes) -> None:
    with contextlib.suppress(trio.BrokenResourceError):
        await stream.send_all(data)
