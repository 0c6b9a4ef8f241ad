"""Connections that are made again when they are lost: soon at first, then less and less often."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from math import inf
from typing import Generic, Self, TypeVar

import trio

from hearts.dealer.client_connection import WatcherSession
from hearts.session.client_events import (
    ConnectionLost,
    DealerEvent,
    RegistrationRefused,
    SessionEnded,
)
from hearts.session.messages import Refusal
from hearts.session.table_words import Refused

from .dialects import PlayerSide
from .reach import CannotConnect

RETRY_LIMIT = 300.0
"""Seconds without success after which a connection is given up."""
SEND_LIMIT = 30.0
"""Seconds in which a server that reads takes our few bytes."""
RETURN_LIMIT = 30.0
"""Seconds for coming back, from the connection to the moment at which the table plays."""
CLOSE_LIMIT = 2.0
"""Seconds for closing in good form."""
RECEIVE_BYTES = 4096
CLOSED = "the server has closed it"
GONE = (OSError, trio.BrokenResourceError, trio.ClosedResourceError)
"""Errors of a stream whose connection is lost."""
PASSING = (
    Refusal.SERVER_FULL,
    Refusal.TOO_MANY_FROM_ADDRESS,
    Refusal.SHUTTING_DOWN,
    Refusal.TOO_SLOW,
)
"""Refusals of a client that comes back, after which it is worth trying again."""

Dial = Callable[[], Awaitable[trio.abc.Stream]]
"""Makes a connection to the server. Raises CannotConnect."""
SideT = TypeVar("SideT", bound=PlayerSide | WatcherSession)

_FIRST = 0.2
_LONGEST = 10.0
_STEADY = 30.0
"""Seconds that a connection has to hold before its loss counts as a new one."""
_TAKEN_TIMES = 3
_TAKEN_WITHIN = 10.0
"""Two programs that have the same seat take it from each other. The one that loses it so often in
so many seconds gives it up: that is the one that had it first, and the later one keeps it.
"""


class Retries:
    """The waits of one line. Times are seconds of any one clock."""

    def __init__(
        self,
        limit: float = RETRY_LIMIT,
        draw: Callable[[], float] = random.random,
        *,
        longest: float = _LONGEST,
    ) -> None:
        """``limit`` and the longest wait are in seconds, a limit of 0 means that nothing is tried.

        ``draw`` gives a number from 0 to below 1.
        """
        self._limit = limit
        self._longest = longest
        self._draw = draw
        self._lost_at: float | None = None
        self._up_at: float | None = None
        self._wait = _FIRST
        self._closings: list[float] = []
        self.displaced = False
        """True if it was given up because another program has the seat."""

    def up(self, now: float) -> None:
        if self._up_at is None:
            self._up_at = now

    def lost(self, now: float, *, in_order: bool = False) -> float | None:
        """Note a lost connection or a failed try; return the seconds to wait, or None to give
        up.

        ``in_order`` says that the server has closed it.
        """
        up_at, self._up_at = self._up_at, None
        # A server that was away is none that gives the seat to somebody else.
        self._closings = [*self._closings, now] if in_order and up_at is not None else []
        if len(self._closings) >= _TAKEN_TIMES:
            self.displaced = now - self._closings.pop(0) <= _TAKEN_WITHIN
            if self.displaced:
                return None
        if self._lost_at is None or (up_at is not None and now - up_at >= _STEADY):
            self._lost_at = now
            self._wait = _FIRST
        # By chance, for many clients may have lost the same server.
        wait = self._wait * (1 - self._draw() / 2)
        self._wait = min(2 * self._wait, self._longest)
        return wait if now + wait <= self._lost_at + self._limit and self._limit else None


class ReturningLine(ABC, Generic[SideT]):
    """A client's session, over one connection after the other. One task iterates over it."""

    def __init__(
        self,
        stream: trio.abc.Stream,
        session: SideT,
        dial: Dial | None = None,
        retries: Retries | None = None,
    ) -> None:
        """``dial`` makes the next connection; without it the end of this one is the end."""
        self._stream = stream
        self._session = session
        self._dial = dial
        self._retries = retries or Retries()
        self._sending = trio.Lock()
        self._retry_in: float | None = None
        self._back_by = inf
        self._why = CLOSED

    @property
    @abstractmethod
    def _can_come_back(self) -> bool:
        """True if a connection that is lost now is made again."""

    @abstractmethod
    def _next_session(self) -> SideT:
        """Begin the session of the next connection."""

    @abstractmethod
    def _follow(self, event: DealerEvent) -> None:
        """Follow an event."""

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> DealerEvent:
        """Return the next event; the last one is SessionEnded or TablesListed.

        Raises RegistrationRefused if the server does not want us, and RemoteProtocolError for
        anything that no server of this protocol says.
        """
        if self._retry_in is not None:
            await trio.sleep(self._retry_in)
            problem = await self._connect_again()
            if problem is not None:
                return await self._lose(problem)
        while (event := self._session.next_event()) is None:
            await self._read_more()
        match event:
            case SessionEnded(complete=False) if self._can_come_back:
                return await self._lose(self._why)
            case Refused(code, reason):
                return await self._refuse(RegistrationRefused(code, reason))
        self._follow(event)
        return event

    async def _refuse(self, refused: RegistrationRefused) -> SessionEnded | ConnectionLost:
        if refused.code not in PASSING or not self._can_come_back:
            raise refused
        return await self._lose(str(refused))

    async def _read_more(self) -> None:
        if self._session.closed:
            raise StopAsyncIteration
        await self.flush()
        self._session.feed(await self._receive())

    async def flush(self) -> None:
        async with self._sending:
            data = self._session.bytes_to_send()
            if not data:
                return
            whole = False
            try:
                with trio.move_on_after(SEND_LIMIT):
                    await self._stream.send_all(data)
                    whole = True
            except GONE:
                # What the server said last may still be there to be read; reading finds the end.
                whole = True
            finally:
                if not whole:
                    # A part of the bytes may be out: nothing sensible can follow them.
                    await trio.aclose_forcefully(self._stream)

    async def _receive(self) -> bytes:
        # A table may form for hours: only coming back has a deadline. TCP keep-alive finds a peer
        # that is gone.
        with trio.CancelScope(deadline=self._back_by):
            try:
                return await self._receive_here()
            except GONE as error:
                self._why = _words(error)
            except CannotConnect as error:
                if not self._can_come_back:
                    raise
                self._why = str(error)
            return b""
        self._why = "the server does not answer"
        return b""

    async def _receive_here(self) -> bytes:
        return bytes(await self._stream.receive_some(RECEIVE_BYTES))

    async def _lose(self, why: str) -> SessionEnded | ConnectionLost:
        return await self._call_again(why, self._retries.lost(trio.current_time()))

    async def _call_again(self, why: str, wait: float | None) -> SessionEnded | ConnectionLost:
        """Give up the connection, and make another one after some seconds; None for never."""
        self._why = CLOSED
        self._session.close()
        self._retry_in = wait
        await trio.aclose_forcefully(self._stream)
        if wait is None:
            return SessionEnded(complete=False, displaced=self._retries.displaced)
        return ConnectionLost(why, wait)

    async def _connect_again(self) -> str | None:
        """Make the next connection, in place of the old one; return the reason if that failed."""
        assert self._dial is not None
        try:
            self._stream = await self._dial()
        except CannotConnect as error:
            return str(error)
        self._session = self._next_session()
        self._retry_in = None
        self._back_by = trio.current_time() + RETURN_LIMIT
        return None

    async def aclose(self) -> None:
        self._session.close()
        with trio.move_on_after(CLOSE_LIMIT):
            await self._stream.aclose()


def _words(error: Exception) -> str:
    cause = error if isinstance(error, OSError) else error.__cause__
    known = isinstance(cause, OSError) and cause.strerror
    return known or "it broke"
