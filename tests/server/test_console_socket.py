"""The host's console as a socket: its lines, its commands, and bad peers."""

from __future__ import annotations

import logging
import os
import signal
import socket
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import wait_all_tasks_blocked

from hearts.net import peer_user
from hearts.net.logline import LineFormatter
from hearts_server.commands.main import main
from hearts_server.config import CONSOLE_FILE
from hearts_server.console import protocol
from hearts_server.console.acts import Acts
from hearts_server.console.connections import MOST_HOSTS, REQUEST_LIMIT, Console
from tests.independent.plain_client import ClientHabits
from tests.integration.house import House

from .console_desk import waiting
from .process import ALONE, ending, port_of, running, seated


class TestConsoleLines:
    @pytest.mark.parametrize(
        ("request_", "words"),
        [
            (protocol.LookAround(), "tables"),
            (protocol.SayToTables("hi"), "say hi"),
            (protocol.SayToTables("hi", 3), "say --table 3 hi"),
            (protocol.EndTable(3), "end 3"),
            (protocol.RemoveFromSeat(3, 1), "remove 3 1"),
            (protocol.MutePlayer("Ann"), "mute Ann"),
            (protocol.MutePlayer("Ann", False), "mute --off Ann"),
            (protocol.InviteToTable("Ann", "den"), "invite Ann --table den"),
            (protocol.BanPerson("Ann"), "ban Ann"),
            (protocol.BanPerson("Ann", 2, "rude"), "ban Ann --hours 2 --why rude"),
            (protocol.LiftBan("192.0.2.1"), "unban 192.0.2.1"),
            (protocol.LookAtBans(), "bans"),
        ],
    )
    def test_a_request_reads_back(self, request_: protocol.Request, words: str) -> None:
        assert protocol.decode(protocol.REQUESTS, protocol.encode(request_)) == request_
        assert protocol.in_words(request_) == words

    @given(st.binary(max_size=200))
    def test_any_bytes_are_a_request_or_none(self, line: bytes) -> None:
        with suppress(protocol.BadLine):
            protocol.decode(protocol.REQUESTS, line)

    @pytest.mark.parametrize(
        "line",
        [
            b'{"do":"end"}',
            b'{"do":"end","game":0}',
            b'{"do":"remove","game":1,"seat":4}',
            b'{"do":"end","game":1,"now":true}',
            b'{"do":"stop"}',
            b"[" * 4000,
            b"\xff",
            b"",
        ],
    )
    def test_what_is_none(self, line: bytes) -> None:
        with pytest.raises(protocol.BadLine):
            protocol.decode(protocol.REQUESTS, line)


class ConsoleLine:
    """Our end of a connection to a console."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream

    async def ask(self, request: protocol.Request) -> list[protocol.Answer]:
        await self.stream.send_all(protocol.encode(request))
        return await self.answers()

    async def answers(self) -> list[protocol.Answer]:
        """All that comes until the server closes."""
        data = b""
        async with self.stream:
            while more := await self.stream.receive_some():
                data += more
        return [protocol.decode(protocol.ANSWERS, line) for line in data.splitlines()]


Connect = Callable[[], ConsoleLine]


@pytest.fixture
async def connect(made: House, nursery: trio.Nursery) -> AsyncIterator[Connect]:
    """The way to connect to a console that is not at any path."""
    served = Console(Acts(made.server))
    lines: list[ConsoleLine] = []

    def connect() -> ConsoleLine:
        ours, theirs = socket.socketpair()
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(theirs))
        nursery.start_soon(served.serve, stream)
        lines.append(ConsoleLine(trio.SocketStream(trio.socket.from_stdlib_socket(ours))))
        return lines[-1]

    yield connect
    for line in lines:
        await line.stream.aclose()


class TestConnections:
    async def test_a_request_in_pieces(self, connect: Connect) -> None:
        line = connect()
        for byte in protocol.encode(protocol.LookAround()):
            await line.stream.send_all(bytes([byte]))
        assert await line.answers() == [protocol.Done("0 tables")]

    @pytest.mark.parametrize("sent", [b"x" * protocol.LONGEST_LINE, b"\n", b"{}\n", b"\xff\n"])
    async def test_nonsense_is_refused_and_the_next_one_served(
        self, sent: bytes, connect: Connect
    ) -> None:
        bad, good = connect(), connect()
        await bad.stream.send_all(sent)
        (answer,) = await bad.answers()
        assert isinstance(answer, protocol.NotDone)
        assert await good.ask(protocol.LookAround()) == [protocol.Done("0 tables")]

    async def test_who_says_nothing_is_let_go(self, connect: Connect) -> None:
        line = connect()
        began = trio.current_time()
        assert await line.answers() == [protocol.NotDone("no request within 10 s")]
        assert trio.current_time() - began == pytest.approx(REQUEST_LIMIT)

    async def test_who_leaves_at_once(self, connect: Connect) -> None:
        for sent in (b"", protocol.encode(protocol.LookAround())):
            line = connect()
            await line.stream.send_all(sent)
            await line.stream.aclose()
        await wait_all_tasks_blocked()

    async def test_one_too_many(self, connect: Connect) -> None:
        silent = [connect() for _ in range(MOST_HOSTS)]
        await wait_all_tasks_blocked()
        (answer,) = await connect().answers()
        assert answer == protocol.NotDone("too many ask at the same time; try again")
        await silent[0].stream.aclose()
        await wait_all_tasks_blocked()
        line = connect()
        assert await line.ask(protocol.LookAround()) == [protocol.Done("0 tables")]

    @pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="it does not tell here")
    async def test_every_act_is_logged_with_its_user(
        self, connect: Connect, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.INFO)
        caplog.handler.setFormatter(LineFormatter())
        line = connect()
        assert peer_user(line.stream) == os.geteuid()
        await line.ask(protocol.EndTable(5))
        (logged,) = [line for line in caplog.text.splitlines() if "event=console" in line]
        assert f'event=console uid={os.geteuid()} asked="end 5" done=no told=' in logged


class TestSocket:
    async def test_it_is_its_owners_and_gone_at_the_end(self, tmp_path: Path, made: House) -> None:
        path = tmp_path / CONSOLE_FILE
        async with trio.open_nursery() as nursery:
            await nursery.start(Console(Acts(made.server)).run, path)
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            line = ConsoleLine(await trio.open_unix_socket(str(path)))
            assert await line.ask(protocol.LookAround()) == [protocol.Done("0 tables")]
            nursery.cancel_scope.cancel()
        assert not path.exists()

    async def test_without_it_the_server_runs(
        self, tmp_path: Path, made: House, caplog: pytest.LogCaptureFixture
    ) -> None:
        path = tmp_path / CONSOLE_FILE
        path.touch()
        async with trio.open_nursery() as nursery:
            await nursery.start(Console(Acts(made.server)).run, path)
        assert "console-not-open" in caplog.text
        assert path.exists(), "it is somebody's file"


class TestCommands:
    """The commands, against a server that is a process of its own."""

    def test_they_reach_the_server(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        where = ("--data-dir", str(tmp_path))
        with running(tmp_path, chats=True) as (process, said):
            settings = ClientHabits(options=ALONE, seed=1, process_id=4000)
            with seated(port_of(said), settings) as (_, driver):
                assert main(["tables", *where]) == 0
                shown = capsys.readouterr().out
                assert "game 1: Table 1, playing, hand 1, trick 0, since 20" in shown
                assert "  1 Moe" in shown
                assert "127.0.0.1\n" in shown
                assert main(["tables", "--json", *where]) == 0
                (line,) = capsys.readouterr().out.splitlines()
                assert isinstance(
                    protocol.decode(protocol.ANSWERS, line.encode()), protocol.TableLine
                )
                assert main(["say", "hello", "--table", "1", *where]) == 0
                assert main(["mute", "1/0", *where]) == 0
                assert main(["mute", "--off", "1/0", *where]) == 0
                assert main(["invite", "Eve", "--table", "den", *where]) == 1
                refused = capsys.readouterr().err
                assert refused == "hearts-server invite: Eve does not wait to be invited\n"
                with waiting(port_of(said), "Eve"):
                    assert main(["tables", *where]) == 0
                    shown = capsys.readouterr().out
                    assert "  0 Eve  127.0.0.1, waits to be invited, number 1\n" in shown
                    assert main(["invite", "Eve", "--table", "den", *where]) == 1
                    refused = capsys.readouterr().err
                    assert refused == "hearts-server invite: no table that forms is called den\n"
                assert main(["remove", "1", "2", *where]) == 1
                assert capsys.readouterr().err.startswith("hearts-server remove: seat 2 of game 1")
                assert main(["end", "1", *where]) == 0
                assert capsys.readouterr().out.endswith("game 1 has ended\n")
                driver.run()
            process.send_signal(signal.SIGTERM)
            log = ending(process)
        assert log.count("event=console ") == 10

    def test_a_killed_server_is_no_hindrance(self, tmp_path: Path) -> None:
        where = ("--data-dir", str(tmp_path))
        with running(tmp_path, "--journal", "off") as (process, _):
            process.kill()
            process.wait()
            assert (tmp_path / CONSOLE_FILE).is_socket()
            assert main(["tables", *where]) == 2
        with running(tmp_path, "--journal", "off"):
            assert main(["tables", *where]) == 0

    def test_no_server(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["tables", "--data-dir", str(tmp_path)]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err == (
            f"hearts-server tables: no server runs with the data dir {tmp_path}; "
            "--data-dir names another\n"
        )

    @pytest.mark.parametrize(
        "words",
        [
            ["end"],
            ["end", "0"],
            ["remove", "1", "4"],
            ["say"],
            ["tables", "now"],
            ["invite", "Ann"],
        ],
    )
    def test_bad_words(self, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        assert main(words) == 2
        said = capsys.readouterr().err
        assert said.startswith(f"hearts-server {words[0]}: ")
        assert "--help)" in said
