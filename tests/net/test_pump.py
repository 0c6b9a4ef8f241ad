"""The pump over real sockets: slices, errors, descriptors, ends, rest and pauses.

What a link promises however it is read is in test_net.py.
"""

from __future__ import annotations

import errno
import select
import socket
import struct
from collections.abc import AsyncIterator, Callable

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from hearts.net import Pump, SocketLink
from hearts.net.link import LINGER, RECEIVE_BYTES
from hearts.net.pump import READS_IN_A_PASS, PumpedLink

pytestmark = pytest.mark.skipif(not hasattr(select, "epoll"), reason="no epoll here")

RESET = struct.pack("ii", 1, 0)


class Peer:
    """Our link and the other end of its connection; what arrives is kept."""

    def __init__(self, house: House, pair: tuple[socket.socket, socket.socket]) -> None:
        ours, self.sock = pair
        self.sock.setblocking(False)
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(ours))
        self.link = house.pump.link(stream, house.nursery)
        assert isinstance(self.link, PumpedLink)
        self.heard: list[bytes] = []
        self.then: Callable[[bytes], None] = lambda data: None
        """What is done with bytes besides."""
        self.over = trio.Event()
        self.error: Exception | None = None

    def send(self, data: bytes) -> None:
        """Send at once, and all of it."""
        assert self.sock.send(data) == len(data)

    def receive(self, data: bytes) -> None:
        self.heard.append(data)
        self.then(data)

    async def run(self) -> None:
        try:
            await self.link.run(self.receive)
        except (OSError, RuntimeError) as error:
            self.error = error
        self.over.set()

    @property
    def is_over(self) -> bool:
        return self.over.is_set()

    @property
    def whole(self) -> bytes:
        return b"".join(self.heard)


class House:
    """A pump, and links that it reads."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self.nursery = nursery
        self.pump = Pump()
        self.pumping = trio.CancelScope()
        self._sockets: list[socket.socket] = []

    def connect(self, pair: tuple[socket.socket, socket.socket] | None = None) -> Peer:
        """A connection that nobody reads yet; what is sent over it has arrived at once."""
        peer = Peer(self, pair or socket.socketpair())
        self._sockets.append(peer.sock)
        return peer

    def run(self, peer: Peer) -> Peer:
        self.nursery.start_soon(peer.run)
        return peer

    def meet(self) -> Peer:
        """A connection that the pump reads."""
        return self.run(self.connect())

    async def pump_all(self) -> None:
        with self.pumping:
            await self.pump.run()

    def close(self) -> None:
        for sock in self._sockets:
            sock.close()


@pytest.fixture
async def house(nursery: trio.Nursery) -> AsyncIterator[House]:
    made = House(nursery)
    nursery.start_soon(made.pump_all)
    yield made
    made.close()


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


class Passes(trio.abc.Instrument):
    """Counts passes of the event loop, and the steps of tasks."""

    def __init__(self) -> None:
        self.count = 0
        self.steps: dict[str, int] = {}

    def before_io_wait(self, timeout: float) -> None:
        self.count += 1

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        self.steps[task.name] = self.steps.get(task.name, 0) + 1


@pytest.fixture
async def passes() -> AsyncIterator[Passes]:
    counting = Passes()
    trio.lowlevel.add_instrument(counting)
    yield counting
    trio.lowlevel.remove_instrument(counting)


class TestReading:
    async def test_the_task_of_a_link_sleeps_from_its_first_byte_to_its_last(
        self, house: House, passes: Passes
    ) -> None:
        peer = house.meet()
        for number in range(20):
            peer.send(bytes([number]))
            await wait_all_tasks_blocked()
        (name,) = (name for name in passes.steps if "Peer.run" in name)
        assert passes.steps[name] == 1
        peer.sock.close()
        await wait_all_tasks_blocked()
        assert passes.steps[name] == 2
        assert peer.whole == bytes(range(20))
        assert peer.is_over
        assert peer.link.why_lost is None

    async def test_what_came_before_the_link_runs_is_heard(self, house: House) -> None:
        peer = house.connect()
        peer.send(b"read while registering")
        assert await peer.link.read() == b"read while registering"
        peer.send(b"early")
        house.run(peer)
        await wait_all_tasks_blocked()
        assert peer.heard == [b"early"]

    async def test_a_flood_is_read_in_slices_and_others_between_them(self, house: House) -> None:
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
        other.send(b"x")
        await wait_all_tasks_blocked()
        assert order.index("other") <= 1
        assert order.count("flood") == 3

    async def test_only_so_many_are_read_in_a_pass_and_nobody_is_forgotten(
        self, house: House, passes: Passes
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

    async def test_bytes_behind_urgent_ones_are_heard(self, house: House) -> None:
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
        self, house: House, monkeypatch: pytest.MonkeyPatch
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
        self, error: Exception, house: House
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

    async def test_an_error_after_an_abort_is_told_as_well(self, house: House) -> None:
        peer = house.meet()

        def fail(data: bytes) -> None:
            peer.link.abort("enough")
            raise RuntimeError("a bug")

        peer.then = fail
        peer.send(b"x")
        await wait_all_tasks_blocked()
        assert str(peer.error) == "a bug"
        assert peer.link.why_lost == "enough"

    async def test_a_reset_ends_its_connection_and_no_other(self, house: House) -> None:
        lost, other = (house.run(house.connect(tcp())) for _ in range(2))
        lost.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        lost.sock.close()
        await until(lambda: lost.is_over)
        assert "receiving failed" in str(lost.link.why_lost)
        other.send(b"x")
        await until(lambda: other.whole)
        assert not other.is_over

    async def test_the_end_of_the_pump_ends_its_links_and_it_takes_no_more(
        self, house: House
    ) -> None:
        peer, late = house.meet(), house.connect()
        await wait_all_tasks_blocked()
        house.pumping.cancel()
        await wait_all_tasks_blocked()
        assert peer.is_over
        assert peer.link.why_lost == "nobody reads any more"
        peer.link.wake()
        await late.run()
        assert late.link.why_lost is not None
        assert late.link.ending


class TestDescriptors:
    @pytest.mark.parametrize("how", ["end", "abort", "close"])
    async def test_a_link_ends_another_whose_event_is_in_hand(self, how: str, house: House) -> None:
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
        first.send(b"y")
        await wait_all_tasks_blocked()
        assert first.whole == b"xy"

    async def test_a_descriptor_that_is_used_again_in_the_same_pass(self, house: House) -> None:
        pair = [house.meet() for _ in range(2)]
        await wait_all_tasks_blocked()
        descriptors = {peer: peer.link._socket.fileno() for peer in pair}
        fresh: list[Peer] = []

        def replace(data: bytes) -> None:
            (other,) = (peer for peer in pair if not peer.heard)
            other.link.close()
            fresh.append(house.connect())
            assert fresh[0].link._socket.fileno() == descriptors[other]
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
        fresh[0].send(fresh_sent)
        await wait_all_tasks_blocked()
        assert fresh[0].heard == [fresh_sent]

    async def test_a_thousand_connections_one_after_the_other(self, house: House) -> None:
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
        house: House,
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
        self, house: House, autojump_clock: MockClock
    ) -> None:
        peer = house.meet()
        peer.then = lambda data: peer.link.end()
        peer.send(bytes(3 * RECEIVE_BYTES))
        await wait_all_tasks_blocked()
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
        self, house: House, autojump_clock: MockClock
    ) -> None:
        peer = house.meet()
        await wait_all_tasks_blocked()
        peer.link.end()
        began = trio.current_time()
        await peer.over.wait()
        assert trio.current_time() == began + LINGER

    async def test_a_resting_link_notices_at_once_that_its_peer_is_gone(self, house: House) -> None:
        peer = house.meet()
        peer.then = lambda data: peer.link.rest()
        peer.send(b"a")
        await wait_all_tasks_blocked()
        peer.send(b"b" * 2 * RECEIVE_BYTES)
        await wait_all_tasks_blocked()
        assert peer.heard == [b"a"]
        peer.sock.close()
        await wait_all_tasks_blocked()
        assert peer.whole == b"a" + b"b" * 2 * RECEIVE_BYTES
        assert peer.is_over


class TestRest:
    async def test_what_came_while_it_rested_is_read_on_waking(self, house: House) -> None:
        peer = house.meet()
        peer.then = lambda data: peer.link.rest()
        for byte in b"abc":
            peer.send(bytes([byte]))
            await wait_all_tasks_blocked()
        assert peer.heard == [b"a"]
        peer.link.wake()
        await wait_all_tasks_blocked()
        assert peer.heard == [b"a", b"bc"]
        peer.link.wake()
        peer.send(b"d")
        await wait_all_tasks_blocked()
        assert peer.heard == [b"a", b"bc", b"d"]

    async def test_more_than_a_slice_of_it_is_read_on(self, house: House) -> None:
        peer = house.meet()
        peer.link.rest()
        await wait_all_tasks_blocked()
        peer.send(bytes(2 * RECEIVE_BYTES + 1))
        await wait_all_tasks_blocked()
        assert peer.heard == []
        assert peer.link.catch_up() == bytes(RECEIVE_BYTES)
        assert peer.link.catch_up() == b""
        await wait_all_tasks_blocked()
        assert peer.heard == [bytes(RECEIVE_BYTES), bytes(1)]

    async def test_with_nothing_there_catching_up_asks_nobody(self, house: House) -> None:
        peer = house.meet()
        await wait_all_tasks_blocked()
        peer.link.rest()
        assert peer.link.catch_up() == b""
        peer.send(b"x")
        await wait_all_tasks_blocked()
        assert peer.heard == [b"x"]

    async def test_catching_up_finds_the_end(self, house: House) -> None:
        peer = house.meet()
        peer.then = lambda data: peer.link.rest()
        peer.send(b"a")
        await wait_all_tasks_blocked()
        peer.send(b"b")
        await wait_all_tasks_blocked()
        peer.sock.close()
        assert peer.link.catch_up() == b"b"
        await wait_all_tasks_blocked()
        assert peer.is_over
        assert peer.link.catch_up() == b""


class TestPause:
    async def test_reads_nothing_until_time_is_over_and_its_turn_has_come(
        self, house: House, autojump_clock: MockClock
    ) -> None:
        peer, other = house.meet(), house.meet()
        turn = trio.Event()

        def pause(data: bytes) -> None:
            if len(peer.heard) == 1:
                peer.link.pause(3, turn.wait)

        peer.then = pause
        for byte in b"abc":
            peer.send(bytes([byte]))
            other.send(bytes([byte]))
            await wait_all_tasks_blocked()
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
        peer.send(b"d")
        await wait_all_tasks_blocked()
        assert peer.whole == b"abcd"

    async def test_a_flood_is_read_on_after_it(
        self, house: House, autojump_clock: MockClock
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
        self, house: House, autojump_clock: MockClock
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
        self, how: str, house: House, autojump_clock: MockClock
    ) -> None:
        peer = house.meet()
        peer.then = lambda data: None if data == b"b" else peer.link.pause(1000)
        peer.send(b"a")
        await wait_all_tasks_blocked()
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
        self, house: House, autojump_clock: MockClock
    ) -> None:
        peer = house.meet()

        def pause_and_end(data: bytes) -> None:
            peer.link.pause(1000)
            peer.link.end()

        peer.then = pause_and_end
        peer.send(b"a")
        await wait_all_tasks_blocked()
        assert not peer.is_over
        assert peer.sock.recv(1) == b""
        peer.sock.close()
        await wait_all_tasks_blocked()
        assert peer.is_over
