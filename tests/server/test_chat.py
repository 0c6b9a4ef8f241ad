"""The game server's connection to the chat: a taunt server that dies never hurts a game."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from hearts.hosting.table_chat import GameNotice, Said, SeatHolder, SeatMuted
from hearts.net import Pump, open_listeners
from hearts.net.listen import bound_private_socket, listen_at
from hearts.taunt.client import ClientSession, Delivery, Registered
from hearts.wire.credentials import issue
from hearts_server.children.chat import Chat
from taunt_server.server import TauntServer
from tests.independent.dealer_frames import SERVER_NOTICE
from tests.integration.dealers import converse, watcher
from tests.integration.house import HEARTS, House, four
from tests.net.stream_link import StreamLink

SECRET = bytes(32)


async def test_chat_comes_back_when_the_taunt_server_dies(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hearts_server.children.chat.RETRY", 0.001)
    registered, registrations = trio.open_memory_channel[int](10)

    async def accept_and_die(stream: trio.SocketStream) -> None:
        async with stream:
            await stream.receive_some(16)
            await stream.send_all(b"\0\0\0\1")
            registered.send_nowait(1)

    (listener,) = await open_listeners("127.0.0.1", 0)
    nursery.start_soon(trio.serve_listeners, accept_and_die, [listener])
    chat = Chat(SECRET, 1)
    nursery.start_soon(chat.run, "127.0.0.1", listener.socket.getsockname()[1])
    with trio.fail_after(10):
        for _ in range(3):
            chat.send(GameNotice(1, "hello"))
            await registrations.receive()


async def test_it_speaks_to_a_taunt_server_at_a_unix_socket(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    server = TauntServer(SECRET, max_connections=1, max_per_address=1)
    path = tmp_path / "announce"
    pump = Pump()
    nursery.start_soon(pump.run)
    serve = partial(server.serve_announcer, pump)
    nursery.start_soon(trio.serve_listeners, serve, listen_at([bound_private_socket(path)]))
    chat = Chat(SECRET, 1)
    there = trio.Event()

    def standing() -> tuple[Said, ...]:
        there.set()
        return ()

    chat.standing = standing
    nursery.start_soon(chat.run, "127.0.0.1", 0, None, path)
    with trio.fail_after(10):
        await there.wait()


class ChatAndServers:
    """A chat and the taunt servers that it speaks to, one after the other."""

    def __init__(self, nursery: trio.Nursery, standing: list[Said]) -> None:
        self._nursery = nursery
        self._scope = trio.CancelScope()
        self.chat = Chat(SECRET, 1)
        self.chat.standing = lambda: standing
        self.chat.changed = self._changed
        self.changes: list[bool] = []

    def _changed(self, is_back: bool) -> None:
        self.changes.append(is_back)
        self.chat.send(GameNotice(7, "the chat is back"))

    async def reach(self, *, is_new: bool = True) -> TauntServer:
        """A taunt server that knows nothing, and hears the chat from now on; without ``is_new`` it
        may know something, as far as the chat can tell."""
        server = TauntServer(SECRET, max_connections=10, max_per_address=10)
        ours, theirs = trio.testing.memory_stream_pair()
        self._scope = trio.CancelScope()
        self._nursery.start_soon(self._serve, server, theirs, self._scope)
        self._nursery.start_soon(partial(self.chat.speak, ours, is_new=is_new))
        await trio.testing.wait_all_tasks_blocked()
        return server

    @staticmethod
    async def _serve(
        server: TauntServer, stream: trio.abc.HalfCloseableStream, scope: trio.CancelScope
    ) -> None:
        with scope:
            await server.serve("game-server", lambda nursery: StreamLink(stream, nursery))

    async def lose(self) -> None:
        self._scope.cancel()
        await trio.testing.wait_all_tasks_blocked()

    async def heard(self, server: TauntServer, process_id: int = 1000) -> list[str] | None:
        """What player 0 of game 7 hears who comes now; None if they are refused."""
        ours, theirs = trio.testing.memory_stream_pair()
        self._nursery.start_soon(
            server.serve, "192.0.2.1", lambda nursery: StreamLink(theirs, nursery)
        )
        session = ClientSession(issue(SECRET, 7, 0, process_id))
        await ours.send_all(session.register())
        await trio.testing.wait_all_tasks_blocked()
        session.feed(bytes(await ours.receive_some(10_000)))
        if session.next_event() != Registered():
            return None
        deliveries = list(iter(session.next_event, None))
        return [said.text for said in deliveries if isinstance(said, Delivery)]


STANDING: list[Said] = [SeatHolder(7, 0, 5000), GameNotice(7, "as it stands")]


async def test_a_new_taunt_server_is_told_what_it_must_know_and_nothing_old(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    line = ChatAndServers(nursery, STANDING)
    line.chat.send(GameNotice(7, "before anybody heard"))
    first = await line.reach()
    line.chat.send(GameNotice(7, "new"))
    await trio.testing.wait_all_tasks_blocked()
    assert await line.heard(first, 5000) == ["as it stands", "new"]
    assert await line.heard(first) is None, "their seat has somebody else"
    await line.lose()
    assert line.changes == [False]
    for _ in range(10_000):
        line.chat.send(GameNotice(7, "while it was away"))
    line.chat.send(SeatHolder(7, 0, 1000))
    second = await line.reach()
    assert line.changes == [False, True]
    assert await line.heard(second, 5000) == ["as it stands", "the chat is back"]
    assert await line.heard(second) is None
    assert line.chat.sent == 4
    assert line.chat.dropped == 10_002


async def test_a_taunt_server_that_begins_is_told_the_last_notices_and_another_one_is_not(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    line = ChatAndServers(nursery, STANDING)
    line.chat.kept = lambda: [GameNotice(7, "Ann has left")]
    first = await line.reach()
    assert await line.heard(first, 5000) == ["as it stands", "Ann has left"]
    await line.lose()
    again = await line.reach(is_new=False)
    assert await line.heard(again, 5000) == ["as it stands", "the chat is back"]


async def test_what_stands_at_a_table_that_is_taken_up_later_is_told_then(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    line = ChatAndServers(nursery, [])
    line.chat.send_standing(STANDING)
    server = await line.reach()
    assert await line.heard(server) == []
    line.chat.send_standing(STANDING)
    await line.chat.drain()
    await trio.testing.wait_all_tasks_blocked()
    assert await line.heard(server, 5000) == ["as it stands"]


async def test_whose_a_seat_is_and_who_is_muted_pass_a_full_queue(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hearts_server.children.chat.QUEUED", 5)
    line = ChatAndServers(nursery, [SeatMuted(8, 1, 5001, True)])
    server = await line.reach()
    for _ in range(100):
        line.chat.send(GameNotice(1, "hello"))
    line.chat.send(SeatHolder(7, 0, 5000))
    line.chat.send(SeatMuted(7, 0, 5000, True))
    assert line.chat.dropped == 95
    await line.chat.drain()
    await trio.testing.wait_all_tasks_blocked()
    assert await line.heard(server) is None
    assert await line.heard(server, 5000) == []
    rooms = server._shared.rooms
    for game, player, process_id in ((7, 0, 5000), (8, 1, 5001)):
        assert rooms._muted[game, player] == (process_id, "")


async def test_nothing_is_told_while_nothing_may_be(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """It is told later: among it may be the promise of a deal, which is said once."""
    line = ChatAndServers(nursery, [])
    server = await line.reach()
    line.chat.may_tell = lambda: False
    line.chat.send(GameNotice(7, "once"))
    line.chat.send(SeatHolder(7, 0, 5000))
    await trio.sleep(3)
    assert (line.chat.sent, await line.heard(server)) == (0, [])
    line.chat.may_tell = lambda: True
    line.chat.send(GameNotice(7, "again"))
    await line.chat.drain()
    await trio.testing.wait_all_tasks_blocked()
    assert (line.chat.sent, line.chat.dropped) == (2, 0)
    assert await line.heard(server, 5000) == ["once", "again"]


async def test_the_last_words_wait_for_nobody_who_is_away(autojump_clock: MockClock) -> None:
    chat = Chat(SECRET, 1)
    chat.send(GameNotice(1, "hello"))
    await chat.drain()


def test_without_a_taunt_server_nothing_is_announced_and_nothing_dropped() -> None:
    chat = Chat(SECRET, 1, in_use=False)
    chat.send(GameNotice(1, "hello"))
    assert chat.dropped == 0


async def test_those_who_play_or_watch_are_told_that_it_is_away_and_back(made: House) -> None:
    async with trio.open_nursery() as nursery:
        callers = await four(made, -2, HEARTS, 0, 0)
        game = await callers[0].number()
        onlooker = watcher(game)
        nursery.start_soon(converse, await made.call(), onlooker.talk())
        await trio.testing.wait_all_tasks_blocked()
        for is_back in (False, True):
            made.server.chat.changed(is_back)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    notices = [frame["text"] for frame in onlooker.frames if frame.type == SERVER_NOTICE]
    assert notices == ["the chat is away; play goes on", "the chat is back"]
