"""A connection: one reader that hands bytes to a callback, and an outbox with one writer.

What a step says is collected with :meth:`Link.write` and leaves with :meth:`Link.flush`, in one
write and at once if the peer's socket takes it. What it does not take waits in a backlog of
bounded size, and a writer task lives just as long as the backlog does. Nobody ever waits for a
slow peer: past :data:`BACKLOG_LIMIT` the connection is given up.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Protocol

import trio

BACKLOG_LIMIT = 64 * 1024
"""Unsent bytes at which a peer counts as too far behind (SocketSpec.md section 11)."""
LINGER = 2.0
"""Seconds for which an ended connection still reads, so that its last bytes arrive."""

RECEIVE_BYTES = 4096
"""Bytes that are read at once."""
GONE = (OSError, trio.BrokenResourceError, trio.ClosedResourceError)
"""The errors that are raised for a connection that is gone."""

Ended = Callable[[Exception | None], None]
"""Called when a connection is closed; an error of its receiver is given, and being handled."""


class Gate(Protocol):
    """Says whether connections may say anything."""

    @property
    def is_open(self) -> bool: ...

    def hold(self, link: Link) -> None:
        """Flush a connection as soon as the gate is open again."""


class Link(ABC):
    """One connection. :meth:`run` owns it, or what :meth:`begin` began, and it is read then; the
    rest may be called any time."""

    # Nobody waits for these; a connection has its own as soon as somebody does.
    _sent = trio.Event()
    _pause = trio.CancelScope()
    _end_is_told = False  # also while it rests

    def __init__(self, nursery: trio.Nursery) -> None:
        """``nursery`` owns the writer task, while there is one, and what :meth:`begin` begins."""
        self._nursery = nursery
        self._send_now: Callable[[bytes], int] = _send_nothing
        """Sends what the peer takes now, and returns the number of bytes. May raise GONE."""
        self._parts: list[bytes] = []
        self._backlog = bytearray()
        self._backlog_limit = BACKLOG_LIMIT
        self._scope = trio.CancelScope()
        self._writing = False
        self._resting = False
        self._sleeper: trio.lowlevel.Task | None = None
        self._paused_until: float | None = None
        self._turn: Callable[[], Awaitable[None]] | None = None
        # What may be read without a turn: something is due from the peer.
        self._due = 0
        self._its_turn: trio.Event | None = None
        self.gate: Gate | None = None
        """While it is closed, output waits, and the connection does not end in order, because that
        would tell something as well."""
        self.to_wake: dict[Link, None] | None = None  # see rest
        self.piece = RECEIVE_BYTES
        """Bytes that are read at once, at most."""
        self.ask_turn: Callable[[Callable[[], None]], None] | None = None
        """Asks for a turn each time that something has come; it is read when the function that is
        given is called. None if it is read at once. One piece after each :meth:`catch_up` needs no
        turn."""
        self.ending = False
        """True if nothing more is read from or written to the peer."""
        self.why_lost: str | None = None
        """The reason why the connection broke, for the log; ``None`` for an orderly end."""

    def write(self, data: bytes) -> None:
        """Collect bytes for the next :meth:`flush`; after the end they are dropped."""
        if not self.ending:
            self._parts.append(data)

    def flush(self) -> None:
        """Send what was collected, as far as the peer takes it now; never blocks, never raises."""
        parts = self._parts
        if not parts:
            return
        if self.gate is not None and not self.gate.is_open:
            self._hold(self.gate)
            return
        data = parts[0] if len(parts) == 1 else b"".join(parts)
        parts.clear()
        self._push(data)

    def _hold(self, gate: Gate) -> None:
        if sum(map(len, self._parts)) > BACKLOG_LIMIT:
            self.abort("too far behind: nothing may be said for now")
        else:
            gate.hold(self)

    def _push(self, data: bytes) -> None:
        if self._backlog:
            self._backlog += data
        else:
            try:
                sent = self._send_now(data)
            except BlockingIOError:
                sent = 0
            except GONE as error:
                self.abort(f"sending failed: {error}")
                return
            if sent == len(data):
                return
            self._backlog += memoryview(data)[sent:]
        if len(self._backlog) > self._backlog_limit:
            self.abort(f"too far behind: {len(self._backlog)} bytes unsent")
        elif not self._writing:
            self._writing = True
            self._nursery.start_soon(self._write_backlog)

    def allow(self, size: int) -> None:
        """Let so many more bytes wait for the peer: they are sent at once, and are no delay."""
        self._backlog_limit += size

    @property
    def backlog(self) -> int:
        """Bytes that the peer has not taken yet."""
        return len(self._backlog)

    async def wait_sent(self, most: int) -> None:
        """Wait until at most so many bytes wait for the peer, or the connection ends."""
        while len(self._backlog) > most and not self.ending:
            self._sent = trio.Event()
            await self._sent.wait()

    async def ready(self) -> bool:
        """Tell whether the peer may be sent anything: with TLS, whether the handshake is over.

        For use before :meth:`run`, which otherwise begins with the same.
        """
        return True

    async def read(self) -> bytes:
        """Return the next bytes; empty when the connection ended. For use before :meth:`run`
        only.
        """
        try:
            if self._paused_until is not None:
                await self._wait_out()
            return await self._receive()
        except GONE as error:
            self.why_lost = self.why_lost or f"receiving failed: {error}"
            return b""

    async def run(self, receive: Callable[[bytes], None]) -> None:
        """Read until the connection ends, handing over each piece as it arrives; then close it."""
        try:
            with self._scope:
                # Once it is closed there is nothing to wait for.
                while not self._scope.cancel_called:
                    if self._paused_until is not None:
                        await self._wait_out()
                    elif self._resting:
                        await self._sleep()
                    else:
                        data = await self._receive()
                        if not data:
                            break
                        if self.ask_turn is not None:
                            await self._wait_turn(self.ask_turn, len(data))
                        if not self.ending:
                            receive(data)
        except GONE as error:
            self.why_lost = self.why_lost or f"receiving failed: {error}"
        finally:
            self.close()

    def begin(self, receive: Callable[[bytes], None], ended: Ended) -> None:
        """Read from now on as :meth:`run` does, in no task of the caller.

        ``ended`` is called behind the end, but not if the nursery is cancelled.
        """
        self._nursery.start_soon(self._run_to_end, receive, ended)

    async def _run_to_end(self, receive: Callable[[bytes], None], ended: Ended) -> None:
        try:
            await self.run(receive)
        except Exception as error:
            ended(error)
        else:
            ended(None)

    async def _wait_turn(self, ask_turn: Callable[[Callable[[], None]], None], size: int) -> None:
        if self._due <= 0:
            self._its_turn = turn = trio.Event()
            ask_turn(turn.set)
            await turn.wait()
            self._its_turn = None
        self._due -= size

    def rest(self, *, talks: bool = True) -> None:
        """Read nothing until :meth:`wake`, which comes soon if the peer ``talks``: to wake up for
        each acknowledgement of players who are not on turn is what costs a server most. They are
        left in the system's buffer and read together.
        """
        self._resting = not self.ending
        if self.to_wake is not None and (talks or not self._end_is_told):
            self.to_wake[self] = None

    def wake(self) -> None:
        self._resting = False
        self._rouse()

    def _rouse(self) -> None:
        if self._sleeper is not None:
            trio.lowlevel.reschedule(self._sleeper)
            self._sleeper = None

    def catch_up(self) -> bytes:
        """Read again, because something is due. Return the bytes that arrived meanwhile, which are
        not handed over."""
        self._due = self.piece
        if self._its_turn is not None:
            self._its_turn.set()
        if not self._resting:
            return b""
        self.wake()
        return b"" if self.ending or self._paused_until is not None else self._receive_now()

    def pause(self, seconds: float, turn: Callable[[], Awaitable[None]] | None = None) -> None:
        """Read nothing for so long, even if :meth:`wake` is called.

        This is for a peer that has sent more than its share. What it sends meanwhile stays in the
        system's buffers, its own ones in the end. If there is a ``turn``, the peer waits for it as
        well.
        """
        if not self.ending:
            self._paused_until = trio.current_time() + seconds
            self._turn = turn
            # It is the task of run that waits it out.
            self._rouse()

    async def _wait_out(self) -> None:
        assert self._paused_until is not None
        with trio.CancelScope(deadline=self._paused_until) as self._pause:
            await trio.sleep_forever()
        if self._turn is not None and not self.ending:
            await self._turn()
        self._paused_until = None

    def _sleep(self) -> Awaitable[object]:
        # A ParkingLot does the same at three times the cost, once for every card that is played.
        # A frame of our own would be 1 kB of each table.
        self._sleeper = trio.lowlevel.current_task()
        return trio.lowlevel.wait_task_rescheduled(self._stop_sleeping)  # noqa: ASYNC105

    def _stop_sleeping(self, _: object) -> trio.lowlevel.Abort:
        self._sleeper = None
        return trio.lowlevel.Abort.SUCCEEDED

    def end(self) -> None:
        """End in order: send what is left, shut down sending, read for LINGER seconds, close."""
        if self.gate is not None and not self.gate.is_open:
            self.abort("ended while nothing may be said")
            return
        if self.ending:
            return
        self.flush()
        self.ending = True
        self._sent.set()
        self._paused_until = None
        self._pause.cancel()
        self._resting = False
        self._rouse()
        self._scope.deadline = trio.current_time() + LINGER
        self._finish()

    def _finish(self) -> None:
        # A writer that still has a backlog shuts down when it is through.
        if not self._writing:
            self._shut_down()

    def abort(self, why: str) -> None:
        """End at once and drop what is unsent; ``why`` is for the log."""
        self.why_lost = self.why_lost or why
        self.ending = True
        self._parts.clear()
        self._backlog.clear()
        self._sent.set()
        self._cancel()

    def _cancel(self) -> None:
        self._scope.cancel()
        self._rouse()

    def close(self) -> None:
        """Close now, whatever is unsent; :meth:`run` does so at its end."""
        if self._backlog:
            self.why_lost = self.why_lost or f"closed with {len(self._backlog)} bytes unsent"
        self.ending = True
        # A writer that has not begun yet must find nothing to do: its socket is gone.
        self._parts.clear()
        self._backlog.clear()
        self._cancel()
        # These belong to our owner, and the pump may keep us for a while yet.
        self._turn = self.ask_turn = None
        self._close()

    async def _write_backlog(self) -> None:
        # No deadline of its own: if the reader ends, it closes the connection and wakes us.
        try:
            while self._backlog and not self._scope.cancel_called:
                sent = await self._send_some(bytes(self._backlog))
                del self._backlog[:sent]
                self._sent.set()
            if self.ending and not self._scope.cancel_called:
                self._shut_down()
        except GONE as error:
            self.abort(f"sending failed: {error}")
        finally:
            self._writing = False

    @abstractmethod
    async def _send_some(self, data: bytes) -> int: ...

    @abstractmethod
    async def _receive(self) -> bytes: ...

    def _receive_now(self) -> bytes:
        return b""

    @abstractmethod
    def _shut_down(self) -> None: ...

    @abstractmethod
    def _close(self) -> None: ...

    def quick_ack(self) -> None:  # noqa: B027  not every kind of connection has Nagle's algorithm
        """Let the peer's next small write leave at once: with Nagle's algorithm it holds its choice
        back until our TCP confirms the acknowledgement before it, which takes 40 ms else."""


def _send_nothing(data: bytes, /) -> int:
    """Send nothing yet, because this stream has to be waited for."""
    return 0
