"""A player's line to the taunt server. The game does not need it and never waits for it."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import trio

from hearts.errors import HeartsError, RemoteProtocolError, leaves
from hearts.taunt.client import ChatRefused, ClientSession, Delivery, Registered
from hearts.taunt.messages import TAUNT_LIMIT
from hearts.wire.credentials import SeatCredentials
from hearts.wire.text import is_legible

from .reach import CannotConnect, Tls, open_stream
from .retries import Retries

_QUEUED = 20
"""Lines that wait to be sent before more are refused."""
_SEND_LIMIT = 10.0
"""Seconds in which a taunt server that reads takes a line."""
_LONGEST_WAIT = 60.0
"""Seconds between two tries to reach a taunt server that is away, at most."""


class CannotSend(HeartsError):
    """A line that is not sent; the text says why."""


def check_line(text: str) -> None:
    """Raise CannotSend for a line that no table passes on."""
    size = len(text.encode("utf-8", "replace"))
    if size > TAUNT_LIMIT:
        raise CannotSend(f"it is too long: {size} bytes of at most {TAUNT_LIMIT}")
    if not is_legible(text):
        raise CannotSend("it has control characters")
    if not text:
        raise CannotSend("type /say and what you want to say")


class ChatClient:
    """The chat of one seat. A connection that is lost is made anew."""

    def __init__(
        self,
        credentials: SeatCredentials,
        deliver: Callable[[int, str], None],
        changed: Callable[[str | None], None],
        retries: Retries | None = None,
    ) -> None:
        """``deliver`` gets who said it (0-3, or -1 for the servers) and what.

        ``changed`` gets the reason in words when there is no chat any more, and None when it is
        back.
        """
        self._credentials = credentials
        self._deliver = deliver
        self._changed = changed
        self._retries = retries or Retries(inf, longest=_LONGEST_WAIT)
        self._is_away = False
        self._is_useless = False
        self._host = ""
        self._calling = trio.CancelScope()
        self.settled = trio.Event()
        """Set once it is known whether there is a chat."""
        self._begin()

    def _begin(self) -> None:
        self._session = ClientSession(self._credentials)
        self._send, self._receive = trio.open_memory_channel[str](_QUEUED)

    @property
    def is_there(self) -> bool:
        return self._session.registered

    def send(self, text: str) -> None:
        """Send a line on its way; it comes back when it is relayed. Raises CannotSend."""
        check_line(text)
        if not self.is_there:
            raise CannotSend("there is no chat at this table")
        try:
            self._send.send_nowait(text)
        except trio.WouldBlock:
            raise CannotSend("the chat is too slow") from None

    def go_to(self, host: str) -> None:
        """Use the chat at this host from now on."""
        if host != self._host:
            self._host = host
            self._calling.cancel()

    async def run(self, host: str, port: int, tls: Tls | None = None) -> None:
        """Chat until cancelled, or until the other side turns out to be no taunt server."""
        self._host = host
        while True:
            why = "the chat has moved to another server"
            try:
                with trio.CancelScope() as self._calling:
                    why = await self._connect(self._host, port, tls)
            finally:
                self._begin()
                self.settled.set()
            if self._is_useless or not self._is_away:
                self._is_away = True
                self._changed(why)
            if self._is_useless:
                return
            await trio.sleep(self._retries.lost(trio.current_time()) or 0.0)

    async def _connect(self, host: str, port: int, tls: Tls | None) -> str:
        """Run one connection from its beginning to its end; return the reason of its end."""
        why = "the connection is lost"
        try:
            stream = await open_stream(host, port, tls)
            async with stream, trio.open_nursery() as nursery:
                await stream.send_all(self._session.register())
                nursery.start_soon(self._send_lines, stream)
                why = await self._read_lines(stream)
                nursery.cancel_scope.cancel()
        except* CannotConnect as errors:
            why = str(next(leaves(errors)))
        except* (OSError, trio.BrokenResourceError, trio.TooSlowError):
            pass
        return why

    async def _send_lines(self, stream: trio.abc.Stream) -> None:
        async for text in self._receive:
            with trio.fail_after(_SEND_LIMIT):
                await stream.send_all(self._session.taunt(text))

    async def _read_lines(self, stream: trio.abc.Stream) -> str:
        while data := await stream.receive_some(4096):
            self._session.feed(bytes(data))
            try:
                while (event := self._session.next_event()) is not None:
                    match event:
                        case Delivery(player, text):
                            self._deliver(player, text)
                        case ChatRefused():
                            return "the chat has refused us"
                        case Registered():
                            self._is_there()
            except RemoteProtocolError as error:
                self._is_useless = True
                return f"this is not the chat of a Hearts server: {error}"
        return "the chat has ended the connection"

    def _is_there(self) -> None:
        self.settled.set()
        self._retries.up(trio.current_time())
        if self._is_away:
            self._is_away = False
            self._changed(None)
