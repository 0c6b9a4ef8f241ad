"""People at the tables of a server: the chat, lists of tables, seats that are left and taken again.

The server runs in the process of the test; those that are killed are processes of their own.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
import trio

from tests.clients.tables import chat, house
from tests.integration.house import HOST, Caller, options, register
from tests.soak.soak_server import free_port
from tests.soak.soak_server import server as killable

from .play import hand, legal, my_turn, pass_cards, play_on, settle
from .terminal import PATIENCE, Terminal, terminal

ENTER, ESCAPE, TAB = "\r", "\x1b", "\t"
START = "Play now against three computers"
QUICKLY = ("--fill-after", "0")
_COLORS = re.compile(rb"\x1b\[[0-9;]*m")


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """The server's own."""
    folder = tmp_path / "server"
    folder.mkdir(mode=0o700)
    return folder


def colors(said: bytes) -> set[int]:
    """The codes that change a colour, among all attributes that were set."""
    codes = {
        int(code)
        for sequence in _COLORS.findall(said)
        for code in sequence[2:-1].split(b";")
        if code
    }
    plain = {0, 1, 2, 3, 4, 5, 7, 9, 10, 22, 23, 24, 25, 27, 29, 39, 49}
    return codes - plain


async def test_the_chat_of_two_people(tmp_path: Path, data_dir: Path) -> None:
    """One of them has colours and all signs, the other one neither."""
    zoe, bob = tmp_path / "zoe", tmp_path / "bob"
    settle(zoe, taunts=["Ouch."])
    settle(bob)
    async with chat(data_dir) as (chat_port, _), house(data_dir) as port:
        where = (f"{HOST}:{port}", "--taunt-port", str(chat_port), "--table", "friends")
        async with (
            terminal(zoe, *where, "--computers", "2", "--name", "Zoë") as first,
            AsyncExitStack() as stack,
        ):
            await first.wait_for("Zoë (you)")
            how = ("--name", "Bob", "--color", "never")
            plain = terminal(bob, *where, *how, PYTHONIOENCODING="ascii", LC_ALL="C")
            second = await stack.enter_async_context(plain)
            await first.wait_for("Mark three")
            await second.wait_for("Mark three")
            await first.wait_for("/ to talk")

            # What is typed for the others is no card, though it sounds like one.
            first.type("/")
            await first.wait_for("back to the cards")
            first.type("qs 2c ♥ naïve" + ENTER)
            await first.wait_for("You: qs 2c")
            assert first.shows("(0 marked)")
            await second.wait_for("1 new")
            await second.wait_for("Zoe: qs 2c")

            # Who opens the chat has read it.
            second.type(TAB)
            await second.wait_until_gone("1 new")
            second.type("hello" + ENTER)
            await first.wait_for("Bob: hello")
            first.type(ESCAPE)
            await first.wait_for("/ to talk")
            second.type("again" + ENTER)
            await first.wait_for("1 new")
            first.type("!1")
            await second.wait_for("Ouch.")

            first.type("/")
            await first.wait_for("back to the cards")
            first.type("/mute bob" + ENTER)
            await first.wait_until_gone("Bob: hello")
            second.type("anybody?" + ENTER)
            await second.wait_for("You: anybody?")
            first.type("/unmute bob" + ENTER)
            await first.wait_for("Bob: again")
            assert not first.shows("anybody?")

            first.type(ESCAPE)
            await first.wait_for("(0 marked)")
            assert second.said.isascii()
            assert not colors(second.said)
            assert colors(first.said)
            assert not first.said.isascii()


@asynccontextmanager
async def guest(port: int, name: str, computers: int = 0) -> AsyncIterator[None]:
    """Somebody who sits down and does nothing."""
    async with await trio.open_tcp_stream(HOST, port) as stream:
        blocks = (-2, *options(computers=computers)) if computers else ()
        await register(Caller(stream), *blocks, name=name)
        yield


def type_server(screen: Terminal, port: int) -> None:
    """Fill in where the server is, on the start screen."""
    field = screen.find("Server ")
    assert field is not None
    screen.click(field[0] + 14, field[1])
    screen.type(f"\x15\x0b{HOST}:{port}")


async def test_tables_from_the_start_screen(tmp_path: Path, data_dir: Path) -> None:
    settle(tmp_path)
    async with (
        house(data_dir) as port,
        guest(port, "Gustav", computers=0b1110),
        guest(port, "Wanda"),
        terminal(tmp_path, "--name", "Ann") as screen,
    ):
        await screen.wait_for(START)
        nobody = free_port()
        type_server(screen, nobody)
        await screen.wait_for(f"{HOST}:{nobody}")
        screen.click_text("Join the next")
        await screen.wait_for(f"Cannot connect to {HOST}:{nobody}: Connection refused")

        type_server(screen, port)
        await screen.wait_for(f"{HOST}:{port} ")
        screen.click_text("Tables")
        await screen.wait_for("Gustav")
        assert screen.shows("Wanda")
        screen.click_text("Gustav")
        await screen.wait_for(lambda: any(">" in line and "game" in line for line in screen.lines))
        screen.type("w")
        await screen.wait_for("Hand 1")
        assert screen.shows("Gustav")
        assert screen.shows("Curly")
        assert not screen.shows("Mark three")
        screen.type("m")
        await screen.wait_for("Leave the table")
        screen.type("x")

        await screen.wait_for("Public tables at")
        assert any(line.startswith(" >") and "Gustav" in line for line in screen.lines)
        screen.click_text("Wanda")
        await screen.wait_for(lambda: any(">" in line and "Wanda" in line for line in screen.lines))
        screen.type(ENTER)
        await screen.wait_for("Ann (you)")
        assert screen.shows("Wanda")
        screen.type("m")
        await screen.wait_for("Leave the table")
        screen.type("x")
        await screen.wait_for(START)


async def test_the_list_of_tables_is_fresh(tmp_path: Path, data_dir: Path) -> None:
    """The list shows without a key that somebody comes or goes."""
    settle(tmp_path)
    async with house(data_dir) as port, terminal(tmp_path, "--name", "Ann") as screen:
        await screen.wait_for(START)
        type_server(screen, port)
        await screen.wait_for(f"{HOST}:{port} ")
        screen.click_text("Tables")
        await screen.wait_for("There is no public table.")
        async with guest(port, "Wanda"):
            await screen.wait_for("Wanda")
            await screen.wait_for("A game to 100 points, no clock: standard rules.")
        await screen.wait_for("There is no public table.")


class SlowDoor:
    """Passes the bytes of each client on to a server; something may be done before a connection."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.before: list[Callable[[], Awaitable[None]]] = []
        """Acts before the next connections, one after the other."""

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[int]:
        async with trio.open_nursery() as nursery:
            (listener,) = await trio.open_tcp_listeners(0, host=HOST)
            nursery.start_soon(trio.serve_listeners, self._pass_on, [listener])
            yield listener.socket.getsockname()[1]
            nursery.cancel_scope.cancel()

    async def _pass_on(self, client: trio.SocketStream) -> None:
        if self.before:
            await self.before.pop(0)()
        server = await trio.open_tcp_stream(HOST, self._port)
        async with client, server, trio.open_nursery() as both:
            both.start_soon(self._copy, server, client)
            await self._copy(client, server)

    async def _copy(self, source: trio.SocketStream, target: trio.SocketStream) -> None:
        async for data in source:
            await target.send_all(data)
        await target.send_eof()


@pytest.mark.heavy
async def test_a_table_that_goes_while_somebody_comes(tmp_path: Path, data_dir: Path) -> None:
    """It is there when the list is read, and gone when they connect: no private one is left."""
    settle(tmp_path)
    async with house(data_dir) as port, AsyncExitStack() as stack:
        wanda = await stack.enter_async_context(AsyncExitStack())
        await wanda.enter_async_context(guest(port, "Wanda"))
        door = SlowDoor(port)
        address = await stack.enter_async_context(door.listening())
        screen = await stack.enter_async_context(terminal(tmp_path, "--name", "Ann"))
        await screen.wait_for(START)
        type_server(screen, address)
        await screen.wait_for(f"{HOST}:{address} ")
        screen.click_text("Tables")
        await screen.wait_for("Wanda")
        door.before = [trio.lowlevel.checkpoint, wanda.aclose]
        screen.type(ENTER)
        await screen.wait_for("Table 1 is gone. These are the tables now.")
        assert not screen.shows("Ann (you)")


async def test_a_table_of_ones_own(tmp_path: Path, data_dir: Path) -> None:
    settle(tmp_path)
    async with (
        house(data_dir) as port,
        terminal(tmp_path, "--name", "Ann") as screen,
        AsyncExitStack() as stack,
    ):
        await screen.wait_for(START)
        type_server(screen, port)
        await screen.wait_for(f"{HOST}:{port} ")
        screen.click_text("New table")
        await screen.wait_for(f"A new table at {HOST}:{port}")
        screen.click_text("jack of diamonds")
        await screen.wait_for("The rules: jack")
        # What the host of this server allows.
        for level in ("novice", "simple", "swift"):
            assert screen.shows(f") {level}")
        for level in ("strong", "expert"):
            assert not screen.shows(f") {level}")
        screen.click_text("[o] Open")
        await screen.wait_for("Ann (you)")
        for name in ("Bob", "Cleo"):
            await stack.enter_async_context(guest(port, name))
            await screen.wait_for(name)
        assert screen.shows("(free)")
        await stack.enter_async_context(guest(port, "Dan"))
        await screen.wait_for("Mark three")
        assert screen.shows("jack")
        screen.type("r")
        await screen.wait_for("jack of diamonds")


async def test_a_seat_that_was_left_and_every_size(tmp_path: Path, data_dir: Path) -> None:
    settle(tmp_path)
    async with (
        house(data_dir, *QUICKLY) as port,
        terminal(tmp_path, f"{HOST}:{port}", "--name", "Ann") as screen,
    ):
        await pass_cards(screen)
        await my_turn(screen, 1)
        held = set(hand(screen))

        screen.resize(120, 40)
        await screen.wait_for(lambda: screen.lines[39] and screen.shows("Your turn"))
        assert set(hand(screen)) == held
        await play_on(screen, 1, 1)
        await my_turn(screen, 2)
        held = set(hand(screen))

        screen.resize(40, 10)
        await screen.wait_for("too small")
        assert screen.shows("40x10")
        screen.type(ENTER + "f")  # What is not seen is not played.
        screen.resize(80, 24)
        await my_turn(screen, 2)
        assert set(hand(screen)) == held

        screen.type("m")
        await screen.wait_for("Leave the table")
        screen.type("x")
        await screen.wait_for("Come back to")
        assert f"[{HOST}:{port} " in screen.text
        screen.type("1")
        await my_turn(screen, 2)
        assert set(hand(screen)) == held
        screen.type(str(legal(screen)[0]).lower() + ENTER)
        await my_turn(screen, 3)


async def test_a_server_that_is_killed(tmp_path: Path, data_dir: Path) -> None:
    settle(tmp_path)
    with killable(data_dir, *QUICKLY) as server:
        server.begin()
        await trio.to_thread.run_sync(server.wait_ready)
        async with terminal(tmp_path, f"{HOST}:{server.port}", "--name", "Ann") as screen:
            await pass_cards(screen)
            await play_on(screen, 1, 4)
            await my_turn(screen, 5)
            held = set(hand(screen))
            server.kill()
            await screen.wait_for("Connection lost")
            screen.type(ENTER)  # Nobody hears that.
            server.begin()
            await trio.to_thread.run_sync(server.wait_ready)
            await my_turn(screen, 5)
            assert set(hand(screen)) == held
            await play_on(screen, 5, 13)
            await screen.wait_for("Hand 1 is over")
            assert b"Traceback" not in screen.said
        server.kill()
    assert server.errors() == []


async def test_a_private_table_is_started_with_computers(tmp_path: Path, data_dir: Path) -> None:
    """Two friends wait at it, talk, read how others come, and invite somebody who waits for that;
    one key of the opener begins."""
    zoe, bob, eve = (tmp_path / name for name in ("zoe", "bob", "eve"))
    for home in (zoe, bob, eve):
        settle(home)
    async with house(data_dir) as port:
        where = (f"{HOST}:{port}", "--taunt-port", "0", "--table", "club")
        async with (
            terminal(zoe, *where, "--rules", "jack", "--name", "Zoe") as first,
            AsyncExitStack() as stack,
        ):
            await first.wait_for("Table club, a private one")
            await first.wait_for(f"hearts-client YOUR-ADDRESS:{port} --table club")
            assert first.shows("--taunt-port 0")
            await first.wait_for("the jack of diamonds counts 10")
            plain = terminal(bob, *where, "--name", "Bob", "--plain")
            second = await stack.enter_async_context(plain)
            await first.wait_for("Bob")
            await second.wait_for("At the table so far")
            first.type("/")
            await first.wait_for("back to the cards")
            first.type("two more?" + ENTER)
            await second.wait_for("Zoe says: two more?")
            second.type("/say no" + ENTER)
            await first.wait_for("Bob: no")
            first.type(ESCAPE)
            await first.wait_for("start with computers")
            third = await stack.enter_async_context(terminal(eve, "--name", "Eve"))
            await third.wait_for(START)
            type_server(third, port)
            await third.wait_for(f"{HOST}:{port} ")
            third.click_text("Wait to be invited")
            await third.wait_for("Others may invite you")
            first.type("i")
            await first.wait_for("Eve, a person")
            first.type(ENTER)
            await third.wait_for("Zoe invites you to the table club. Do you accept?")
            third.type("y")
            await third.wait_for("Table club, a private one")
            await third.wait_until_gone("Others may invite you")
            await first.wait_for("Eve")
            await first.wait_for("start with computers")
            first.type("g")
            await first.wait_for("Mark three")
            await third.wait_for("Mark three")
            await second.wait_for("Played by a computer: Moe.")


BARE = 'face.small = ["{rank}{suit}  ", "     ", "     ", "     ", "     "]'


async def test_a_name_on_the_command_line_is_that_of_the_start_screen(tmp_path: Path) -> None:
    settle(tmp_path)
    designs = tmp_path / "config" / "hearts-client" / "designs"
    designs.mkdir()
    (designs / "bare.toml").write_text(BARE)
    (designs / "wrong.toml").write_text("face = 1")
    async with terminal(tmp_path, "--name", "Quentin", "--taunt-port", "8001") as screen:
        await screen.wait_for(START)
        assert screen.shows("The cards wrong.toml cannot be used: face: expected object, got int.")
        assert screen.shows("Quentin")
        assert screen.shows("8001")
        # It is not the name of another person, who has settings of her own.
        screen.type("f")
        await screen.wait_for("New profile")
        screen.type(f"{TAB}Zoë{ENTER}m")
        await screen.wait_for("Profile: Zoë")
        assert not screen.shows("Quentin")
        assert screen.shows("8001")
        screen.type("o")
        await screen.wait_for("What the cards look")
        screen.click_text("bare")
        screen.type(ESCAPE)
        await screen.wait_for("Profile: Zoë")
        screen.type("f")
        await screen.wait_for("Zoë (in use)")
        screen.type("0")
        await screen.wait_for("Profile: none")
        assert screen.shows("Quentin")
    folder = tmp_path / "config" / "hearts-client"
    of_zoe = json.loads((folder / "profiles" / "Zoë" / "settings.json").read_text())
    assert of_zoe["own_cards"] == "bare"
    assert "own_cards" not in json.loads((folder / "settings.json").read_text())


async def test_a_table_that_there_is_already(tmp_path: Path, data_dir: Path) -> None:
    """Whoever wishes for rules is told that there are others, and asked."""
    zoe, bob, dan = tmp_path / "zoe", tmp_path / "bob", tmp_path / "dan"
    for home in (zoe, bob, dan):
        settle(home)
    async with house(data_dir) as port:
        where = (f"{HOST}:{port}", "--taunt-port", "0", "--table", "club")
        async with (
            terminal(zoe, *where, "--rules", "jack", "--name", "Zoe", "--plain") as first,
            AsyncExitStack() as stack,
        ):
            await first.wait_for("There is no table club yet")
            await first.wait_for("At the table so far")
            plain = terminal(bob, *where, "--rules", "mac2000", "--name", "Bob", "--plain")
            second = await stack.enter_async_context(plain)
            await second.wait_for("There is a table club already, opened by Zoe")
            await second.wait_for("Type yes or no.")
            second.type("no" + ENTER)
            await second.ended()
            assert not first.shows("Bob")

            full = terminal(dan, *where, "--rules", "mac2000", "--name", "Dan")
            third = await stack.enter_async_context(full)
            await third.wait_for("There is a table club already, opened by Zoe")
            third.type("j")
            await first.wait_for("you and Dan")
            await third.wait_for("Zoe can start with computers")


async def test_too_small_for_a_seat(tmp_path: Path) -> None:
    """It is told before anybody is called."""
    called: list[bool] = []
    has_called = trio.Event()
    sizes = [(60, 20)]

    async def receive(stream: trio.SocketStream) -> None:
        called.append(sizes == [(60, 20)])
        has_called.set()
        await trio.sleep_forever()

    async with trio.open_nursery() as nursery:
        (listener,) = await trio.open_tcp_listeners(0, host=HOST)
        nursery.start_soon(trio.serve_listeners, receive, [listener])
        port = listener.socket.getsockname()[1]
        async with terminal(tmp_path, f"{HOST}:{port}", size=sizes[0]) as screen:
            await screen.wait_for("too small")
            # By the time that it has drawn another size it would have called.
            for size in ((61, 20), (62, 20)):
                screen.resize(*size)
                await screen.wait_for(f"{size[0]}x{size[1]}")
            sizes[:] = [(80, 24)]
            screen.resize(*sizes[0])
            await screen.wait_for("Waiting for the table")
            # The client sees its connection before the listener has taken it.
            with trio.fail_after(PATIENCE):
                await has_called.wait()
            assert called == [False]
        nursery.cancel_scope.cancel()
