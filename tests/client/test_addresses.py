"""A list of addresses, of which one plays: who is called, and when the others are asked."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import pytest
import trio

from hearts.net.listen import bound_sockets, close_sockets
from hearts.session.client_events import ConnectionLost, YourChoice
from hearts.table.inputs import Question
from hearts_client.library import addresses
from hearts_client.library import client as client_module
from hearts_client.library.addresses import Addresses
from hearts_client.library.client import Client
from hearts_client.library.reach import CannotConnect
from hearts_client.library.retries import Retries
from tests.plain.script import BEGUN, HAND, REQUEST, ints

ONE, TWO = "127.0.0.1", "127.0.0.2"
TOO_LONG = 20


@asynccontextmanager
async def servers(words: Mapping[str, bytes]) -> AsyncIterator[int]:
    """A port at which those that have words listen and say them; the other address is bound."""
    (first,) = await bound_sockets(ONE, 0)
    port = first.getsockname()[1]
    bound = {ONE: first, TWO: (await bound_sockets(TWO, port))[0]}
    async with trio.open_nursery() as nursery:
        for host, said in words.items():

            async def speak(stream: trio.SocketStream, said: bytes = said) -> None:
                await stream.send_all(said)
                while await stream.receive_some():
                    pass

            bound[host].listen()
            listener = trio.SocketListener(trio.socket.from_stdlib_socket(bound[host]))
            nursery.start_soon(trio.serve_listeners, speak, [listener])
        yield port
        nursery.cancel_scope.cancel()
    close_sockets(bound.values())


@pytest.mark.parametrize("others", [{}, {ONE: b""}])
async def test_whoever_refuses_or_says_nothing_is_passed_over(
    others: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "SILENT_LIMIT", 0.2)
    async with servers({TWO: b"hello", **others}) as port:
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
    async with servers({}) as port:
        with pytest.raises(CannotConnect) as told:
            await Addresses(f"{ONE}, {TWO}", port).dial()
        assert f"{ONE}:{port}" in str(told.value)
        assert f"{TWO}:{port}" in str(told.value)


async def test_the_others_are_asked_whether_the_game_is_there() -> None:
    async with servers({ONE: b"hello"}) as port:
        made = Addresses(f"{ONE},{TWO}", port)
        assert not await made.has_moved()
    async with servers({ONE: b"", TWO: b"hello"}) as port:
        made = Addresses(f"{ONE},{TWO}", port)
        assert await made.has_moved()
        assert made.host == TWO


def test_one_address_has_no_others() -> None:
    assert not Addresses("example.org", 7626).has_others


async def test_a_connection_that_is_silent_is_kept_until_another_address_takes_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(client_module, "SILENT_FOR", 0.1)
    words = {ONE: BEGUN + ints(*HAND, 1)}
    with trio.fail_after(TOO_LONG):
        async with servers(words) as port:
            made = Addresses(f"{ONE},{TWO}", port)
            stream, retries = await made.dial(), Retries(5.0, lambda: 0.0)
            client = Client(stream, REQUEST, made.dial, retries, addresses=made)
            while await anext(client) != YourChoice(Question.PASS):
                pass
            # Nobody says anything, and nobody else takes connections.
            with trio.move_on_after(0.5) as waited:
                await anext(client)
            assert waited.cancelled_caught
            assert not client.is_lost
            (second,) = await bound_sockets(TWO, port)
            with second:
                second.listen()
                lost = await anext(client)
            assert lost == ConnectionLost("another server has taken over", 0.2)
            assert client.host == TWO
            await client.aclose()
