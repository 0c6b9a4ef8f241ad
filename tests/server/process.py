"""The programs as processes of their own, as a host begins them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.independent.plain_client import ClientHabits, Driver, OwnSession

ROOT = Path(__file__).parents[2]
TIMEOUT = 30
ALONE = (0x1E, 0, 0)
"""Block -2: Hearts with three computers."""
Process = subprocess.Popen[str]


def command(
    data_dir: Path, *arguments: str, application: str = "hearts_server", chats: bool = False
) -> list[str]:
    """The words that begin a program at a free port; ``data_dir`` has the secret of a chat."""
    own = [
        *("--taunt-port", "0", "--no-web", "--bot-pause", "0", "--data-dir", str(data_dir)),
        *(() if chats else ("--no-taunt-server",)),
    ]
    if application == "taunt_server":
        secret = data_dir / "secret"
        secret.write_bytes(bytes(range(32)))
        own = ["--secret-file", str(secret)]
    where = ("--host", "127.0.0.1", "--port", "0")
    return [sys.executable, "-m", application, *where, *own, *arguments]


@contextmanager
def running(
    data_dir: Path,
    *arguments: str,
    application: str = "hearts_server",
    chats: bool = False,
    stdin: int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
    umask: int = -1,
    before: Callable[[], None] | None = None,
    **environment: str,
) -> Iterator[tuple[Process, dict[str, str]]]:
    """A program that listens, and its first lines by their first word.

    It has a session of its own, so no terminal unless ``before`` gives it one.
    """
    last = {"hearts_server": "friends", "taunt_server": "taunt-server"}[application]
    with subprocess.Popen(
        command(data_dir, *arguments, application=application, chats=chats),
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        umask=umask,
        start_new_session=True,
        preexec_fn=before,
    ) as process:
        try:
            assert process.stdout is not None
            said: dict[str, str] = {}
            while last not in said:
                line = process.stdout.readline().rstrip()
                assert line, process.stderr.read() if process.stderr else ""
                said[line.split(" ")[0]] = line
            yield process, said
        finally:
            process.kill()


def port_of(said: dict[str, str], name: str = "hearts-server") -> int:
    return int(said[name].rpartition(":")[2])


def until(process: Process, event: str) -> str:
    """The line of the log that has an event."""
    assert process.stderr is not None
    for line in process.stderr:
        if f"event={event}" in line:
            return line
    raise AssertionError("the server has ended")


def ending(process: Process) -> str:
    """Wait for the end in order; the rest of the log."""
    assert process.wait(TIMEOUT) == 0
    assert process.stderr is not None
    log = process.stderr.read()
    assert "Traceback" not in log
    assert "level=error" not in log
    return log


@contextmanager
def seated(port: int, settings: ClientHabits) -> Iterator[tuple[OwnSession, Driver]]:
    """A client that has come to its hand at a table with computers."""
    session = OwnSession(settings)
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT) as connection:
        driver = Driver(session.talk(), connection)
        while not any(fact.kind == "hand" for fact in session.facts):
            assert driver.run(steps=1)
        yield session, driver
