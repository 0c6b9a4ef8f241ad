"""TLS from end to end: both servers, bots, chat, and what people are told when it does not work."""

from __future__ import annotations

import sys
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from hearts.bots import SimpleBot
from hearts.hosting.table_chat import GameNotice
from hearts.net import TlsLink, open_listeners, server_tls
from hearts.settings.table import ConfigError
from hearts.wire.credentials import SeatCredentials, issue
from hearts_client import CannotConnect, SessionResult, Tls, connect, play_session
from hearts_client.library.chat import CannotSend, ChatClient
from hearts_client.library.reach import open_stream
from hearts_server.commands.main import main
from hearts_server.given_settings import parse_config
from hearts_server.running.composition import run_server

from .house import HOST, listening

FILES = Path(__file__).parents[1] / "certificates"
ROOT = Path(__file__).parents[2]
TRUSTING = Tls(FILES / "house.pem")
LIMIT = 20


def files(name: str = "house", key: str = "") -> tuple[str, ...]:
    """The options of a server."""
    return (
        *("--tls-cert", str(FILES / f"{name}.pem")),
        *("--tls-key", str(FILES / f"{key or name}.key")),
    )


async def play(port: int, number: int, results: list[SessionResult]) -> None:
    result = await play_session(SimpleBot(), HOST, port, name=f"Bot {number}", tls=TRUSTING)
    results.append(result)


class ChatListener:
    """Somebody who registers with the taunt server and keeps what they hear, and is told."""

    def __init__(self, credentials: SeatCredentials) -> None:
        self._send, self.heard = trio.open_memory_channel[tuple[int, str]](100)
        self._tell, self.told = trio.open_memory_channel[str | None](100)
        self.chat = ChatClient(credentials, self._receive, self._tell.send_nowait)

    def _receive(self, player: int, text: str) -> None:
        self._send.send_nowait((player, text))


async def say(chat: ChatClient, text: str) -> None:
    """Say it as soon as the chat is registered."""
    while True:
        try:
            chat.send(text)
        except CannotSend:
            await trio.sleep(0.01)
        else:
            return


async def test_four_bots_play_over_tls_beside_bad_peers(tmp_path: Path) -> None:
    results: list[SessionResult] = []
    async with (
        listening(tmp_path, *files(), "--end-score", "20") as running,
        AsyncExitStack() as bad,
    ):
        for first in (b"", b"\x16\x03\x01", bytes(100), b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 5000):
            stream = await trio.open_tcp_stream(HOST, running.port)
            await bad.enter_async_context(stream)
            if first:
                await stream.send_all(first)
        with trio.fail_after(LIMIT):
            async with trio.open_nursery() as nursery:
                for number in range(4):
                    nursery.start_soon(play, running.port, number, results)
    assert [result.complete for result in results] == [True] * 4
    assert len({result.player for result in results}) == 4
    assert len({result.games for result in results}) == 1


async def test_chat_and_announcements_over_tls(tmp_path: Path, nursery: trio.Nursery) -> None:
    async with listening(tmp_path, *files(), without=("web",)) as running:
        secret = (tmp_path / "secret").read_bytes()
        ann, ben = (ChatListener(issue(secret, 7, seat, 1000 + seat)) for seat in (0, 1))
        with trio.fail_after(LIMIT):
            nursery.start_soon(ann.chat.run, HOST, running.taunt_port, TRUSTING)
            nursery.start_soon(ben.chat.run, HOST, running.taunt_port, Tls(insecure=True))
            await say(ann.chat, "well played")
            assert await ann.heard.receive() == (0, "well played")
            await say(ben.chat, "thanks")
            assert await ann.heard.receive() == (1, "thanks")
            running.server.chat.send(GameNotice(7, "Cleo has left"))
            assert await ann.heard.receive() == (-1, "Cleo has left")
        nursery.cancel_scope.cancel()


async def test_a_program_speaks_tls(tmp_path: Path) -> None:
    bot = "import sys; from hearts_client.commands.bot import main; sys.exit(main())"
    async with listening(tmp_path, *files(), "--end-score", "5") as running:
        where = ("--host", HOST, "--port", str(running.port), "--tls-ca", str(FILES / "house.pem"))
        with trio.fail_after(LIMIT):
            done = await trio.run_process(
                [sys.executable, "-c", bot, "simple", "--count", "4", *where],
                capture_stdout=True,
                cwd=ROOT,
            )
    assert done.stdout.count(b"game 1 ended") == 4


@pytest.mark.parametrize(
    ("shown", "tls", "told"),
    [
        ("stranger", TRUSTING, "not trusted: self-signed certificate; get the certificate's file"),
        ("house", Tls(), "not trusted: self-signed certificate; get the certificate's file"),
        ("elsewhere", Tls(FILES / "elsewhere.pem"), "mismatch, .*; call the host by the name"),
        ("expired", Tls(FILES / "expired.pem"), "has expired; its host has to renew it"),
        ("house", Tls(FILES / "house.key"), "--tls-ca: .*no PEM file with a certificate"),
    ],
)
async def test_who_is_not_trusted_is_not_played_with_unless_anybody_is(
    shown: str, tls: Tls, told: str, tmp_path: Path
) -> None:
    async with listening(tmp_path, *files(shown)) as running:
        with pytest.raises(CannotConnect, match=told) as caught:
            async with connect(HOST, running.port, name="Ann", tls=tls):
                pass
        with trio.fail_after(LIMIT):
            async with connect(HOST, running.port, name="Ann", tls=Tls(insecure=True)) as client:
                await anext(client)
                assert client.player == 0
    assert "\n" not in str(caught.value)


async def test_a_client_without_tls_is_told_after_a_second(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    """Who waits for the server's first bytes would hear its alert after ten."""
    context = server_tls(FILES / "house.pem", FILES / "house.key")

    async def serve(stream: trio.SocketStream) -> None:
        await TlsLink(stream, nursery, context).run(lambda data: None)

    listeners = await open_listeners(HOST, 0)
    nursery.start_soon(trio.serve_listeners, serve, listeners)
    port = listeners[0].socket.getsockname()[1]
    with pytest.raises(CannotConnect, match=rf"127\.0\.0\.1:{port} speaks TLS only; use --tls"):
        async with connect(HOST, port, name="Ann") as client:
            await anext(client)
    assert trio.current_time() < 2
    nursery.cancel_scope.cancel()


@pytest.mark.parametrize("waits", [0.5, 30.0])
async def test_a_slow_server_is_none_with_tls(
    waits: float, autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    calls: list[float] = []

    async def serve(stream: trio.SocketStream) -> None:
        calls.append(trio.current_time())
        await trio.sleep(waits)
        await stream.send_all(bytes(4))

    listeners = await open_listeners(HOST, 0)
    nursery.start_soon(trio.serve_listeners, serve, listeners)
    async with await open_stream(HOST, listeners[0].socket.getsockname()[1]) as stream:
        assert await stream.receive_some() == bytes(4)
    # The other connection is the one that has looked for TLS.
    assert len(calls) == 1 + (waits > 1)
    nursery.cancel_scope.cancel()


async def test_a_chat_without_tls_is_told_at_once(tmp_path: Path, nursery: trio.Nursery) -> None:
    async with listening(tmp_path, *files(), without=("web",)) as running:
        why = await why_no_chat(nursery, running.taunt_port, None)
    assert why.endswith(" speaks TLS only; use --tls")


async def why_no_chat(nursery: trio.Nursery, port: int, tls: Tls | None) -> str:
    ear = ChatListener(SeatCredentials(7, 1, 0, 1))
    with trio.fail_after(LIMIT):
        nursery.start_soon(ear.chat.run, HOST, port, tls)
        why = await ear.told.receive()
    nursery.cancel_scope.cancel()
    assert why is not None
    return why


async def test_a_client_with_tls_is_told_by_servers_without(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    async with listening(tmp_path, without=("web",)) as running:
        with pytest.raises(CannotConnect, match="does not speak TLS; leave out --tls"):
            async with connect(HOST, running.port, name="Ann", tls=TRUSTING):
                pass
        why = await why_no_chat(nursery, running.taunt_port, TRUSTING)
        assert "perhaps it does so without --tls" in why


async def test_files_that_do_not_fit_are_told_before_anything_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    settings = parse_config(["--data-dir", str(folder), *files("house", "stranger")])
    with pytest.raises(ConfigError, match=r"does not belong to .*; check --tls-cert and --tls-key"):
        await run_server(settings, lambda line: None)
    assert not folder.exists()


def test_a_certificate_without_a_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--tls-cert", "host.pem"]) == 2
    assert capsys.readouterr().err == (
        "hearts-server: TLS needs both: give --tls-cert FILE and --tls-key FILE, or none\n"
    )
