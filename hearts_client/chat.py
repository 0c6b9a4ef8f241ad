"""A player's line to the taunt server. The game does not need it and never waits for it."""

from __future__ import annotations

from collections.abc import Callable

import trio

from hearts.credentials import SeatCredentials
from hearts.errors import HeartsError, RemoteProtocolError
from hearts.taunt import TAUNT_LIMIT, ClientSession, Delivery, Refused, Registered
from hearts.wire import is_printable

from .client import CannotConnect, open_stream

_QUEUED = 20
"""Lines that wait to be sent before more are refused."""
_SEND_LIMIT = 10.0
"""Seconds in which a taunt server that reads takes a line."""


class CannotSay(HeartsError):
    """A line that is not sent; the text says why."""


class Chat:
    """The chat of one seat."""

    def __init__(self, credentials: SeatCredentials, hear: Callable[[int, str], None]) -> None:
        """``hear`` gets who said it (0-3, or -1 for the servers) and what."""
        self._session = ClientSession(credentials)
        self._hear = hear
        self._send, self._receive = trio.open_memory_channel[str](_QUEUED)
        self._gone = False

    def say(self, text: str) -> None:
        """Send a line on its way; it comes back when it is relayed. Raises CannotSay."""
        size = len(text.encode("utf-8", "replace"))
        if size > TAUNT_LIMIT:
            raise CannotSay(f"that is too long: {size} bytes of at most {TAUNT_LIMIT}")
        if not is_printable(text):
            raise CannotSay("a line of the chat has no control characters")
        if not text:
            raise CannotSay("type /say and what you want to say")
        if self._gone or not self._session.registered:
            raise CannotSay("there is no chat at this table")
        try:
            self._send.send_nowait(text)
        except trio.WouldBlock:
            raise CannotSay("the chat is too slow, that was not sent") from None

    async def run(self, host: str, port: int) -> str:
        """Chat until the connection ends; gives the reason in words, for the person."""
        why = "the connection is lost"
        try:
            async with await open_stream(host, port) as stream, trio.open_nursery() as nursery:
                await stream.send_all(self._session.register())
                nursery.start_soon(self._send_lines, stream)
                why = await self._hear_lines(stream)
                nursery.cancel_scope.cancel()
        except* CannotConnect as errors:
            why = str(errors.exceptions[0])
        except* (OSError, trio.BrokenResourceError, trio.TooSlowError):
            pass
        finally:
            self._gone = True
        return why

    async def _send_lines(self, stream: trio.abc.Stream) -> None:
        async for text in self._receive:
            with trio.fail_after(_SEND_LIMIT):
                await stream.send_all(self._session.taunt(text))

    async def _hear_lines(self, stream: trio.abc.Stream) -> str:
        while data := await stream.receive_some(4096):
            self._session.feed(bytes(data))
            try:
                while (event := self._session.next_event()) is not None:
                    match event:
                        case Delivery(player, text):
                            self._hear(player, text)
                        case Refused():
                            return "the taunt server does not know this game"
                        case Registered():
                            pass
            except RemoteProtocolError as error:
                return f"that is no taunt server: {error}"
        return "the taunt server has ended the connection"
