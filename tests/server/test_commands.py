"""The program itself: how it begins, how it refuses to, how it ends, and what it remembers."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from hearts_server import config
from hearts_server.commands.main import COMMANDS, main
from hearts_server.running.invitation import WORDS
from tests.independent.plain_client import ClientHabits, Driver, OwnSession
from tests.independent.referee import Referee

from .process import ALONE, ROOT, TIMEOUT, command, ending, port_of, running, seated, until

OPEN_TO_ALL = ("--host", "0.0.0.0")
Words = tuple[str, ...]


def game_number(session: OwnSession) -> int:
    return next(fact.numbers[1] for fact in session.facts if fact.kind == "seated")


class TestBeginningAndEnd:
    def test_it_says_where_it_listens_and_ends_on_sigterm(self, tmp_path: Path) -> None:
        with running(tmp_path, chats=True) as (process, said):
            port = port_of(said)
            assert said["hearts-server"] == f"hearts-server listening on 127.0.0.1:{port}"
            assert said["taunt-server"].startswith("taunt-server listening on 127.0.0.1:")
            chat = port_of(said, "taunt-server")
            line = f"hearts-client 127.0.0.1:{port} --taunt-port {chat}"
            assert said["friends"].endswith(line)
            process.send_signal(signal.SIGTERM)
            last = ending(process).splitlines()[-1]
        assert last.endswith("level=info logger=serve event=stopped")
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", chat), timeout=TIMEOUT).close()

    @pytest.mark.parametrize(("more", "said"), [((), "only this m"), (("--open",), "warning: ")])
    def test_it_says_who_else_can_play(self, more: Words, said: str, tmp_path: Path) -> None:
        with running(tmp_path, *OPEN_TO_ALL, *more) as (process, _):
            assert process.stdout is not None
            assert process.stdout.readline().startswith(said)
            process.send_signal(signal.SIGTERM)
            ending(process)

    def test_it_makes_a_password_and_keeps_it(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        place, said, logs = ["--data-dir", str(tmp_path)], [], []
        for _ in range(2):
            with running(tmp_path, *OPEN_TO_ALL, "--password", "auto") as (process, _):
                assert main(["invitation", *place]) == 0
                said.append(capsys.readouterr().out)
                process.send_signal(signal.SIGTERM)
                logs.append(ending(process))
                assert process.stdout is not None
                printed = process.stdout.read()
                assert printed == "hearts-server invitation says the password\n"
        passwords = [re.findall(r"^the password is (\S+) \(", each, flags=re.M) for each in said]
        (password,), again = passwords
        assert [password] == again
        assert ["asked=invitation" in log for log in logs] == [True, True]
        assert password not in "".join(logs)
        assert "friends play with: hearts-client " in said[0]
        words = password.split("-")
        assert set(words) <= set(WORDS)
        assert len(words) == 5
        assert len(set(WORDS)) == 256
        file = tmp_path / "password"
        assert file.read_text() == password + "\n"
        assert file.stat().st_mode & 0o777 == 0o600
        assert (main(["words", *place]), capsys.readouterr().out) == (0, f"{password}\n")
        assert main(["words", "--new", *place]) == 0
        assert not file.exists()

    def test_sigterm_lets_a_hand_end_and_nobody_in(self, tmp_path: Path) -> None:
        with running(tmp_path) as (process, said):
            with seated(port_of(said), ClientHabits(options=ALONE, seed=1)) as (session, driver):
                process.send_signal(signal.SIGTERM)
                until(process, "draining")
                late = OwnSession(ClientHabits(reasons=False))
                address = ("127.0.0.1", port_of(said))
                with socket.create_connection(address, timeout=TIMEOUT) as connection:
                    Driver(late.talk(), connection).run()
                assert [fact.numbers for fact in late.facts if fact.kind == "refused"] == [(-4,)]
                assert process.poll() is None
                driver.run()
            ending(process)
        assert [fact.kind for fact in session.facts[-2:]] == ["scores", "end"]
        assert Referee({0: session.facts}).judge().hands == 1

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
    def test_a_second_signal_ends_it_at_once(self, number: signal.Signals, tmp_path: Path) -> None:
        with (
            running(tmp_path) as (process, said),
            seated(port_of(said), ClientHabits(options=ALONE, seed=1)) as (session, driver),
        ):
            process.send_signal(signal.SIGTERM)
            until(process, "draining")
            process.send_signal(number)
            ending(process)
            driver.run()
        assert session.facts[-1].kind == "end"
        assert not any(fact.kind == "scores" for fact in session.facts)

    def test_game_numbers_never_repeat(self, tmp_path: Path) -> None:
        numbers = []
        for _ in range(2):
            with running(tmp_path) as (process, said):
                for seed in range(2):
                    with seated(port_of(said), ClientHabits(options=ALONE, seed=seed)) as (
                        session,
                        _,
                    ):
                        numbers.append(game_number(session))
                process.kill()
                process.wait(TIMEOUT)
        assert len(set(numbers)) == 4
        assert numbers == sorted(numbers)


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    # A line may end at the hyphen.
    said = " ".join(capsys.readouterr().out.split()).replace("hearts- ", "hearts-")
    assert len(COMMANDS) >= 2
    for name in COMMANDS:
        assert f"hearts-server {name}" in said


CONTAINED = {**os.environ, "container": "oci"}


def in_namespaces(*kinds: str) -> tuple[str, ...]:
    words = ("unshare", "--map-root-user", *kinds)
    if subprocess.run([*words, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no process can have namespaces of its own")
    return words


def test_all_that_a_container_runs_asks_who_may_come(tmp_path: Path) -> None:
    alone = in_namespaces("--pid", "--fork", "--kill-child")
    server = (sys.executable, "-m", "hearts_server", "--port", "0", "--data-dir", str(tmp_path))
    done = subprocess.run(
        [*alone, *server], env=CONTAINED, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "--password auto, or --open" in done.stderr
    quiet = ("--open", "--no-web", "--no-taunt-server", "--taunt-port", "0")
    with subprocess.Popen(
        [*alone, *server, *quiet], env=CONTAINED, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        invitation = next(line for line in process.stdout if "friends" in line)
        process.kill()
    # Its own address is not that of the machine that publishes its ports.
    assert invitation.startswith("friends play with: hearts-client YOUR-ADDRESS:")


@pytest.mark.parametrize("is_rootless", [False, True])
def test_who_looks_like_a_container_itself_may_be_a_stranger_if_no_root_began_it(
    is_rootless: bool,
) -> None:
    asked = (
        "import socket; from hearts_server.config import Config;"
        "probe = socket.socket(type=socket.SOCK_DGRAM); probe.connect(('192.0.2.1', 9));"
        "own = probe.getsockname()[0];"
        "print([Config().is_stranger(who) for who in (own, '127.0.0.1', '10.254.0.1')])"
    )
    wrapped = in_namespaces() if is_rootless else ()
    done = subprocess.run(
        [*wrapped, sys.executable, "-c", asked], env=CONTAINED, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    if "unreachable" in done.stderr:
        pytest.skip("this machine has no network")
    is_so = is_rootless or config.is_rootless()
    assert done.stdout == f"[{is_so}, False, True]\n", done.stderr


class TestWhatItCannotDo:
    """One line that says what to do, exit status 2, no traceback."""

    def refusal(self, capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
        assert main(["--host", "127.0.0.1", "--port", "0", *arguments]) == 2
        said = capfd.readouterr()
        assert said.out == ""
        assert said.err.startswith("hearts-server: ")
        assert said.err.count("\n") == 1
        return said.err

    @pytest.fixture
    def data(self, tmp_path: Path) -> tuple[str, ...]:
        return ("--no-taunt-server", "--taunt-port", "0", "--data-dir", str(tmp_path))

    @pytest.mark.parametrize(
        ("word", "hint"),
        [("tabels", "did you mean tables?"), ("frobnicate", "known: acts, ban, bans, ")],
    )
    def test_a_command_that_there_is_not(
        self, word: str, hint: str, capfd: pytest.CaptureFixture[str]
    ) -> None:
        assert main([word, "--data-dir", "x"]) == 2
        said = capfd.readouterr()
        assert said.out == ""
        assert said.err.startswith(f"hearts-server: there is no command {word!r}; {hint}")

    def test_a_reader_that_has_seen_enough(self) -> None:
        reader, writer = os.pipe()
        os.close(reader)
        program = [sys.executable, "-m", "hearts_server", "docs"]
        done = subprocess.run(program, stdout=writer, stderr=subprocess.PIPE, timeout=TIMEOUT)
        os.close(writer)
        assert (done.returncode, done.stderr) == (1, b"")

    def test_a_port_in_use(self, data: tuple[str, ...], capfd: pytest.CaptureFixture[str]) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            line = self.refusal(capfd, *data, "--port", port)
        assert f"127.0.0.1:{port}" in line
        assert "choose another --port" in line

    def test_a_taunt_port_in_use(self, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            arguments = ["--host", "127.0.0.1", "--port", "0", "--data-dir", str(tmp_path)]
            assert main([*arguments, "--no-web", "--taunt-port", port]) == 2
        lines = capfd.readouterr().err.splitlines()
        # The taunt server's own word, and what to do about it.
        assert len(lines) == 2
        assert port in lines[0]
        assert lines[1].startswith("hearts-server: the taunt server did not start")
        assert "--taunt-port" in lines[1]

    @pytest.mark.parametrize(
        ("option", "value", "told"),
        [
            ("--host", "192.0.2.1", "choose another"),
            ("--host", "no such host", "--host"),
            ("--rules", "spades", "--rules"),
            ("--colour", "red", "--help"),
        ],
    )
    def test_settings_that_cannot_be(
        self,
        option: str,
        value: str,
        told: str,
        data: tuple[str, ...],
        capfd: pytest.CaptureFixture[str],
    ) -> None:
        assert told in self.refusal(capfd, *data, option, value)

    def test_a_data_dir_that_cannot_be(
        self, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        # Under a regular file nobody may write, not even root.
        (tmp_path / "file").touch()
        line = self.refusal(capfd, "--data-dir", str(tmp_path / "file" / "data"))
        assert "--data-dir" in line
        assert "choose a dir" in line

    @pytest.mark.parametrize(
        ("file", "text", "told"),
        [
            *(("secret", "x" * size, "move it away") for size in (0, 31, 33)),
            *(
                ("game-number", text, "write one above")
                for text in ("", "seven", "-1", "0", "99999999999", "1\n2", "\xff")
            ),
        ],
    )
    def test_a_damaged_file(
        self,
        file: str,
        text: str,
        told: str,
        data: tuple[str, ...],
        tmp_path: Path,
        capfd: pytest.CaptureFixture[str],
    ) -> None:
        (tmp_path / file).write_text(text, encoding="latin-1")
        assert told in self.refusal(capfd, *data)

    def test_a_secret_that_is_a_dir(
        self, data: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "secret").mkdir()
        assert "--data-dir" in self.refusal(capfd, *data)

    def test_a_second_server_on_the_same_data_dir(
        self, data: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        with running(tmp_path):
            assert "another hearts-server uses" in self.refusal(capfd, *data)

    def test_metrics_without_their_library(self, tmp_path: Path) -> None:
        missing = 'raise ModuleNotFoundError("no such module", name="prometheus_client")\n'
        (tmp_path / "prometheus_client.py").write_text(missing)
        path = f"{tmp_path}{os.pathsep}{ROOT}"
        done = subprocess.run(
            command(tmp_path / "data", "--metrics-port", "9626"),
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
        assert done.returncode == 2
        assert done.stderr == (
            "hearts-server: --metrics-port needs prometheus-client: "
            "pip install 'hearts-server[metrics]'\n"
        )
        with running(tmp_path / "data", PYTHONPATH=path) as (process, _):
            process.terminate()
            ending(process)
