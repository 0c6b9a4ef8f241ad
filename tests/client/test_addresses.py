"""A list of addresses, of which one plays: who is called, and when the others are asked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio

from hearts.net.listen import bound_sockets, close_sockets
from hearts_client.library import addresses
from hearts_client.library.addresses import Addresses
from hearts_client.library.reach import CannotConnect

ONE, TWO = "127.0.0.1", "127.0.0.2"
TOO_LONG = 20


@asynccontextmanager
async def servers(speaking: str, silent: str = "") -> AsyncIterator[int]:
    """A port at which some of both addresses listen, separated by blanks; the others are bound."""

    async def speak(stream: trio.SocketStream) -> None:
        await stream.send_all(b"hello")
        await stream.receive_some()

    async def say_nothing(stream: trio.SocketStream) -> None:
        await stream.receive_some()

    (first,) = await bound_sockets(ONE, 0)
    port = first.getsockname()[1]
    bound = {ONE: first, TWO: (await bound_sockets(TWO, port))[0]}
    async with trio.open_nursery() as nursery:
        for host, sock in bound.items():
            if host in (speaking, silent):
                sock.listen()
                listener = trio.SocketListener(trio.socket.from_stdlib_socket(sock))
                handler = speak if host == speaking else say_nothing
                nursery.start_soon(trio.serve_listeners, handler, [listener])
        yield port
        nursery.cancel_scope.cancel()
    close_sockets(bound.values())


@pytest.mark.parametrize("silent", ["", ONE])
async def test_whoever_refuses_or_says_nothing_is_passed_over(
    silent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "SILENT_LIMIT", 0.2)
    async with servers(TWO, silent) as port:
        with trio.fail_after(TOO_LONG):
            made = Addresses(f"{ONE},{TWO}", port)
            async with await made.dial() as stream:
                said = b""
                while said != b"hello":
                    said += await stream.receive_some()
            assert made.host == TWO
            # The next time it goes there first.
            await trio.aclose_forcefully(await made.dial())


async def test_where_nobody_plays_it_says_so_of_each() -> None:
    async with servers("") as port:
        with pytest.raises(CannotConnect) as told:
            await Addresses(f"{ONE}, {TWO}", port).dial()
        assert f"{ONE}:{port}" in str(told.value)
        assert f"{TWO}:{port}" in str(told.value)


async def test_the_others_are_asked_whether_the_game_is_there() -> None:
    async with servers(ONE, "") as port:
        made = Addresses(f"{ONE},{TWO}", port)
        assert not await made.has_moved()
    async with servers(TWO, ONE) as port:
        made = Addresses(f"{ONE},{TWO}", port)
        assert await made.has_moved()
        assert made.host == TWO


def test_one_address_has_no_others() -> None:
    assert not Addresses("example.org", 7626).has_others
