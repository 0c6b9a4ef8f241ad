"""The command ``hearts-client conformance``, with clients as programs over sockets."""

from __future__ import annotations

import json
import shlex
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hearts_client.commands import main as app
from hearts_conformance.command import main
from hearts_conformance.plain import ROOM

BOT = "import sys; from hearts_client.commands.bot import main; sys.exit(main())"
QUICK = ["--patience", "60", "--hush", "0.05"]
PLAIN = ("hand", "drop-pass", "full")
DEALER = ("refused-card", "drop-pass")


@pytest.mark.parametrize(
    ("dialect", "names", "shown"),
    [
        ("plain", PLAIN, {"back.decided", "refused.player"}),
        ("dealer", DEALER, {"retry.card", "back.past"}),
    ],
)
def test_the_command_passes_our_bot(
    dialect: str,
    names: tuple[str, ...],
    shown: set[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "report.json"
    bot = f"{sys.executable} -c '{BOT}' random --dialect {dialect} --host {{host}} --port {{port}}"
    only = [word for name in names for word in ("--only", name)]
    options = ["--dialect", dialect, "--listen", "0", "--json", str(file), *QUICK, *only]
    # A few scenarios do not show all that has to be shown.
    assert main([*options, "--run", bot]) == 0
    out, errors = capsys.readouterr()
    assert errors == ""
    report = json.loads(file.read_text())
    assert report["green"], out
    assert not report["conforms"]
    assert [one["id"] for one in report["scenarios"]] == list(names)
    assert all(one["ending"] == "played to its end" for one in report["scenarios"]), out
    assert shown <= {check["id"] for check in report["checks"] if check["outcome"] == "passed"}
    verdict = out.rstrip().splitlines()[-1]
    assert verdict.startswith(f"GREEN as far as it was played ({', '.join(names)}): ")


def test_the_command_says_what_a_program_gets_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    program = (
        "import socket; s = socket.create_connection(('{host}', int('{port}')));"
        "s.recv(4); s.sendall(bytes([3, 0, 0, 0]) + b'Ann'); s.recv(1)"
    )
    run = f'{sys.executable} -c "{program}"'
    assert main(["--listen", "0", "--run", run, "--only", "hand", "--trace", *QUICK]) == 1
    out, _ = capsys.readouterr()
    assert "\ngame 1 < 00 00 00 02\ngame 1 > 03 00 00 00 41 6e 6e\n" in out
    assert "register.name (SocketSpec.md section 3.2)" in out
    assert "a string length of 50331648" in out


@pytest.mark.parametrize(
    ("program", "how"),
    [
        ("raise SystemExit(3)", "ended with status 3"),
        ("import os; os.kill(os.getpid(), 9)", "was ended by signal 9"),
    ],
)
def test_the_command_does_not_wait_for_a_program_that_has_ended(
    program: str, how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = f"{sys.executable} -c {shlex.quote(program)}"
    assert main(["--listen", "0", "--run", run, "--wait", "3600"]) == 1
    out, _ = capsys.readouterr()
    assert f"not complete: no client came for the scenario 'hand': its program {how}; " in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--run", "no-such-program-here {port}"], "cannot start 'no-such-program-here'"),
        (["--run", "'"], "the command of the client: "),
        (["--run", ""], "the command of the client is empty"),
    ],
)
def test_a_command_that_cannot_be_run(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--listen", "0", *arguments]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--only", "nothing"], ["--listen", "here"]])
def test_wrong_options(arguments: list[str]) -> None:
    with pytest.raises(SystemExit):
        main(arguments)


def test_the_program_knows_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main(["conformance", "--list"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert listed == [scenario.id for scenario in ROOM.scenarios]
    with pytest.raises(SystemExit):
        app.main(["conformance", "--help"])
    assert "{taunt-port}" in capsys.readouterr().out


@pytest.fixture
def taken() -> Iterator[int]:
    """A port at which somebody listens; the one before it may be free."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


@pytest.mark.parametrize("before", [0, 1])
def test_a_port_that_is_taken(before: int, taken: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--listen", str(taken - before), "--run", "true"]) == 2
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors.startswith("hearts-client conformance: cannot listen at 127.0.0.1:")
    assert errors.endswith(
        " (Address already in use); --listen PORT chooses another; the one behind it has to be "
        "free too, for the chat\n"
    )
    assert f":{taken} (" in errors or before


def test_the_last_port_has_none_behind_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^2$"):
        main(["--listen", "65535", "--run", "true"])
    assert "with a port up to 65534, not '65535'" in capsys.readouterr().err
