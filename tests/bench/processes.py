"""The processes of a run: a server or a bare program, and the load beside it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from hearts.game.deal import deal_code

from .load import LoadResult
from .script import SessionScript
from .session import END_SCORE

ROOT = Path(__file__).parents[2]
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


class Subject(Enum):
    """What is measured."""

    SERVER = "hearts-server"
    WITHOUT = "journal off"
    POWER_CUT = "journal full"
    TURN = "bare, on turn"
    DIRECT = "bare, direct"
    STREAMS = "bare, streams"


JOURNALS = {Subject.SERVER: "normal", Subject.WITHOUT: "off", Subject.POWER_CUT: "full"}
"""The servers among them, and what their journals hold against."""


@dataclass(frozen=True, slots=True)
class ListeningProcess:
    """A process that listens."""

    pid: int
    port: int

    def cpu(self) -> float:
        """Seconds of CPU that it has used, its own and the system's for it."""
        fields = _after_name(Path(f"/proc/{self.pid}/stat").read_text())
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def memory(self) -> int:
        """Bytes of memory that it holds now."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * _PAGE


def _after_name(stat: str) -> list[str]:
    return stat.rpartition(")")[2].split()


@contextmanager
def listening(
    subject: Subject, script: SessionScript, script_path: Path
) -> Iterator[ListeningProcess]:
    """Run a server or a bare program on a free port of loopback."""
    with tempfile.TemporaryDirectory() as data_dir:
        if subject in JOURNALS:
            command = [
                *("-m", "hearts_server", "--host", "127.0.0.1", "--port", "0"),
                *("--no-taunt-server", "--taunt-port", "0", "--data-dir", data_dir),
                *("--end-score", str(END_SCORE), "--fill-after", "never"),
                *("--max-tables", "100000", "--max-per-address", "0", "--log-level", "error"),
                *("--tables-per-ipv4", "0", "--accept-rate", "0"),
                *("--journal", JOURNALS[subject]),
            ]
            for secret in script.secrets:
                command += ["--deal", deal_code(secret)]
        else:
            command = ["-m", "tests.bench.bare", subject.name.lower(), str(script_path)]
        with _python(command) as process:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.search(r"listening on 127\.0\.0\.1:(\d+)", line)
            if found is None:
                raise RuntimeError(f"{subject.value} does not listen: {line!r}")
            yield ListeningProcess(process.pid, int(found[1]))


@contextmanager
def _python(command: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


class Clients:
    """The load while it runs: every table has begun, and waits for :meth:`play`."""

    def __init__(self, process: subprocess.Popen[str], server: ListeningProcess) -> None:
        self._process = process
        self._server = server

    def play(self) -> tuple[LoadResult, float]:
        """Let it play; what it came to, and the seconds of CPU of the server meanwhile."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        before = self._server.cpu()
        self._process.stdin.write("go\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        cpu = self._server.cpu() - before
        if not line:
            raise RuntimeError("the load has failed")
        return LoadResult(**json.loads(line)), cpu


@contextmanager
def clients(
    server: ListeningProcess,
    script_path: Path,
    tables: int,
    options: Sequence[str] = (),
    *,
    dealer: bool = False,
) -> Iterator[Clients]:
    """Connect so many tables of clients and let them begin; ``dealer`` is their dialect."""
    load = "tests.bench.dealer_load" if dealer else "tests.bench.load"
    command = ["-m", load, str(script_path), str(server.port), str(tables), *options]
    with _python(command) as process:
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            raise RuntimeError("the load cannot connect")
        yield Clients(process, server)
