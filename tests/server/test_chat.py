"""The game server's connection to the chat: a taunt server that dies never hurts a game."""

from __future__ import annotations

import trio

from hearts.net import open_listeners
from hearts_server.chat import Chat


async def test_chat_comes_back_when_the_taunt_server_dies(nursery: trio.Nursery) -> None:
    registered, registrations = trio.open_memory_channel[int](10)

    async def accept_and_die(stream: trio.SocketStream) -> None:
        async with stream:
            await stream.receive_some(16)
            await stream.send_all(b"\0\0\0\1")
            registered.send_nowait(1)

    (listener,) = await open_listeners("127.0.0.1", 0)
    nursery.start_soon(trio.serve_listeners, accept_and_die, [listener])
    chat = Chat(bytes(32), 1, retry=0.001)
    nursery.start_soon(chat.run, "127.0.0.1", listener.socket.getsockname()[1])
    with trio.fail_after(10):
        for _ in range(3):
            chat.announce(1, "hello")
            await registrations.receive()
    nursery.cancel_scope.cancel()


def test_announcements_without_a_taunt_server_are_dropped_at_last() -> None:
    chat = Chat(bytes(32), 1)
    for _ in range(2000):
        chat.announce(1, "hello")
