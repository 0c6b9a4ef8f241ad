"""The addresses of one server and of those that stand by for it: at most one of them plays."""

from __future__ import annotations

import trio

from .reach import CONNECT_LIMIT, CannotConnect, Tls, open_stream, open_tcp
from .retries import GONE

SILENT_LIMIT = 3.0
"""Seconds after which one that says nothing is tried beside the next one."""
_ASK_LIMIT = 2.0


class Addresses:
    """The addresses of a game. A seat's numbers and the password go to these alone."""

    def __init__(self, hosts: str, port: int, tls: Tls | None = None) -> None:
        """``hosts`` are names with commas. With ``tls`` each has a certificate for its own name."""
        self._hosts = [host.strip() for host in hosts.split(",")]
        self._port = port
        self._tls = tls
        self.host = self._hosts[0]
        """The latest address of the game."""

    @property
    def _others(self) -> list[str]:
        return [host for host in self._hosts if host != self.host]

    @property
    def has_others(self) -> bool:
        return bool(self._others)

    async def dial(self) -> trio.abc.Stream:
        """Connect to the first server that speaks. Raises CannotConnect."""
        if not self.has_others:
            return await open_stream(self.host, self._port, self._tls)
        won: list[tuple[str, trio.abc.Stream]] = []
        problems: list[str] = []

        async def call(host: str, nursery: trio.Nursery, settled: trio.Event) -> None:
            try:
                won.append((host, await self._first_word(host)))
                nursery.cancel_scope.cancel()
            except CannotConnect as error:
                problems.append(str(error))
            except GONE:
                problems.append(f"{host} has ended the connection")
            finally:
                settled.set()

        with trio.move_on_after(CONNECT_LIMIT):
            async with trio.open_nursery() as nursery:
                for host in (self.host, *self._others):
                    settled = trio.Event()
                    nursery.start_soon(call, host, nursery, settled)
                    with trio.move_on_after(SILENT_LIMIT):
                        await settled.wait()
        if not won:
            raise CannotConnect("; ".join(problems) or "no server of the list says anything")
        for _, late in won[1:]:
            await trio.aclose_forcefully(late)
        self.host, stream = won[0]
        return stream

    async def _first_word(self, host: str) -> trio.abc.Stream:
        stream = await open_stream(host, self._port, self._tls)
        try:
            data = bytes(await stream.receive_some(1))
            if not data:
                raise CannotConnect(f"{host} has ended the connection")
        except BaseException:
            await trio.aclose_forcefully(stream)
            raise
        return _Begun(stream, data)

    async def has_moved(self) -> bool:
        """Ask the other addresses; the game is from now on at one that takes connections."""
        for host in self._others:
            with trio.move_on_after(_ASK_LIMIT):
                try:
                    await trio.aclose_forcefully(await open_tcp(host, self._port))
                except CannotConnect:
                    continue
                self.host = host
                return True
        return False


class _Begun(trio.abc.Stream):
    """A connection whose first byte has been read."""

    def __init__(self, stream: trio.abc.Stream, first: bytes) -> None:
        self._stream = stream
        self._first = first

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        first, self._first = self._first, b""
        if first:
            await trio.lowlevel.checkpoint()
            return first
        return await self._stream.receive_some(max_bytes)

    async def aclose(self) -> None:
        await self._stream.aclose()
