"""The connection and its outbox over memory streams, in virtual time."""

from __future__ import annotations

from typing import Any

import pytest
import trio
from trio.testing import MockClock, lockstep_stream_pair, memory_stream_pair, wait_all_tasks_blocked

from hearts.net.link import BACKLOG_LIMIT, LINGER

from .link_ends import Echo, Ends, ignore, read_all, receive_exactly
from .stream_link import StreamLink


class MemoryLink(Ends[StreamLink, Any]):
    """A connection over memory."""

    async def send(self, data: bytes) -> None:
        """Send byte by byte, and let everything happen that follows."""
        for byte in data:
            await self.theirs.send_all(bytes([byte]))
            await wait_all_tasks_blocked()


@pytest.fixture
def ends(nursery: trio.Nursery) -> MemoryLink:
    ours, theirs = memory_stream_pair()
    return MemoryLink(StreamLink(ours, nursery), theirs, nursery)


@pytest.fixture
def slow(nursery: trio.Nursery) -> MemoryLink:
    """The other end takes only what it waits for."""
    ours, theirs = lockstep_stream_pair()
    return MemoryLink(StreamLink(ours, nursery), theirs, nursery)


class TestTheEnd:
    async def test_an_ended_link_lingers_and_then_closes(
        self, ends: MemoryLink, autojump_clock: MockClock
    ) -> None:
        began = trio.current_time()
        ends.link.write(b"bye")
        ends.link.end()
        ends.run(ignore)
        assert await read_all(ends.theirs) == b"bye"
        assert trio.current_time() == began
        await ends.theirs.send_all(b"still read, and dropped")
        await trio.sleep(LINGER - 0.1)
        assert ends.tasks == 1
        await trio.sleep(0.2)
        assert ends.tasks == 0
        assert ends.link.why_lost is None

    async def test_an_ended_link_closes_as_soon_as_the_peer_does(
        self, ends: MemoryLink, autojump_clock: MockClock
    ) -> None:
        began = trio.current_time()
        ends.link.end()
        await ends.theirs.aclose()
        await ends.link.run(ignore)
        assert trio.current_time() == began

    async def test_nothing_is_heard_or_said_after_the_end(self, ends: MemoryLink) -> None:
        link, theirs = ends.link, ends.theirs
        echo = Echo(link)
        ends.run(echo)
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

    async def test_it_waits_no_longer_for_a_peer_that_does_not_read(
        self, slow: MemoryLink, autojump_clock: MockClock
    ) -> None:
        slow.link.write(b"x" * 1000)
        began = trio.current_time()
        slow.link.end()
        await slow.link.run(ignore)
        assert trio.current_time() - began == pytest.approx(LINGER)
        assert slow.link.why_lost == "closed with 1000 bytes unsent"
        await wait_all_tasks_blocked()
        assert slow.tasks == 0

    async def test_too_far_behind_is_the_end(self, slow: MemoryLink) -> None:
        link = slow.link
        slow.run(ignore)
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
        assert slow.tasks == 0

    async def test_an_abort_ends_at_once_and_the_first_reason_stays(
        self, slow: MemoryLink, autojump_clock: MockClock
    ) -> None:
        slow.run(ignore)
        slow.link.write(b"lost")
        slow.link.flush()
        await wait_all_tasks_blocked()
        began = trio.current_time()
        slow.link.abort("first")
        slow.link.abort("second")
        await wait_all_tasks_blocked()
        assert slow.tasks == 0
        assert trio.current_time() == began
        assert slow.link.why_lost == "first"
        with pytest.raises(trio.BrokenResourceError):
            await slow.theirs.send_all(b"nobody is there")

    async def test_what_was_never_flushed_is_no_failure_after_the_end(
        self, ends: MemoryLink
    ) -> None:
        ends.link.write(b"forgotten")
        await ends.theirs.aclose()
        await ends.link.run(ignore)
        ends.link.flush()
        assert ends.link.backlog == 0
        assert ends.link.why_lost is None

    async def test_an_error_of_the_receiver_closes_the_connection_and_is_told(
        self, ends: MemoryLink
    ) -> None:
        def fail(data: bytes) -> None:
            raise RuntimeError("a bug")

        await ends.theirs.send_all(b"x")
        with pytest.raises(RuntimeError, match="a bug"):
            await ends.link.run(fail)
        assert await read_all(ends.theirs) == b""

    async def test_a_cancelled_reader_closes_the_connection(
        self, ends: MemoryLink, autojump_clock: MockClock
    ) -> None:
        with trio.move_on_after(5) as scope:
            await ends.link.run(ignore)
        assert scope.cancelled_caught
        assert await read_all(ends.theirs) == b""

    @pytest.mark.parametrize("ending", ["end", "abort"])
    @pytest.mark.parametrize("waits", ["rests", "pauses"])
    async def test_who_rests_or_pauses_ends_with_its_connection(
        self, ending: str, waits: str, ends: MemoryLink, autojump_clock: MockClock
    ) -> None:
        link = ends.link
        ends.run(lambda data: link.rest() if waits == "rests" else link.pause(1000))
        await ends.send(b"a")
        if ending == "end":
            link.end()
        else:
            link.abort("for a test")
        with trio.fail_after(LINGER + 1):
            assert await read_all(ends.theirs) == b""


class TestRest:
    async def test_one_that_ends_in_what_it_receives_does_not_rest_afterwards(
        self, ends: MemoryLink, autojump_clock: MockClock
    ) -> None:
        def receive(_: bytes) -> None:
            ends.link.end()
            ends.link.rest()

        await ends.theirs.send_all(b"a")
        await ends.theirs.aclose()
        began = trio.current_time()
        await ends.link.run(receive)
        assert trio.current_time() == began, "it is not the LINGER seconds that end it"
