"""The processes of a run: a server or a bare program, and the load beside it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from hearts.game.deal import deal_code
from tests.postgres.server import PostgresServer

from .load import LoadResult
from .script import SessionScript
from .session import END_SCORE

ROOT = Path(__file__).parents[2]
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Subject:
    """A program that is measured: a server, or a bare one."""

    name: str
    journal: str = "normal"
    """The durability of a server's journal."""
    is_bare: bool = False
    has_postgres: bool = False
    dealer: bool = False
    """True if its clients speak the dealer dialect."""
    root: Path = ROOT
    """The folder of its code."""


SERVER = Subject("hearts-server")
DEALER = Subject("dealer", dealer=True)
WITHOUT = Subject("journal off", "off")
POWER_CUT = Subject("journal full", "full")
POSTGRES = Subject("PostgreSQL", has_postgres=True)
BARE = Subject("bare", is_bare=True)


_JOURNAL = "_write_all from"
"""The name that the system has for the journal's thread: the first letters of trio's name."""


THREADS = ("loop", "journal", "others", "database")
Times = dict[str, float]
"""Seconds of CPU by thread, and of the processes of a PostgreSQL that a server stores in."""


@dataclass(frozen=True, slots=True)
class ListeningProcess:
    """A process that listens."""

    pid: int
    port: int
    database: int = 0
    """The first process of the PostgreSQL that it stores in; 0 for none."""

    def cpu(self) -> Times:
        """Seconds of CPU that its threads have used, their own and the system's for them."""
        times = dict.fromkeys(THREADS, 0.0)
        times["database"] = cpu_of_family(self.database) if self.database else 0.0
        for thread in Path(f"/proc/{self.pid}/task").iterdir():
            # It may end between the two looks.
            with suppress(OSError):
                name = (thread / "comm").read_text().rstrip("\n")
                seconds = int((thread / "schedstat").read_text().split()[0]) / 1e9
                is_loop = thread.name == str(self.pid)
                kind = "loop" if is_loop else "journal" if name == _JOURNAL else "others"
                times[kind] += seconds
        return times

    def memory(self) -> int:
        """Bytes of memory that it holds now."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * _PAGE


def cpu_of_family(pid: int) -> float:
    """Seconds of CPU that a process and its children have used that run, to a millisecond."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    seconds = 0.0
    for each in (str(pid), *children):
        with suppress(OSError):
            seconds += int(Path(f"/proc/{each}/schedstat").read_text().split()[0]) / 1e9
    return seconds


@contextmanager
def listening(
    subject: Subject, script: SessionScript, script_path: Path, options: Sequence[str] = ()
) -> Iterator[ListeningProcess]:
    """Run a server or a bare program on a free port of loopback."""
    with tempfile.TemporaryDirectory() as data_dir, ExitStack() as stack:
        database = 0
        if subject.is_bare:
            command = ["-m", "tests.bench.bare", str(script_path)]
        else:
            command = server_options(data_dir, script, subject.root)
            command += ["--journal", subject.journal, *options]
        if subject.has_postgres:
            postgres = stack.enter_context(closing(PostgresServer(syncs=True)))
            database = postgres.pid
            command += ["--store", postgres.url()]
        with python(command, subject.root) as process:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.search(r"listening on 127\.0\.0\.1:(\d+)", line)
            if found is None:
                raise RuntimeError(f"{subject.name} does not listen: {line!r}")
            yield ListeningProcess(process.pid, int(found[1]), database)


def server_options(data_dir: str, script: SessionScript, root: Path = ROOT) -> list[str]:
    """How python runs a server that plays a script; ``root`` has its code."""
    return [
        *("-m", "hearts_server", "--host", "127.0.0.1", "--port", "0"),
        *("--no-taunt-server", "--taunt-port", "0", "--data-dir", data_dir),
        *("--end-score", str(END_SCORE), "--fill-after", "never"),
        *("--max-tables", "100000", "--max-per-address", "0", "--log-level", "error"),
        *_left_out(root),
        *(word for secret in script.secrets for word in ("--deal", deal_code(secret))),
    ]


def _left_out(root: Path) -> list[str]:
    """The options that switch off limits by address, and the page for browsers, as far as the code
    in a folder knows them."""
    options = {"--tables-per-ipv4": ["0"], "--accept-rate": ["0"], "--no-web": []}
    if root != ROOT:
        with python(["-m", "hearts_server", "--help"], root) as process:
            known = process.communicate()[0]
        options = {name: words for name, words in options.items() if name in known}
    return [word for name, words in options.items() for word in (name, *words)]


@contextmanager
def python(command: Sequence[str], root: Path = ROOT) -> Iterator[subprocess.Popen[str]]:
    """Run a program with the code in a folder, and end it at the end of the block."""
    with subprocess.Popen(
        [sys.executable, *command],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
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

    def play(self) -> tuple[LoadResult, Times]:
        """Let it play; what it came to, and the CPU of the server meanwhile."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        before = self._server.cpu()
        self._process.stdin.write("go\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        after = self._server.cpu()
        if not line:
            raise RuntimeError("the load has failed")
        cpu = {name: after[name] - before[name] for name in THREADS}
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
    with python(command) as process:
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            raise RuntimeError("the load cannot connect")
        yield Clients(process, server)
