"""The server under test, as a process that is killed and started again on the same data dir."""

from __future__ import annotations

import contextlib
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
READY_LIMIT = 120.0
STOP_LIMIT = 90.0
_NO_LIMITS = ("--max-per-address", "0", "--tables-per-ipv4", "0", "--accept-rate", "0")


class ServerFault(Exception):
    """The server did not do what it was told."""


def free_port() -> int:
    """A port that stays free while the server is away: the system gives it to nobody else."""
    for port in random.sample(range(20000, 32000), 100):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise ServerFault("there is no free port")


class ServerProcess:
    """One server through all its lives, on one port and one data dir."""

    def __init__(
        self, data_dir: Path, *arguments: str, chats: bool = False, limited: bool = False
    ) -> None:
        """``arguments`` are more settings of the server; ``chats`` gives it a taunt server.

        ``limited`` gives it the limits of a host who sets none, else all may come from one address.
        """
        self.settings = arguments
        self.port = free_port()
        self.taunt_port = free_port() if chats else 0
        self.lives = 0
        self.log = data_dir / "server.log"
        data_dir.mkdir(parents=True, exist_ok=True)
        self._command = [
            *(sys.executable, "-m", "hearts_server"),
            *("--host", "127.0.0.1", "--port", str(self.port), "--data-dir", str(data_dir)),
            *("--taunt-port", str(self.taunt_port), *(() if chats else ("--no-taunt-server",))),
            *(() if limited else _NO_LIMITS),
            *("--bot-pause", "0", "--no-web", "--exit-with-parent"),
            *arguments,
        ]
        self.ahead = 0.0
        """Seconds by which the clock of its next lives is ahead."""
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def _life(self) -> subprocess.Popen[bytes]:
        assert self._process is not None
        return self._process

    @property
    def pid(self) -> int:
        return self._life.pid

    @property
    def has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def begin(self) -> None:
        """Begin the next life, without waiting until it listens."""
        assert self.has_ended
        self.close()
        python, *module = self._command[:3]
        run = module if not self.ahead else ["-m", "tests.soak.ahead", str(self.ahead)]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [python, *run, *self._command[3:]],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        self.lives += 1

    def wait_ready(self, sign: bytes = b"hearts-server listening on ") -> float:
        """Wait until it listens, or says something else; the seconds that this took."""
        began = time.monotonic()
        stdout = self._life.stdout
        assert stdout is not None
        impatience = threading.Timer(READY_LIMIT, self._life.kill)
        impatience.start()
        try:
            while line := stdout.readline():
                if sign in line:
                    return time.monotonic() - began
        finally:
            impatience.cancel()
        raise ServerFault(f"the server ended at its start: {self.log_tail()}")

    def kill(self) -> None:
        """SIGKILL: no instruction of it is run any more."""
        self._life.kill()
        self._life.wait(STOP_LIMIT)

    def terminate(self) -> None:
        """SIGTERM: it ends in order. See :meth:`wait_ended`."""
        self._life.terminate()

    def wait_ended(self) -> None:
        """Wait for an end in order. Raises ServerFault where it is none."""
        try:
            status = self._life.wait(STOP_LIMIT)
        except subprocess.TimeoutExpired:
            raise ServerFault(f"the server does not end: {self.log_tail()}") from None
        if status:
            raise ServerFault(f"the server ended with status {status}: {self.log_tail()}")

    def close(self) -> None:
        if self._process is not None:
            with self._process:
                self._process.kill()

    def log_tail(self) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-20:])

    def errors(self) -> list[str]:
        """The lines of the log that tell of a fault."""
        signs = (" level=error ", " level=critical ", "Traceback")
        lines = self.log.read_text(errors="replace").splitlines()
        return [line for line in lines if any(sign in line for sign in signs)]


@contextlib.contextmanager
def server(
    data_dir: Path, *arguments: str, chats: bool = False, limited: bool = False
) -> Iterator[ServerProcess]:
    """A server that is gone at the end of the block; it is not begun yet."""
    made = ServerProcess(data_dir, *arguments, chats=chats, limited=limited)
    try:
        yield made
    finally:
        made.close()
