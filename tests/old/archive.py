"""Programs as they were when the wire was frozen: unpacked, started, asked for their judgement.

Nothing of it is imported here. What is old runs in processes of its own, which find every module
in the unpacked folder, so that it cannot change with the code of today.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
ARCHIVES = ("program.tar.xz", "program-2.tar.xz")
"""One for each time that the wire was frozen."""
LIMIT = 300.0
"""Seconds for anything that ends by itself, on a machine that is busy."""

# The bot lay elsewhere in the first program.
_BOT = """
import sys
try:
    from hearts_client.commands.bot import main
except ModuleNotFoundError:
    from hearts_client.bot_app import main
sys.exit(main())
"""
BOT = ("-c", _BOT)
SERVER = ("-m", "hearts_server")
TAUNT_SERVER = ("-m", "taunt_server")

_MADE = """
import json, sys
from pathlib import Path
from tests.clients.programs import LANGUAGES, Missing
try:
    print(json.dumps(LANGUAGES[sys.argv[1]].made(Path(sys.argv[2]))))
except Missing as missing:
    sys.exit(str(missing))
"""
_JUDGED = """
import json, sys
from tests.clients import programs as p
from tests.clients.programs import fact_of
from tests.independent.referee import Referee
asked = json.load(sys.stdin)
Program = getattr(p, "RunningProgram", None) or p.Program
programs = [Program(None, [fact_of(line) for line in lines]) for lines in asked["printed"]]
by_seat = {program.player: program.transcript for program in programs}
assert len(by_seat) == len(programs)
report = Referee(by_seat, came_back=asked["came_back"]).judge()
print(json.dumps([report.games, report.hands, sum(report.forced.values())]))
"""


class NotBuilt(Exception):
    """What it takes to run an old client is not there; the text says what."""


@dataclass(frozen=True, slots=True)
class OldVerdict:
    """What the old referee saw at a table where all went by the rules."""

    games: int
    hands: int
    forced: int
    """Passes and cards that the server chose."""


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack an archive into this folder; gives the folder."""
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return folder


@dataclass(frozen=True, slots=True)
class Release:
    """A version of the program: the folder that its packages are in."""

    root: Path

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        """Start this version's Python with these arguments, with pipes to it."""
        own = {"PYTHONPATH": str(self.root), "PYTHONUNBUFFERED": "1", **environment}
        return subprocess.Popen(
            [sys.executable, *arguments],
            cwd=self.root,
            env={**os.environ, **own},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def run(self, *arguments: str, typed: str = "") -> tuple[int, str, str]:
        """Exit status, output and errors of what ends by itself."""
        with self.start(*arguments) as process:
            try:
                out, errors = process.communicate(typed, timeout=LIMIT)
            finally:
                process.kill()
            return process.returncode, out, errors

    @contextlib.contextmanager
    def listening(self, program: Sequence[str], *settings: str) -> Iterator[int]:
        """A server of this version on a port of its own, which is given; gone at the end."""
        local = ("--host", "127.0.0.1", "--port", "0")
        with self.start(*program, *local, *settings) as process:
            assert process.stdout is not None
            try:
                for line in process.stdout:
                    if " listening on " in line:
                        break
                else:
                    raise AssertionError(process.communicate(timeout=LIMIT))
                yield int(line.rpartition(":")[2])
            finally:
                process.kill()

    def game_server(self, data_dir: Path, *settings: str) -> contextlib.AbstractContextManager[int]:
        """A game server without a pause for its computers; no chat unless the settings say so."""
        quick = ("--no-taunt-server", "--taunt-port", "0", "--bot-pause", "0")
        no_page = ("--no-web",) * (self.root / "hearts_web").exists()
        return self.listening(SERVER, "--data-dir", str(data_dir), *quick, *no_page, *settings)


TODAY = Release(ROOT)


@dataclass(frozen=True, slots=True)
class OldProgram(Release):
    """A version that was frozen, with its clients in other languages and its referee."""

    is_first: bool = True
    """The wire has changed since the first was frozen, and for a reason (README.md)."""

    def client(self, language: str, folder: Path) -> list[str]:
        """The command of an old client, built in an empty folder. Raises NotBuilt."""
        status, out, errors = self.run("-c", _MADE, language, str(folder))
        if status:
            raise NotBuilt(errors.strip())
        command: list[str] = json.loads(out)
        return command

    def judge(self, printed: Sequence[Sequence[str]], *, came_back: bool = False) -> OldVerdict:
        """What the old referee says of what the clients of a table printed."""
        asked: dict[str, Any] = {"printed": printed, "came_back": came_back}
        status, out, errors = self.run("-c", _JUDGED, typed=json.dumps(asked))
        assert status == 0, errors
        return OldVerdict(*json.loads(out))


@contextlib.contextmanager
def started(command: Sequence[str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A program whose output and errors go to the files ``out`` and ``errors`` of the folder."""
    folder.mkdir()
    with (folder / "out").open("wb") as out, (folder / "errors").open("wb") as errors:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=errors)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def play(commands: Sequence[Sequence[str]], folder: Path) -> list[list[str]]:
    """The lines that clients print who play a session to its end, each started by its command."""
    folders = [folder / f"client{n}" for n in range(len(commands))]
    with contextlib.ExitStack() as stack:
        own = zip(commands, folders, strict=True)
        processes = [stack.enter_context(started(*each)) for each in own]
        for process, place in zip(processes, folders, strict=True):
            assert process.wait(timeout=LIMIT) == 0, (place / "errors").read_text("utf-8")
    return [(place / "out").read_text("utf-8").splitlines() for place in folders]
