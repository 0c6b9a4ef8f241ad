"""A connection in clear text, which finds out soon that the server speaks TLS only.

A game server speaks first, and one with TLS waits for our first bytes: both would wait. So if
nothing comes for a second, another connection says what TLS begins with, and the answer shows what
is spoken there. Whoever has spoken first is answered with an alert of TLS anyway.
"""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import Awaitable, Callable
from math import inf

import trio

from hearts.errors import HeartsError
from hearts.net import client_tls

_SILENT_FOR = 1.0
"""Seconds without a word from the server until it is looked for TLS."""
_LOOK_LIMIT = 3.0
"""Seconds for that."""
_ALERT, _HANDSHAKE = b"\x15\x03", b"\x16\x03"


class ClearText(trio.abc.Stream):
    """A connection whose first read raises an error where the server speaks TLS."""

    def __init__(
        self,
        stream: trio.SocketStream,
        call: Callable[[], Awaitable[trio.SocketStream]],
        why: HeartsError,
    ) -> None:
        """``call`` makes another connection to the same server, and may raise a HeartsError.

        ``why`` is the error.
        """
        self._stream = stream
        self._call = call
        self._why = why
        self._is_fresh = True
        self._has_spoken = False

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self._has_spoken = True
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        if not self._is_fresh:
            return await self._stream.receive_some(max_bytes)
        with trio.move_on_after(inf if self._has_spoken else _SILENT_FOR) as scope:
            data = await self._stream.receive_some(max_bytes)
        if scope.cancelled_caught:
            if await self._is_tls():
                raise self._why
            data = await self._stream.receive_some(max_bytes)
        if data.startswith(_ALERT):
            raise self._why
        self._is_fresh = False
        return data

    async def _is_tls(self) -> bool:
        """Whether TLS is spoken there, as far as that is to be found out."""
        with trio.move_on_after(_LOOK_LIMIT):
            with contextlib.suppress(HeartsError, trio.BrokenResourceError):
                async with await self._call() as stream:
                    await stream.send_all(_hello())
                    return (await stream.receive_some(2))[:2] in (_ALERT, _HANDSHAKE)
        return False

    async def aclose(self) -> None:
        await self._stream.aclose()


def _hello() -> bytes:
    """The first bytes of a client that speaks TLS and trusts anybody."""
    said = ssl.MemoryBIO()
    tls = client_tls(None, insecure=True).wrap_bio(ssl.MemoryBIO(), said)
    with contextlib.suppress(ssl.SSLWantReadError):
        tls.do_handshake()
    return said.read()
