"""The chat's process is killed, and its port filled and taken: in the end players have it back."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import signal
import socket
from pathlib import Path

import pytest
import trio

from hearts.game.deal import DealPromised, parse_notice
from hearts.net.listen import bound_sockets
from hearts.taunt.client import ClientSession, Delivery
from hearts.wire.credentials import SECRET_BYTES, SeatCredentials
from hearts_server.children.chat import Chat
from hearts_server.children.chat_process import TauntProcess
from hearts_server.running.composition import Running, run_server
from tests.integration.house import HOST, Caller, call, config, options, register

STARTED = re.compile(r"taunt-server-started pid=(\d+) port=(\d+)")
HOME = "127.0.0.5"
"""Where the player lives; the game server and those who fill its port are at HOST."""
GONE = (OSError, trio.BrokenResourceError)
TOO_LONG = 30


def pids(caplog: pytest.LogCaptureFixture) -> list[int]:
    return [int(pid) for pid, _ in STARTED.findall(caplog.text)]


async def chat_of(port: int, seat: SeatCredentials, words: str) -> list[str]:
    """What the player of a seat hears who comes to the chat, until these words.

    He tries again while nobody is there, as any client does.
    """
    while True:
        session = ClientSession(seat)
        said: list[str] = []
        with contextlib.suppress(*GONE):
            async with await trio.open_tcp_stream(HOST, port, local_address=HOME) as stream:
                await stream.send_all(session.register())
                while data := await stream.receive_some():
                    session.feed(bytes(data))
                    events = list(iter(session.next_event, None))
                    said += [event.text for event in events if isinstance(event, Delivery)]
                    if words in said:
                        return said
        await trio.sleep(0.02)


async def taken(port: int) -> socket.socket:
    """A listener of another program, as soon as the chat is gone."""
    while True:
        try:
            return socket.create_server((HOST, port))
        except OSError:
            await trio.sleep(0.005)


async def sit_down(running: Running) -> tuple[Caller, SeatCredentials]:
    caller = await call(running.port)
    player = await register(caller, -2, *options("pass=never", computers=0b1110))
    game, game_id = await caller.numbers(2)
    return caller, SeatCredentials(game, game_id, player, 1000)


async def fill(port: int, count: int) -> None:
    """Connections that say nothing, from the game server's own address, again and again."""

    async def stay() -> None:
        while True:
            with contextlib.suppress(*GONE):
                async with await trio.open_tcp_stream(HOST, port) as stream:
                    await stream.receive_some()
            await trio.sleep(0.1)

    async with trio.open_nursery() as nursery:
        for _ in range(count):
            nursery.start_soon(stay)


async def test_it_is_started_again_at_the_same_port(
    tmp_path: Path, nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with trio.fail_after(TOO_LONG):
        settings = config(tmp_path, without=("web",))
        running = await nursery.start(run_server, settings, lambda line: None)
        caller, seat = await sit_down(running)
        port = running.taunt_port
        (pid,) = pids(caplog)
        os.kill(pid, signal.SIGKILL)
        with await taken(port):
            while "taunt-server-not-started" not in caplog.text:  # noqa: ASYNC110
                await trio.sleep(0.02)
        nursery.start_soon(fill, port, 70)
        said = await chat_of(port, seat, "the chat is back")
        assert any(isinstance(parse_notice(text), DealPromised) for text in said)
        assert "taunt-server-ended status=-9" in caplog.text
        await caller.stream.aclose()
    assert len(pids(caplog)) == 2


async def test_a_node_goes_on_if_it_does_not_start(
    tmp_path: Path, nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(bytes(SECRET_BYTES))
    secret.chmod(0o600)
    (bound,) = await bound_sockets(HOST, 0)
    port = bound.getsockname()[1]
    bound.listen()
    chat = Chat(bytes(SECRET_BYTES), os.getpid())
    process = TauntProcess(chat, (HOST, port), secret, [], lease=lambda: True)
    with trio.fail_after(TOO_LONG):
        assert await nursery.start(process.run, lambda line: None) == port
        while "taunt-server-not-started" not in caplog.text:  # noqa: ASYNC110
            await trio.sleep(0.02)
        bound.close()
        while not chat.connected:  # noqa: ASYNC110
            await trio.sleep(0.02)
