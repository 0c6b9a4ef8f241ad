"""Doors of the chat over real sockets, with a real taunt server: who hears whom, and who waits."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing

from hearts.net import (
    Pump,
    TcpStream,
    accept_connections,
    address_text,
    open_listeners,
)
from hearts.net.held import OpenGate
from hearts.net.places import close_at, open_at
from hearts.net.proxied import Proxied
from hearts.taunt import ChatRefused, ClientEvent, ClientSession, Delivery, Registered
from hearts.wire.credentials import issue
from hearts_server.cluster.calling import Caller
from hearts_server.cluster.chat_door import TAKEN, ChatDoor
from hearts_server.cluster.membership import Peer
from hearts_server.cluster.port import NodePort
from taunt_server.server import TauntServer

from .door_node import HOST, HOUSE, LIMIT, PLAIN, SECRET, STRANGER, Contexts

ANN_HOME, BOB_HOME = "127.0.0.5", "127.0.0.6"
PER_ADDRESS = 2
BOTH = pytest.mark.parametrize("contexts", [PLAIN, HOUSE])


class ChatNode:
    """A node as the chat sees it."""

    def __init__(
        self, life: int, own: str, nursery: trio.Nursery, contexts: Contexts, hold_limit: float
    ) -> None:
        self.life = life
        self.lobby: Peer | None = None
        self.has_chat = True
        self.refusing: set[str] = set()
        self.address = ""
        self.where = ("", 0)
        self.port = NodePort(SECRET, lambda: [life], contexts[0])
        self.own = own
        self._nursery = nursery
        self._pump = Pump(OpenGate())
        nursery.start_soon(self._pump.run)
        self.door = ChatDoor(
            Caller(SECRET, contexts[1]),
            lambda: self,
            lambda: self.has_chat,
            own,
            self._pump,
            hold_limit,
        )

    def refused(self, peer: Peer) -> None:
        self.refusing.add(peer.name)

    async def begin(self, stack: AsyncExitStack) -> None:
        (inner,) = await open_listeners(HOST, 0)
        (outer,) = await open_listeners(HOST, 0)
        await stack.enter_async_context(inner)
        await stack.enter_async_context(outer)
        nursery, port = self._nursery, self.port
        nursery.start_soon(accept_connections, [inner], port.admits, port.serve, nursery)
        nursery.start_soon(accept_connections, [outer], lambda home: True, self._serve, nursery)
        self.address = address_text(inner)
        self.where = outer.socket.getsockname()[:2]

    async def _serve(self, stream: trio.SocketStream, address: str) -> None:
        await self.door.serve(self._pump.link(stream, self._nursery), address)


class Talker:
    """A player who has come to the chat by some node."""

    def __init__(self, stream: trio.SocketStream, player: int) -> None:
        self.stream = stream
        self._session = ClientSession(issue(SECRET, 7, player, 1000 + player))

    async def register(self) -> ClientEvent | None:
        await self.stream.send_all(self._session.register())
        return await self.hear()

    async def say(self, text: str) -> None:
        await self.stream.send_all(self._session.taunt(text))

    async def hear(self) -> ClientEvent | None:
        """The next event; None at the end."""
        while (event := self._session.next_event()) is None:
            try:
                data = await self.stream.receive_some()
            except trio.BrokenResourceError:
                return None
            if not data:
                return None
            self._session.feed(bytes(data))
        return event


class ChatClub:
    """Two nodes; the first is the lobby, and its taunt server the club's."""

    def __init__(self, nodes: list[ChatNode], nursery: trio.Nursery) -> None:
        self.first, self.second = nodes
        self.nodes = nodes
        self._nursery = nursery
        self._taunts = trio.CancelScope()

    def make_lobby(self, lobby: ChatNode) -> None:
        """Say that a node is it, and let it take the chat's clients."""
        for node in self.nodes:
            node.lobby = Peer(lobby.life, "lobby", lobby.address, 1)
        lobby.port.take_chat(lobby.door.take_in)

    async def begin_chat(self, node: ChatNode) -> None:
        """Start the taunt server of a node."""
        self._taunts = trio.CancelScope()
        await self._nursery.start(self._run_taunts, node, self._taunts)

    def end_chat(self) -> None:
        self._taunts.cancel()

    async def _run_taunts(
        self,
        node: ChatNode,
        scope: trio.CancelScope,
        task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        server = TauntServer(SECRET, max_connections=20, max_per_address=PER_ADDRESS)
        pump = Pump()
        behind = Proxied(server.admits, partial(server.handle, pump, None))
        listeners = await open_at(node.own)
        try:
            with scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(pump.run)
                    serve = behind.admits, behind.serve
                    nursery.start_soon(accept_connections, listeners, *serve, nursery)
                    task_status.started()
        finally:
            close_at(node.own, listeners)

    @asynccontextmanager
    async def talker(
        self, node: ChatNode, player: int, home: str = ANN_HOME
    ) -> AsyncIterator[Talker]:
        stream = await trio.open_tcp_stream(*node.where, local_address=home)
        async with stream:
            yield Talker(stream, player)


@asynccontextmanager
async def club(
    folder: Path,
    contexts: Contexts = PLAIN,
    others: Contexts | None = None,
    hold_limit: float = LIMIT,
) -> AsyncIterator[ChatClub]:
    """Two nodes, without a lobby; ``others`` is what the second has to show."""
    async with trio.open_nursery() as nursery, AsyncExitStack() as stack:
        nodes = []
        for life, own in ((3, contexts), (4, others or contexts)):
            node = ChatNode(life, str(folder / f"chat-{life}"), nursery, own, hold_limit)
            await node.begin(stack)
            nodes.append(node)
        with trio.fail_after(LIMIT):
            yield ChatClub(nodes, nursery)
        nursery.cancel_scope.cancel()


@BOTH
async def test_players_at_two_nodes_hear_each_other(tmp_path: Path, contexts: Contexts) -> None:
    async with club(tmp_path, contexts) as made:
        made.make_lobby(made.first)
        await made.begin_chat(made.first)
        async with made.talker(made.first, 0) as ann, made.talker(made.second, 1) as bob:
            for talker in (ann, bob):
                assert await talker.register() == Registered()
            for player, talker in enumerate((ann, bob)):
                await talker.say("hello")
                assert await ann.hear() == await bob.hear() == Delivery(player, "hello")


async def test_limits_count_the_address_of_a_client_at_whatever_node(tmp_path: Path) -> None:
    async with club(tmp_path) as made:
        made.make_lobby(made.first)
        await made.begin_chat(made.first)
        async with AsyncExitStack() as stack:
            for number, home in ((0, ANN_HOME), (1, ANN_HOME), (0, BOB_HOME), (1, BOB_HOME)):
                where = made.talker(made.nodes[number], 0, home)
                assert await (await stack.enter_async_context(where)).register() == Registered()
            for node in made.nodes:
                async with made.talker(node, 1) as late:
                    assert await late.register() == ChatRefused()
                    assert await late.hear() is None


async def test_wrong_numbers_are_refused_as_ever(tmp_path: Path) -> None:
    async with club(tmp_path) as made:
        made.make_lobby(made.first)
        await made.begin_chat(made.first)
        async with made.talker(made.second, 0) as eve:
            await eve.stream.send_all(bytes(16))
            assert await eve.stream.receive_some() == b"\xff\xff\xff\xff"
            assert await eve.stream.receive_some() == b""


async def test_who_finds_no_chat_is_told_to_try_again(tmp_path: Path) -> None:
    async with club(tmp_path, hold_limit=0.05) as made:
        for node in made.nodes:
            # There is no lobby; then one that has none.
            async with made.talker(node, 0) as ann:
                assert await ann.register() == ChatRefused()
                assert await ann.hear() is None
            made.make_lobby(made.first)


async def test_nobody_at_the_address_of_the_lobby_is_told(tmp_path: Path) -> None:
    async with club(tmp_path, hold_limit=0.3) as made:
        (gone,) = await open_listeners(HOST, 0)
        made.second.lobby = Peer(3, "gone", address_text(gone), 1)
        await gone.aclose()
        async with made.talker(made.second, 0) as ann:
            assert await ann.register() == ChatRefused()
        assert made.second.refusing == {"gone"}
        # A chat that is away is no node that is gone.
        made.make_lobby(made.first)
        for node in made.nodes:
            node.refusing.clear()
            async with made.talker(node, 0) as ann:
                assert await ann.register() == ChatRefused()
            assert node.refusing == set()


@pytest.mark.parametrize("known", [True, False])
async def test_who_comes_before_the_chat_waits_for_it(tmp_path: Path, known: bool) -> None:
    async with club(tmp_path) as made, AsyncExitStack() as stack:
        for node in made.nodes:
            node.has_chat = known
        talkers = [
            await stack.enter_async_context(made.talker(node, player))
            for player, node in enumerate(made.nodes)
        ]
        async with trio.open_nursery() as nursery:
            for talker in talkers:
                nursery.start_soon(talker.register)
            await trio.testing.wait_all_tasks_blocked(0.01)
            made.make_lobby(made.first)
            await made.begin_chat(made.first)
            for node in made.nodes:
                node.has_chat = True
        await talkers[0].say("hello")
        for talker in talkers:
            assert await talker.hear() == Delivery(0, "hello")


@BOTH
async def test_a_chat_that_ends_is_found_again_at_the_next_lobby(
    tmp_path: Path, contexts: Contexts
) -> None:
    async with club(tmp_path, contexts) as made:
        made.make_lobby(made.first)
        await made.begin_chat(made.first)
        async with made.talker(made.second, 0) as ann:
            assert await ann.register() == Registered()
            made.end_chat()
            assert await ann.hear() is None
        made.make_lobby(made.second)
        await made.begin_chat(made.second)
        for node in made.nodes:
            async with made.talker(node, 0) as ann:
                assert await ann.register() == Registered()


async def test_a_connection_ends_when_the_life_of_the_lobby_does(tmp_path: Path) -> None:
    async with club(tmp_path) as made:
        made.make_lobby(made.first)
        await made.begin_chat(made.first)
        async with made.talker(made.second, 0) as ann:
            assert await ann.register() == Registered()
            made.second.door.lives_changed({3, 4})
            await ann.say("hello")
            assert await ann.hear() == Delivery(0, "hello")
            # It stands still, and says nothing of its end.
            made.second.door.lives_changed({4})
            assert await ann.hear() is None


async def test_a_life_that_ends_while_it_is_called_is_led_to_by_nobody(tmp_path: Path) -> None:
    async with club(tmp_path) as made:
        made.make_lobby(made.first)
        called, over = trio.Event(), trio.Event()

        async def take_in(stream: TcpStream, address: str) -> None:
            called.set()
            await over.wait()
            await stream.send_all(TAKEN)
            # It stands still, and says nothing of its end.
            await trio.sleep_forever()

        made.first.port.take_chat(take_in)
        made.second.door.lives_changed({3, 4})
        async with made.talker(made.second, 0) as ann:
            await called.wait()
            made.second.door.lives_changed({4})
            over.set()
            assert await ann.hear() is None


async def test_who_leaves_leaves_the_chat(tmp_path: Path) -> None:
    async with club(tmp_path) as made:
        made.make_lobby(made.first)
        await made.begin_chat(made.first)
        # More than may be there at once.
        for _ in range(2 * PER_ADDRESS):
            async with made.talker(made.second, 0) as ann:
                assert await ann.register() == Registered()
                await ann.stream.send_eof()
                assert await ann.hear() is None


async def test_a_node_that_is_not_the_lobby_takes_nobody(tmp_path: Path) -> None:
    async with club(tmp_path, hold_limit=0.3) as made:
        made.second.lobby = Peer(3, "lobby", made.first.address, 1)
        await made.begin_chat(made.first)
        async with made.talker(made.second, 0) as ann:
            assert await ann.register() == ChatRefused()
        made.first.port.take_chat(made.first.door.take_in)
        made.first.port.shut()
        async with made.talker(made.second, 0) as ann:
            assert await ann.register() == ChatRefused()


async def test_a_node_that_the_authority_has_not_certified_leads_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with club(tmp_path, HOUSE, STRANGER, hold_limit=0.3) as made:
        made.make_lobby(made.first)
        await made.begin_chat(made.first)
        async with made.talker(made.second, 0) as ann:
            assert await ann.register() == ChatRefused()
    assert "not-a-node" in caplog.text
