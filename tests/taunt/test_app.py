"""The program itself: what it prints, how it ends, and what it says to bad settings."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from hearts.taunt.announcer import Announcer
from hearts.taunt.client import ClientEvent, ClientSession, Delivery, Registered
from hearts.wire.credentials import SeatCredentials, issue
from hearts.wire.proxy_header import proxy_header
from taunt_server.app import main
from taunt_server.config import load_secret, parse_arguments
from taunt_server.server import CLOSING_NOTICE

ROOT = Path(__file__).parents[2]
SECRET = bytes(range(32))
TIMEOUT = 20


@pytest.fixture
def secret_file(tmp_path: Path) -> Path:
    path = tmp_path / "secret"
    path.write_bytes(SECRET)
    return path


@contextmanager
def running(
    secret_file: Path, *more: str, fds: Sequence[int] = ()
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The server as a process of its own, and its port."""
    command = [sys.executable, "-m", "taunt_server", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(
        [*command, "--secret-file", str(secret_file), *more],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        pass_fds=fds,
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("taunt-server listening on 127.0.0.1:"), line
            port = line.rpartition(":")[2]
            yield process, int(port) if port.strip().isdecimal() else 0
        finally:
            process.kill()


class BlockingChatClient:
    """A blocking client, as an outsider would write one."""

    def __init__(self, where: int | socket.socket, session: ClientSession, home: str = "") -> None:
        """``where`` is a port, or a socket that is connected already."""
        if isinstance(where, int):
            here = (home, 0) if home else None
            where = socket.create_connection(("127.0.0.1", where), TIMEOUT, source_address=here)
        self.socket = where
        self.session = session

    def __enter__(self) -> BlockingChatClient:
        self.socket.sendall(self.session.register())
        assert self.next_event() == Registered()
        return self

    def __exit__(self, *error: object) -> None:
        self.socket.close()

    def next_event(self) -> ClientEvent:
        while (event := self.session.next_event()) is None:
            data = self.socket.recv(4096)
            assert data, "the server has closed"
            self.session.feed(data)
        return event


def player(port: int, seat: int) -> BlockingChatClient:
    return BlockingChatClient(port, ClientSession(issue(SECRET, 7, seat, 4242)))


def test_two_players_and_the_game_server_over_tcp_until_sigterm(secret_file: Path) -> None:
    behind_proxy = secret_file.with_name("proxied")
    with (
        running(secret_file, "--proxy-listen", str(behind_proxy)) as (process, port),
        player(port, 0) as ann,
        player(port, 3) as ben,
        BlockingChatClient(port, Announcer(SECRET, 900)) as game_server,
        socket.socket(socket.AF_UNIX) as proxied,
    ):
        proxied.connect(str(behind_proxy))
        proxied.sendall(proxy_header("192.0.2.9"))
        with BlockingChatClient(proxied, ClientSession(issue(SECRET, 7, 1, 4242))) as cleo:
            assert cleo.socket is proxied
        assert isinstance(game_server.session, Announcer)
        ann.socket.sendall(ann.session.taunt("Café ♥"))
        assert ann.next_event() == ben.next_event() == Delivery(0, "Café ♥")
        game_server.socket.sendall(game_server.session.announce(7, "Cleo has left."))
        assert ann.next_event() == ben.next_event() == Delivery(-1, "Cleo has left.")
        process.send_signal(signal.SIGTERM)
        for caller in (ann, ben):
            assert caller.next_event() == Delivery(-1, CLOSING_NOTICE)
            assert caller.socket.recv(1) == b""
            caller.socket.close()
        game_server.socket.close()
        assert process.wait(TIMEOUT) == 0
        assert process.stderr is not None
        log = process.stderr.read()
        assert "event=registered address=127.0.0.1 game=7 player=3\n" in log
        assert "event=registered address=192.0.2.9 game=7 player=1\n" in log
        assert "Traceback" not in log
        assert "Caf" not in log


def test_it_listens_for_proxies_at_several_places(secret_file: Path) -> None:
    paths = [str(secret_file.with_name(name)) for name in ("gateway", "balancer")]
    options = [part for path in paths for part in ("--proxy-listen", path)]
    with running(secret_file, *options):
        for path in paths:
            with socket.socket(socket.AF_UNIX) as way:
                way.settimeout(TIMEOUT)
                way.connect(path)
                way.sendall(proxy_header("192.0.2.9"))
                with BlockingChatClient(way, ClientSession(issue(SECRET, 7, 1, 4242))) as ann:
                    ann.socket.sendall(ann.session.taunt("hello"))
                    assert ann.next_event() == Delivery(1, "hello")


@pytest.mark.heavy
def test_players_go_if_the_game_server_does_not_say_that_it_may_play(secret_file: Path) -> None:
    options = ("--exit-with-parent", "--lease")
    with running(secret_file, *options) as (_, port), player(port, 0) as ann:
        assert ann.socket.recv(1) == b""


def test_the_interrupt_key_ends_it(secret_file: Path) -> None:
    with running(secret_file) as (process, _):
        process.send_signal(signal.SIGINT)
        assert process.wait(TIMEOUT) == 0


def test_a_second_signal_ends_it_at_once(secret_file: Path) -> None:
    with running(secret_file) as (process, port), player(port, 0) as ann:
        process.send_signal(signal.SIGTERM)
        assert ann.next_event() == Delivery(-1, CLOSING_NOTICE)
        process.send_signal(signal.SIGTERM)
        assert process.wait(TIMEOUT) == 0
        assert process.stderr is not None
        assert "at_once=yes" in process.stderr.read()


def test_it_ends_with_its_parent(secret_file: Path) -> None:
    with running(secret_file, "--exit-with-parent") as (process, port), player(port, 0) as ann:
        assert process.stdin is not None
        process.stdin.write("whatever the parent says is ignored\n")
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        ann.socket.sendall(ann.session.taunt("still here"))
        assert ann.next_event() == Delivery(0, "still here")
        process.stdin.close()
        assert ann.next_event() == Delivery(-1, CLOSING_NOTICE)
        ann.socket.close()
        assert process.wait(TIMEOUT) == 0


class TestSilentConnections:
    """However many connections say nothing at the port."""

    @contextmanager
    def filled(self, port: int) -> Iterator[None]:
        with ExitStack() as idle:
            for _ in range(140):
                # Those above the limit are reset, perhaps before they know that they are connected.
                with suppress(ConnectionResetError):
                    idle.enter_context(socket.create_connection(("127.0.0.1", port), TIMEOUT))
            yield

    def at(self, path: Path) -> socket.socket:
        connected = socket.socket(socket.AF_UNIX)
        connected.settimeout(TIMEOUT)
        connected.connect(str(path))
        return connected

    def check(self, port: int, way: socket.socket) -> None:
        with (
            self.filled(port),
            BlockingChatClient(way, Announcer(SECRET, 900)) as game_server,
            BlockingChatClient(port, ClientSession(issue(SECRET, 7, 0, 4242)), "127.0.0.5") as ann,
        ):
            assert isinstance(game_server.session, Announcer)
            game_server.socket.sendall(game_server.session.announce(7, "Cleo has left."))
            assert ann.next_event() == Delivery(-1, "Cleo has left.")

    def test_an_inherited_socket(self, secret_file: Path) -> None:
        ours, theirs = socket.socketpair()
        ours.settimeout(TIMEOUT)
        descriptor = theirs.fileno()
        with (
            ours,
            theirs,
            running(secret_file, "--announce-fd", str(descriptor), fds=(descriptor,)) as (_, port),
        ):
            self.check(port, ours)

    def test_a_unix_socket_that_is_the_owners_alone(
        self, secret_file: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = secret_file.parent / "announce"
        options = ("--announce-socket", str(path))
        with running(secret_file, *options) as (process, port):
            assert path.stat().st_mode & 0o777 == 0o600
            self.check(port, self.at(path))
            arguments = ["--port", "0", "--secret-file", str(secret_file), *options]
            assert main(["--host", "127.0.0.1", *arguments]) == 2
            assert "Address already in use" in capsys.readouterr().err
            process.kill()
        # It is left behind, and taken over.
        assert path.is_socket()
        with running(secret_file, *options) as (process, _):
            self.at(path).close()
            process.terminate()
            assert process.wait(TIMEOUT) == 0
        assert not path.exists()

    def test_other_files_are_left_alone(
        self, secret_file: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        arguments = ["--host", "127.0.0.1", "--port", "0", "--secret-file", str(secret_file)]
        assert main([*arguments, "--announce-socket", str(secret_file)]) == 2
        assert secret_file.read_bytes() == SECRET
        assert main([*arguments, "--announce-socket", "x" * 200]) == 2
        assert main([*arguments, "--announce-fd", "999"]) == 2
        lines = capsys.readouterr().err.splitlines()
        assert ["--announce" in line for line in lines] == [True] * 3


def test_a_wrong_secret_means_refused(tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(bytes(32))
    with running(path) as (_, port), socket.create_connection(("127.0.0.1", port)) as stranger:
        stranger.settimeout(TIMEOUT)
        session = ClientSession(SeatCredentials(7, 1, 0, 4242))
        stranger.sendall(session.register())
        assert stranger.recv(4, socket.MSG_WAITALL) == b"\xff\xff\xff\xff"
        assert stranger.recv(1) == b""


class TestBadSettings:
    def refusal(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
        """The one line that the program says."""
        assert main(arguments) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith("taunt-server: ")
        assert said.err.count("\n") == 1
        return said.err

    def test_no_secret_file(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert "--secret-file" in self.refusal(capsys)

    def test_a_missing_secret_file(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        line = self.refusal(capsys, "--secret-file", str(tmp_path / "nothing"))
        assert "No such file" in line
        assert "--secret-file" in line

    @pytest.mark.parametrize(("size", "told"), [(0, "holds 0"), (31, "holds 31"), (33, "more")])
    def test_a_secret_file_of_a_wrong_size(
        self, size: int, told: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        path = tmp_path / "secret"
        path.write_bytes(bytes(size))
        assert told in self.refusal(capsys, "--secret-file", str(path))

    def test_a_certificate_and_a_key_that_do_not_fit(
        self, capsys: pytest.CaptureFixture[str], secret_file: Path
    ) -> None:
        files = ROOT / "tests" / "certificates"
        tls = ("--tls-cert", str(files / "house.pem"), "--tls-key", str(files / "stranger.key"))
        line = self.refusal(capsys, "--secret-file", str(secret_file), *tls)
        assert "does not belong to the certificate" in line
        assert "--tls-cert" in line

    def test_a_port_in_use(self, capsys: pytest.CaptureFixture[str], secret_file: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            arguments = ["--host", "127.0.0.1", "--port", port, "--secret-file", str(secret_file)]
            line = self.refusal(capsys, *arguments)
        assert f"127.0.0.1, port {port}" in line
        assert "--port" in line

    @pytest.mark.parametrize(
        "arguments",
        [
            ("--port", "65536"),
            ("--port", "-1"),
            ("--port", "seven"),
            ("--max-connections", "0"),
            ("--max-per-address", "9999999999999"),
            ("--log-level", "loud"),
            ("--tls-cert", "host.pem"),
            ("--tls-key", "host.key"),
            ("--colour", "red"),
        ],
    )
    def test_a_value_that_cannot_be(
        self, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str], secret_file: Path
    ) -> None:
        line = self.refusal(capsys, "--secret-file", str(secret_file), *arguments)
        assert arguments[0] in line


def test_defaults(secret_file: Path) -> None:
    config = parse_arguments(["--secret-file", str(secret_file)])
    assert (config.host, config.port, config.exit_with_parent) == ("", 7627, False)
    assert load_secret(config.secret_file) == SECRET


def test_help_tells_every_default(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    text = " ".join(capsys.readouterr().out.split())
    assert text.count("(default:") + text.count("(required)") == 16


def test_a_crowd_that_says_nothing_does_not_close_the_chat(secret_file: Path) -> None:
    with running(secret_file, "--max-connections", "48") as (_, port), ExitStack() as open_ones:
        for number in range(64):
            address = (f"127.0.{1 + number % 32}.1", 0)
            crowd = socket.create_connection(("127.0.0.1", port), TIMEOUT, source_address=address)
            open_ones.enter_context(crowd)
        at = ("127.0.99.1", 0)
        ann = socket.create_connection(("127.0.0.1", port), TIMEOUT, source_address=at)
        open_ones.enter_context(ann)
        session = ClientSession(issue(SECRET, 7, 0, 4242))
        ann.sendall(session.register())
        session.feed(ann.recv(4096))
        assert session.next_event() == Registered()
