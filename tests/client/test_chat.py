"""The chat of a person against taunt servers of every kind."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio

from hearts.taunt.messages import encode_delivery
from hearts.taunt.server import Register, ServerSession, Taunt
from hearts.wire.credentials import SeatCredentials
from hearts_client.library.chat import CannotSend, ChatClient

CREDENTIALS = SeatCredentials(7, 99, 0, 1000)
HOST = "127.0.0.1"

Server = Callable[[trio.SocketStream], Awaitable[None]]


@asynccontextmanager
async def served_by(server: Server) -> AsyncIterator[int]:
    async def serve(stream: trio.SocketStream) -> None:
        # A client that leaves with bytes unread resets the connection.
        with contextlib.suppress(trio.BrokenResourceError):
            await server(stream)

    async with trio.open_nursery() as nursery:
        (listener,) = await nursery.start(partial(trio.serve_tcp, serve, 0, host=HOST))
        yield listener.socket.getsockname()[1]
        nursery.cancel_scope.cancel()


async def echo(stream: trio.SocketStream) -> None:
    """A taunt server with one player."""
    session = ServerSession()
    async for data in stream:
        session.feed(bytes(data))
        while (event := session.next_event()) is not None:
            match event:
                case Register(credentials):
                    assert credentials == CREDENTIALS
                    await stream.send_all(session.accept() + encode_delivery(-1, "welcome"))
                case Taunt(_, text):
                    await stream.send_all(encode_delivery(0, text) + encode_delivery(2, "yes"))


async def test_saying_and_hearing() -> None:
    heard: list[tuple[int, str]] = []
    more = trio.Event()

    def receive(player: int, text: str) -> None:
        heard.append((player, text))
        if text == "welcome":
            chat.send("well played")
        if text == "yes":
            more.set()

    chat = ChatClient(CREDENTIALS, receive, print)
    with trio.fail_after(10):
        async with served_by(echo) as port, trio.open_nursery() as nursery:
            nursery.start_soon(chat.run, HOST, port)
            await more.wait()
            for text, why in (
                ("x" * 128, "too long: 128 bytes of at most 127"),
                ("é" * 64, "too long: 128 bytes"),
                ("", "type /say and what"),
                ("a\tb", "control characters"),
            ):
                with pytest.raises(CannotSend, match=why):
                    chat.send(text)
            nursery.cancel_scope.cancel()
    assert heard == [(-1, "welcome"), (0, "well played"), (2, "yes")]
    with pytest.raises(CannotSend, match="no chat"):
        chat.send("anybody?")


def saying(data: bytes) -> Server:
    async def server(stream: trio.SocketStream) -> None:
        await stream.send_all(data)
        await stream.send_eof()
        async for _ in stream:
            pass

    return server


@pytest.mark.parametrize(
    ("said", "why", "is_final"),
    [
        (b"", "the chat has ended the connection", False),
        (b"\xff\xff\xff\xff", "the chat has refused us", False),
        (b"\0\0\0\7", "this is not the chat of a Hearts server: a registration status of 7", True),
        (b"\0\0\0\1\0\0\0\x09", "this is not the chat of a Hearts server: a taunter of 9", True),
    ],
)
async def test_how_a_connection_ends(said: bytes, why: str, is_final: bool) -> None:
    changes: list[str | None] = []
    ended = trio.Event()

    def changed(text: str | None) -> None:
        changes.append(text)
        ended.set()

    async def run(port: int) -> None:
        await chat.run(HOST, port)
        returned.set()

    returned = trio.Event()
    chat = ChatClient(CREDENTIALS, lambda player, text: None, changed)
    with trio.fail_after(10):
        async with served_by(saying(said)) as port, trio.open_nursery() as nursery:
            nursery.start_soon(run, port)
            await (returned if is_final else ended).wait()
            nursery.cancel_scope.cancel()
    assert [text[: len(why)] for text in changes if text] == [why]
    with pytest.raises(CannotSend, match="no chat"):
        chat.send("hello")


async def test_a_lost_connection_is_made_anew() -> None:
    """The first two connections end, one before and one after the registration."""
    connections = 0

    async def server(stream: trio.SocketStream) -> None:
        nonlocal connections
        connections += 1
        if connections > 2:
            await echo(stream)
        elif connections == 2:
            await stream.receive_some(16)
            await stream.send_all(b"\0\0\0\1")

    def receive(player: int, text: str) -> None:
        heard.append(text)
        if text == "welcome":
            chat.send("there again")
        if text == "yes":
            done.set()

    heard: list[str] = []
    changes: list[str | None] = []
    done = trio.Event()
    chat = ChatClient(CREDENTIALS, receive, changes.append)
    with trio.fail_after(10):
        async with served_by(server) as port, trio.open_nursery() as nursery:
            nursery.start_soon(chat.run, HOST, port)
            await done.wait()
            nursery.cancel_scope.cancel()
    assert heard == ["welcome", "there again", "yes"]
    why = "the chat has ended the connection"
    assert [text or "" for text in changes] == [why, "", why, ""]


async def test_more_than_the_chat_takes() -> None:
    full: list[str] = []

    def receive(player: int, text: str) -> None:
        if text == "welcome":
            try:
                for number in range(1000):
                    chat.send(f"line {number}")
            except CannotSend as error:
                full.append(str(error))
        elif player == 2:
            done.set()

    done = trio.Event()
    chat = ChatClient(CREDENTIALS, receive, print)
    with trio.fail_after(10):
        async with served_by(echo) as port, trio.open_nursery() as nursery:
            nursery.start_soon(chat.run, HOST, port)
            await done.wait()
            nursery.cancel_scope.cancel()
    assert full == ["the chat is too slow"]
