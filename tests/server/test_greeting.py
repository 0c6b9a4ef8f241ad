"""The server's name and its word of the day: what a file may be, and when it is read."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hearts.settings.table import ConfigError
from hearts_server.commands.main import main
from hearts_server.greeting import Greeting

from .process import ROOT, TIMEOUT, ending, port_of, running, until


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"We begin at eight.\n", ("We begin at eight.",)),
        ("\ufeffKommt früh\r\n\r\n  und\tbleibt.".encode(), ("Kommt früh", "und bleibt.")),
        (b"red\x1b[31m \x07bell\x00\n\xe2\x80\xae\n", ("red[31m bell",)),
        (b"<b>&amp;", ("<b>&amp;",)),
        (b"\n", ()),
        (b"x\n" * 20, ("x",) * 20),
        (b"y" * 999 + b"\n" + b"z" * 1000, ("y" * 999, "z" * 1000)),
    ],
)
def test_the_lines_of_a_file(data: bytes, lines: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "welcome"
    file.write_bytes(data)
    assert Greeting("", file).texts == (("", *lines) if lines else ())
    assert Greeting("Club", file).texts == ("Club", *lines)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (None, "cannot read .*: No such file"),
        (b"\xff", "is no UTF-8"),
        (b"x" * 2001, "more than 2000 bytes and 20 lines"),
        (b"x\n" * 21, "more than 2000 bytes and 20 lines"),
        (b"x" * 1024, "a line of .* more than 1023 bytes"),
        (("e" + 5 * "\u0301").encode(), "piles of marks"),
    ],
)
def test_files_that_cannot_be_used(data: bytes | None, why: str, tmp_path: Path) -> None:
    file = tmp_path / "welcome"
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(ConfigError, match=why):
        Greeting("", file)


def test_a_server_does_not_wait_for_what_is_no_file(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert main(["--data-dir", str(tmp_path), "--port", "0", "--welcome", str(pipe)]) == 2
    assert capfd.readouterr().err == f"hearts-server: --welcome: {pipe} is no file\n"


def listed(port: int) -> list[str]:
    client = (sys.executable, "-m", "hearts_client", f"127.0.0.1:{port}", "--list")
    return subprocess.run(
        client, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
        timeout=TIMEOUT,
    ).stdout.splitlines()[:-1]  # fmt: skip


def test_a_hangup_reads_the_file_again_and_one_that_is_spoilt_changes_nothing(
    tmp_path: Path,
) -> None:
    file = tmp_path / "welcome"
    file.write_text("We begin at eight.\n")
    words = ("--name", "Friday club", "--welcome", str(file))
    with running(tmp_path / "data", *words, stdin=subprocess.DEVNULL) as (process, said):
        port = port_of(said)
        assert listed(port) == ["Friday club", "We begin at eight."]
        file.write_bytes(b"\xff")
        process.send_signal(signal.SIGHUP)
        assert "no UTF-8" in until(process, "welcome-not-read")
        file.write_text("At nine,\nafter dinner.\n")
        process.send_signal(signal.SIGHUP)
        until(process, "welcome-read")
        assert listed(port) == ["Friday club", "At nine,", "after dinner."]
        process.send_signal(signal.SIGTERM)
        ending(process)
