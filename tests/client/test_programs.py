"""The programs as they are started: hearts-bot, hearts-client, and the example of a bot."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from hearts_client.commands import bot as bot_app
from hearts_client.commands import main as app
from tests.plain.script import ints, text

from .programs import BOT, CLIENT, CODE, LIMIT, ROOT, free_port, read_until, run, served, start


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The port of a game server with a password and without chat."""
    options = ("--end-score", "30", "--password", "fish")
    with served(tmp_path_factory.mktemp("server"), *options) as (_, port):
        yield port


def test_four_bots_in_two_programs(server: str) -> None:
    where = ["--host", "127.0.0.1", "--port", server, "--table", "bots", "--password", "fish"]
    with start([*BOT, "simple", "--count", "3", "--games", "2", "--name", "Bo", *where]) as three:
        status, out, errors = run(
            sys.executable, "tests/client/low_cards.py", *where, "--games", "2"
        )
        assert (status, errors) == (0, "")
        assert "LowCards: playing with " in out
        assert re.search(r"^LowCards: game 2 ended with \(.*\)$", out, re.M)
        out, errors = three.communicate(timeout=LIMIT)
        assert (three.returncode, errors) == (0, "")
        assert out.count("game 2 ended") == 3


@pytest.fixture
def own_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module search path that hearts-bot may add to; the tests are in the current folder."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "path", sys.path.copy())


@pytest.mark.usefixtures("own_path")
def test_a_bot_of_a_module(capsys: pytest.CaptureFixture[str]) -> None:
    port = free_port()
    where = ["--host", "127.0.0.1", "--port", port]
    assert bot_app.main(["tests.client.low_cards:LowCards", *where]) == 2
    assert capsys.readouterr() == (
        "",
        f"hearts-bot: cannot connect to 127.0.0.1:{port}: Connection refused\n",
    )


@pytest.mark.usefixtures("own_path")
@pytest.mark.parametrize(
    ("bot", "why"),
    [
        (
            "clever",
            "there is no bot 'clever': give random, novice, simple, strong, expert, swift or "
            "MODULE:CLASS",
        ),
        ("no_such_module:Bot", "cannot import no_such_module: No module named 'no_such_module'"),
        ("tests.client.low_cards:High", "the module tests.client.low_cards has no class High"),
    ],
)
def test_a_bot_that_there_is_not(bot: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert bot_app.main([bot]) == 2
    assert capsys.readouterr() == ("", f"hearts-bot: {why}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["simple", "--count", "0"],
        ["simple", "--games", "many"],
        ["simple", "--port", "0"],
        ["simple", "--name", "x" * 31],
        ["simple", "--rules", "poker"],
        [],
    ],
)
def test_bad_options_of_a_bot(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^2$"):
        bot_app.main(arguments)
    out, errors = capsys.readouterr()
    assert out == ""
    assert "hearts-bot: " in errors


def test_a_bot_without_the_password(server: str) -> None:
    status, _, errors = run(*BOT, "random", "--host", "127.0.0.1", "--port", server)
    assert (status, errors) == (2, "hearts-bot: the password is wrong or missing\n")


@pytest.mark.parametrize("main", [bot_app.main, app.main])
def test_help_gives_the_defaults(
    main: Callable[[list[str]], int], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["--help"])
    out, _ = capsys.readouterr()
    assert "7626" in out
    assert "localhost" in out


def test_a_client_without_a_server(capsys: pytest.CaptureFixture[str]) -> None:
    port = free_port()
    assert app.main([f"127.0.0.1:{port}"]) == 2
    assert capsys.readouterr() == (
        "",
        f"hearts-client: cannot connect to 127.0.0.1:{port}: Connection refused\n"
        "To play against the computer: hearts-client --solo\n",
    )


def test_a_client_without_the_password(server: str) -> None:
    with start([*CLIENT, f"127.0.0.1:{server}", "--name", "Ann"]) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == (
            "hearts-client: the server refuses: the password is wrong or missing; "
            "give it with --password-file or in the environment (HEARTS_PASSWORD)\n"
        )
        assert process.wait(timeout=LIMIT) == 2


@pytest.mark.parametrize(
    ("words", "begins"), [((), ints(-6, 1)), (("--dialect", "plain"), ints(-2))]
)
def test_the_dialect_of_a_client_and_its_end_where_that_is_refused(
    words: Sequence[str], begins: bytes
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(LIMIT)
        where = f"127.0.0.1:{listener.getsockname()[1]}"
        rules = ("--rules", "standard", "--taunt-port", "0")
        with start([*CLIENT, where, "--name", "Ann", *rules, *words]) as process:
            line, _ = listener.accept()
            with line, line.makefile("rb") as said:
                line.sendall(ints(0))
                assert said.read(16) == text("Ann") + ints(-10, 0)
                line.sendall(ints(1))
                assert said.read(8) == ints(-16, 0)
                line.sendall(ints(0))
                assert said.read(len(begins)) == begins
                line.sendall(ints(-102) + text("not here"))
                # The end of its input would end it, too.
                assert process.wait(timeout=LIMIT) == 2
            out, errors = process.communicate()
        assert errors == "hearts-client: the server refuses: not here\n"
        assert out == f"Connected to {where} as Ann.\n"


def test_the_list_of_tables(server: str) -> None:
    where = [f"127.0.0.1:{server}", "--password", "fish"]
    with start([*CLIENT, where[0], "--list"], HEARTS_PASSWORD="fish") as process:
        out, errors = process.communicate(timeout=LIMIT)
        assert (process.returncode, errors) == (0, "")
    assert out == f"There is no public table at 127.0.0.1:{server}. Without --list you open one.\n"
    with start([*CLIENT, *where, "--name", "Zoë", "--taunt-port", "0"]) as waiting:
        assert waiting.stdout is not None
        assert waiting.stdout.readline() == f"Connected to 127.0.0.1:{server} as Zoë.\n"
        assert "Waiting for the other players" in waiting.stdout.readline()
        _, out, _ = run(*CLIENT, *where, "--list")
        waiting.communicate(timeout=LIMIT)
        assert waiting.returncode == 0
    assert re.search(r"^Table \d+: forming, \d open seats: Zoë$", out, re.M)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--deal", CODE],
        ["--solo", "--deal", "nonsense"],
        ["--computers", "4"],
        ["--turn-limit", "5"],
        ["--rules", "poker"],
        ["--end-score", "0"],
        ["--sort", "random"],
        [":7626"],
        ["host:port"],
        ["host:0"],
        *(["--resume", "7", other] for other in ("--solo", "--list")),
        *([other, "--watch", "7"] for other in ("--solo", "--list", "--resume")),
    ],
)
def test_bad_options_of_a_client(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^2$"):
        app.main(arguments)
    out, errors = capsys.readouterr()
    assert out == ""
    assert "hearts-client: " in errors


class PipedClient:
    """A client that plays alone, behind pipes."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        command = [*CLIENT, "--solo", "--name", "Ann", *arguments]
        temporary = folder / "tmp"
        temporary.mkdir()
        homes = {"TMPDIR": str(temporary), "XDG_STATE_HOME": str(folder / "state")}
        self.process = start(command, **homes)
        # A client that says nothing more must not hold up the tests for ever.
        self._watchdog = threading.Timer(LIMIT, self.process.terminate)
        self._watchdog.start()

    def __enter__(self) -> subprocess.Popen[str]:
        return self.process.__enter__()

    def __exit__(self, *error: Any) -> None:
        self._watchdog.cancel()
        self.process.__exit__(*error)

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read_until(self, *endings: str) -> list[str]:
        return read_until(self.process, *endings)

    def play_hand(self) -> list[str]:
        """Pass and play what comes first until the hand is scored."""
        lines: list[str] = []
        answers = {
            "Type the three cards": "1 2 3",
            "You can play:": "1",
            "You can only play": "",
        }
        while not (lines and lines[-1].startswith("total")):
            lines += self.read_until(*answers, "total")
            for question, answer in answers.items():
                if question in lines[-1]:
                    self.type(answer)
        return lines


def test_playing_alone_and_a_deal_again(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    records = tmp_path_factory.mktemp("records")
    settings = ("--bot-pause", "0", "--record", str(records), "--level", "novice")
    solo = PipedClient(tmp_path, *settings, "--deal", CODE.lower())
    with solo as process:
        first = solo.play_hand()
        assert "The computers play at the level novice." in first
        assert "  1 2♣   2 3♣   3 4♣   4 Q♣   5 K♣" in first
        assert solo.read_until("/again plays it again")[-1] == (
            f"* Deal 1 ({CODE}) checked: it is the one that was promised; /again plays it again."
        )
        assert solo.read_until("it usually costs")[-1].startswith("Hand 1: you took ")
        solo.type("/say well played")
        assert solo.read_until("well played")[-1] == "You say: well played"
        solo.type("/again")
        again = solo.read_until("--- Hand 1:") + solo.read_until("Type the three cards")
        assert "  1 2♣   2 3♣   3 4♣   4 Q♣   5 K♣" in again
        assert "--- Hand 1: three cards go to the left, to Moe. ---" in again
        solo.type("1 2 3")
        solo.read_until("You can play:")
        solo.type("/hint")
        assert solo.read_until("Play ")[-1].startswith("Play ")
        out, errors = process.communicate(timeout=LIMIT)
        assert (process.returncode, errors) == (0, "")
        assert out.splitlines()[-2:] == [
            "You leave the table.",
            "To come back: hearts-client --resume 1",
        ]
    assert list((tmp_path / "tmp").iterdir()) == []
    (record,) = records.iterdir()
    assert "\ndeal 1: commitment, 4 hands, 12 passed cards" in checked(record)


def checked(record: Path) -> str:
    """What ``hearts-server verify`` says of a record that is right."""
    command = [
        sys.executable,
        "-c",
        "import sys; from hearts_server.commands.verify import main; sys.exit(main())",
    ]
    return subprocess.run(
        [*command, str(record)], capture_output=True, text=True, check=True, timeout=LIMIT
    ).stdout


def test_a_signal_ends_in_order(tmp_path: Path) -> None:
    solo = PipedClient(tmp_path, "--bot-pause", "0", "--record", str(tmp_path / "records"))
    with solo as process:
        solo.play_hand()
        solo.read_until("checked: it is the one that was promised")
        solo.read_until("Type the three cards")
        process.send_signal(signal.SIGHUP)
        # Standard input stays open: nothing but the signal ends the program.
        status = process.wait(timeout=LIMIT)
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read().splitlines()[-2:] == [
            "You leave the table.",
            "To come back: hearts-client --resume 1",
        ]
        assert (status, process.stderr.read()) == (130, "")
    assert list((tmp_path / "tmp").iterdir()) == []
    (record,) = (tmp_path / "records").iterdir()
    assert checked(record).endswith("all right\n")


def test_nobody_reads_what_is_said(tmp_path: Path) -> None:
    solo = PipedClient(tmp_path)
    with solo as process:
        solo.read_until("Type the three cards")
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        solo.type("/help")
        assert process.wait(timeout=LIMIT) == 2
        assert process.stderr.read() == ""
    assert list((tmp_path / "tmp").iterdir()) == []
