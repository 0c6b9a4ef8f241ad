"""The connection and its outbox over memory streams, in virtual time."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock, lockstep_stream_pair, memory_stream_pair, wait_all_tasks_blocked

from hearts.net.link import BACKLOG_LIMIT, LINGER

from .link_ends import Echo, ignore, read_all, receive_exactly
from .stream_link import StreamLink


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
