"""The server under test, as a process that is killed and started again on the same data dir."""

from __future__ import annotations

import contextlib
import os
import random
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
READY_LIMIT = 120.0
STOP_LIMIT = 90.0
_NO_LIMITS = ("--max-per-address", "0", "--tables-per-ipv4", "0", "--accept-rate", "0")
# Loads the program once; each line that it reads is one life, in a process of its own.
_CRADLE = """
import os, sys
from hearts_server.commands.main import main
while sys.stdin.readline():
    pid = os.fork()
    if not pid:
        sys.exit(main())
    print("born", pid, flush=True)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    print("dead", status, flush=True)
"""


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
        self.port = free_port()
        self.taunt_port = free_port() if chats else 0
        self.lives = 0
        self.pid = 0
        """The process of the current life; 0 between two lives."""
        self.log = data_dir / "server.log"
        data_dir.mkdir(parents=True, exist_ok=True)
        settings = (
            *("--host", "127.0.0.1", "--port", str(self.port), "--data-dir", str(data_dir)),
            *("--taunt-port", str(self.taunt_port), *(() if chats else ("--no-taunt-server",))),
            *(() if limited else _NO_LIMITS),
            *("--bot-pause", "0", "--no-web", "--exit-with-parent"),
            *arguments,
        )
        with self.log.open("ab") as log:
            self._cradle = subprocess.Popen(
                [sys.executable, "-c", _CRADLE, *settings],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        self._said = b""
        self._status = 0

    @property
    def has_ended(self) -> bool:
        """Whether there is no process, because it was killed or ended by itself."""
        while self.pid and self._hear(0):
            self._take_line()
        return not self.pid

    def begin(self) -> None:
        """Begin the next life, without waiting until it listens."""
        assert not self.pid
        assert self._cradle.stdin is not None
        self._cradle.stdin.write(b"begin\n")
        self._cradle.stdin.flush()
        self.lives += 1
        while not self.pid:
            self._expect(READY_LIMIT)

    def wait_ready(self, sign: bytes = b"hearts-server listening on ") -> float:
        """Wait until it listens, or says something else; the seconds that this took."""
        began = time.monotonic()
        while sign not in self._expect(READY_LIMIT):
            if not self.pid:
                raise ServerFault(f"the server ended at its start: {self.log_tail()}")
        return time.monotonic() - began

    def kill(self) -> None:
        """SIGKILL: no instruction of it is run any more."""
        os.kill(self.pid, signal.SIGKILL)
        while self.pid:
            self._expect(STOP_LIMIT)

    def terminate(self) -> None:
        """SIGTERM: it ends in order. See :meth:`wait_ended`."""
        os.kill(self.pid, signal.SIGTERM)

    def wait_ended(self) -> None:
        """Wait for an end in order. Raises ServerFault where it is none."""
        while self.pid:
            self._expect(STOP_LIMIT)
        if self._status:
            raise ServerFault(f"the server ended with status {self._status}: {self.log_tail()}")

    def close(self) -> None:
        # One that has ended by itself may be nowhere any more.
        with contextlib.suppress(ServerFault, ProcessLookupError):
            if not self.has_ended:
                self.kill()
        for stream in (self._cradle.stdin, self._cradle.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._cradle.kill()
        self._cradle.wait()

    # What the process and its cradle say, line by line

    def _expect(self, seconds: float) -> bytes:
        if not self._hear(seconds):
            raise ServerFault(f"the server said nothing for {seconds:g} s: {self.log_tail()}")
        return self._take_line()

    def _hear(self, seconds: float) -> bool:
        """Whether there is a line, after some time at most."""
        assert self._cradle.stdout is not None
        until = time.monotonic() + seconds
        while b"\n" not in self._said:
            left = max(0.0, until - time.monotonic())
            if not select.select([self._cradle.stdout], [], [], left)[0]:
                return False
            data = os.read(self._cradle.stdout.fileno(), 4096)
            if not data:
                raise ServerFault(f"the server cannot be started: {self.log_tail()}")
            self._said += data
        return True

    def _take_line(self) -> bytes:
        line, _, self._said = self._said.partition(b"\n")
        match line.split(b" "):
            case [b"born", pid]:
                self.pid = int(pid)
            case [b"dead", status]:
                self.pid, self._status = 0, int(status)
        return line

    def log_tail(self) -> str:
        """The last lines of the log."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-20:])

    def errors(self) -> list[str]:
        """The lines of the log that tell of a fault."""
        return fault_lines(self.log)


def fault_lines(log: Path) -> list[str]:
    """The lines of a log that tell of a fault."""
    return [line for line in log.read_text(errors="replace").splitlines() if _is_fault(line)]


def _is_fault(line: str) -> bool:
    return any(word in line for word in (" level=error ", " level=critical ", "Traceback"))


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
