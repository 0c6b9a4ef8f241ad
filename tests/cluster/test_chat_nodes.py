"""The chat of whole nodes, with a database: TLS, limits, the page, and a lobby that is gone."""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
import trio

from hearts.taunt import Status, encode_delivery, encode_numbers, encode_status
from hearts.wire.credentials import SECRET_BYTES, SeatCredentials, issue
from hearts.wire.proxy_header import proxy_header
from hearts_client.library.reach import Tls
from hearts_server.commands.node import run_node
from hearts_server.console_protocol import (
    CONSOLE_FILE,
    Answer,
    Done,
    Request,
    SayToTables,
    decode_answer,
    encode,
)
from hearts_server.given_settings import parse_config
from tests.integration.house import HOST, Caller, options, register
from tests.integration.test_tls import Ear, say
from tests.postgres.place import Schema
from tests.postgres.server import PostgresServer
from tests.soak.server import free_port
from tests.web.browser import Browser

from .test_nodes import FILES, NODE_TLS

LIMIT = 60
SECRET = b"s" * SECRET_BYTES
HOUSE = ("--tls-cert", str(FILES / "house.pem"), "--tls-key", str(FILES / "house.key"))
TRUSTING = Tls(FILES / "house.pem")
NO_PAGE = ("--no-web",)
CHAT = "hearts-server leads to the chat at "


@pytest.fixture
def place(postgres: PostgresServer) -> Schema:
    return Schema(postgres)


class ChattyNode:
    """A node in this process, and what it says to its host."""

    def __init__(self, folder: Path, name: str, place: Schema, *more: str) -> None:
        self.folder = folder / name
        self.folder.mkdir(mode=0o700)
        (self.folder / "secret").write_bytes(SECRET)
        (self.folder / "secret").chmod(0o600)
        self.config = parse_config(
            [
                *("--host", HOST, "--port", "0", "--taunt-port", "0", "--web-port", "0"),
                *("--data-dir", str(self.folder), "--store", place.url),
                *("--node", name, "--node-listen", f"{HOST}:0", "--bot-pause", "0", *more),
            ]
        )
        self._say, self._said = trio.open_memory_channel[str](100)
        self._lines: list[str] = []
        self._scope = trio.CancelScope()
        self._ended = trio.Event()

    async def run(self) -> None:
        with self._scope:
            await run_node(self.config, self._say.send_nowait)
        self._ended.set()

    async def end(self) -> None:
        """End it, and wait for that."""
        self._scope.cancel()
        await self._ended.wait()

    async def port(self, words: str) -> int:
        """The port in the line that begins so."""
        found = re.search(r":(\d+)(?:$|/)", await self._line(words))
        assert found is not None
        return int(found[1])

    async def has_begun(self) -> None:
        """Wait until it takes connections."""
        await self._line("hearts-server is node ")

    async def _line(self, words: str) -> str:
        while not any(line.startswith(words) for line in self._lines):
            self._lines.append(await self._said.receive())
        return next(line for line in self._lines if line.startswith(words))


@asynccontextmanager
async def chatty(
    folder: Path, place: Schema, *more: str, count: int = 2
) -> AsyncIterator[list[ChattyNode]]:
    """Nodes, the first of which is the lobby."""
    nodes = [ChattyNode(folder, f"n{number}", place, *more) for number in range(count)]
    with trio.fail_after(LIMIT):
        async with trio.open_nursery() as nursery:
            for node in nodes:
                nursery.start_soon(node.run)
                await node.has_begun()
            yield nodes
            nursery.cancel_scope.cancel()


def ear(player: int) -> Ear:
    return Ear(issue(SECRET, 7, player, 1000 + player))


async def ports(nodes: list[ChattyNode], words: str) -> list[int]:
    return [await node.port(words) for node in nodes]


async def test_players_hear_each_other_over_tls_and_find_the_next_chat(
    tmp_path: Path, place: Schema
) -> None:
    async with chatty(tmp_path, place, *NO_PAGE, *HOUSE, *NODE_TLS) as nodes:
        where = await ports(nodes, CHAT)
        ann, bob = ears = [ear(0), ear(1)]
        async with trio.open_nursery() as nursery:
            for each, port in zip(ears, where, strict=True):
                nursery.start_soon(each.chat.run, HOST, port, TRUSTING)
                await each.chat.settled.wait()
            for player, each in enumerate(ears):
                await say(each.chat, "hello")
                for other in ears:
                    assert await other.heard.receive() == (player, "hello")
            await nodes[0].end()
            # The chat that he heard is gone, and his node has found the next one.
            assert await bob.told.receive() is not None
            assert await bob.told.receive() is None
            await say(bob.chat, "still here")
            assert await bob.heard.receive() == (1, "still here")
            assert await ann.told.receive() is not None
            nursery.cancel_scope.cancel()


async def test_an_address_has_its_places_at_all_nodes_together(
    tmp_path: Path, place: Schema
) -> None:
    limits = ("--max-per-address", "2", "--max-per-network", "2,2,2")
    async with chatty(tmp_path, place, *NO_PAGE, *limits) as nodes:
        where = await ports(nodes, CHAT)
        async with trio.open_nursery() as nursery:
            for player, port in enumerate(where):
                each = ear(player)
                nursery.start_soon(each.chat.run, HOST, port)
                await say(each.chat, "hello")
                assert await each.heard.receive() == (player, "hello")
            for port in where:
                late = ear(2)
                nursery.start_soon(late.chat.run, HOST, port)
                assert await late.told.receive() == "the taunt server does not let us in"
            nursery.cancel_scope.cancel()


async def test_the_page_of_any_node_leads_to_the_game_and_to_the_chat(
    tmp_path: Path, place: Schema
) -> None:
    async with chatty(tmp_path, place) as nodes:
        (port,) = await ports(nodes[:1], CHAT)
        page = await nodes[1].port("play in a browser: ")
        async with trio.open_nursery() as nursery, Browser(page) as game, Browser(page) as chat:
            ann = ear(0)
            nursery.start_soon(ann.chat.run, HOST, port)
            await game.open("/game")
            assert await game.hear(4) == bytes(4)
            await chat.open("/chat")
            await chat.say(encode_numbers(issue(SECRET, 7, 1, 1001)))
            assert await chat.hear(4) == encode_status(Status.REGISTERED)
            await say(ann.chat, "hello")
            delivery = encode_delivery(0, "hello")
            assert await chat.hear(len(delivery)) == delivery
            nursery.cancel_scope.cancel()


async def test_a_balancer_says_whose_a_connection_is(tmp_path: Path, place: Schema) -> None:
    behind = f"{HOST}:{free_port()}"
    more = ("--taunt-proxy-listen", behind, "--max-per-address", "1", "--max-per-network", "1,1,1")
    async with chatty(tmp_path, place, *NO_PAGE, *more, count=1) as nodes:
        await ports(nodes, CHAT)
        host, _, port = behind.rpartition(":")
        async with AsyncExitStack() as stack:
            for address, status in (
                ("192.0.2.7", Status.REGISTERED),
                ("198.51.100.1", Status.REGISTERED),
                ("192.0.2.7", Status.REFUSED),
            ):
                stream = await stack.enter_async_context(
                    await trio.open_tcp_stream(host, int(port))
                )
                await stream.send_all(proxy_header(address))
                await stream.send_all(encode_numbers(issue(SECRET, 7, 1, 1001)))
                assert await stream.receive_some(4) == encode_status(status)


async def sit_down(port: int, name: str) -> tuple[Caller, SeatCredentials]:
    """Somebody at a table with computers."""
    caller = Caller(await trio.open_tcp_stream(HOST, port))
    player = await register(caller, -2, *options(end=100, computers=0b1110), name=name)
    game, game_id = await caller.numbers(2)
    return caller, SeatCredentials(game, game_id, player, 1000)


async def at_console(node: ChattyNode, request: Request) -> Answer:
    """What the console of a node answers at last."""
    async with await trio.open_unix_socket(str(node.folder / CONSOLE_FILE)) as stream:
        await stream.send_all(encode(request))
        answer = b"".join([bytes(data) async for data in stream])
    return decode_answer(answer.splitlines()[-1])


async def until_heard(each: Ear, text: str) -> None:
    """Wait for a notice."""
    while await each.heard.receive() != (-1, text):
        pass


async def test_what_the_host_says_at_any_node_is_heard_and_kept_for_the_next_chat(
    tmp_path: Path, place: Schema, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    more = ("--tables-per-ipv4", "0", "--max-per-address", "0", "--turn-limit", "0")
    async with chatty(tmp_path, place, *NO_PAGE, *more, count=3) as nodes:
        while caplog.text.count("node-heard") < 9:  # noqa: ASYNC110
            await trio.sleep(0.02)
        where = await ports(nodes, CHAT)
        games = await ports(nodes, "hearts-server is node ")
        async with trio.open_nursery() as nursery, AsyncExitStack() as stack:
            seats = []
            for number, port in enumerate(games):
                caller, seat = await sit_down(port, f"Ann{number}")
                await stack.enter_async_context(caller.stream)
                seats.append(seat)
            # Each node has a table, and nobody hears the chat at his own.
            ears = [Ear(seat) for seat in seats]
            for each, port in zip(ears, where[1:] + where[:1], strict=True):
                nursery.start_soon(each.chat.run, HOST, port)
                await each.chat.settled.wait()
            for number, node in enumerate(nodes):
                assert isinstance(await at_console(node, SayToTables(f"hello {number}")), Done)
                await until_heard(ears[number], f"the host says: hello {number}")
            await nodes[0].end()
            for number in (1, 2):
                late = Ear(seats[number])
                nursery.start_soon(late.chat.run, HOST, where[number])
                await until_heard(late, f"the host says: hello {number}")
            nursery.cancel_scope.cancel()
