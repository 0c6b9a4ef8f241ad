"""Programs as they are started: a server, the client, the bot."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
CODE = "0004-1061-050R-3GG2-8A1C-60T3-GFQG"
LIMIT = 60
"""Seconds for a program to do what it should, on a machine that is busy."""

BOT = [
    sys.executable,
    "-c",
    "import sys; from hearts_client.commands.bot import main; sys.exit(main())",
]
CLIENT = [sys.executable, "-m", "hearts_client"]


def start(command: list[str], **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def run(*command: str, typed: str = "") -> tuple[int, str, str]:
    """Exit status, output and errors of a program that ends by itself."""
    with start(list(command)) as process:
        out, errors = process.communicate(typed, timeout=LIMIT)
        return process.returncode, out, errors


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def read_until(process: subprocess.Popen[str], *endings: str) -> list[str]:
    """The lines up to one that contains one of some texts."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        if any(ending in line for ending in endings):
            return lines
    raise AssertionError(lines, process.communicate())


@contextmanager
def served(
    folder: Path, *options: str, port: str = "0"
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A game server without chat, and its port. At the end of the block it ends in order."""
    command = [sys.executable, "-m", "hearts_server", "--host", "127.0.0.1", "--port", port]
    command += ["--no-taunt-server", "--no-web", "--taunt-port", "0", "--data-dir", str(folder)]
    if "--bot-pause" not in options:
        command += ["--bot-pause", "0"]
    with start([*command, *options]) as process:
        try:
            line = read_until(process, "hearts-server listening on ")[-1]
            yield process, line.rpartition(":")[2]
        finally:
            process.terminate()
            process.wait(LIMIT)
