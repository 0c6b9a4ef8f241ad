"""What a run was made on: without it, figures of two runs cannot be told apart."""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sysconfig
from dataclasses import asdict, dataclass

import msgspec
import trio

from .processes import ROOT

_OPTIMIZED = ("--enable-optimizations", "--with-lto")
"""What makes an interpreter faster when it is built."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine, the interpreter and the code of a run."""

    cores: int
    processor: str
    python: str
    build: str
    """How the interpreter was built: its options that make it faster, and its compiler."""
    trio: str
    msgspec: str
    commit: str
    """With a + if files differ from it; "unknown" outside a repository."""

    def as_json(self) -> dict[str, object]:
        """The same for a file."""
        return asdict(self)

    def lines(self) -> list[str]:
        """The head of a run."""
        return [
            f"{self.processor}, {self.cores} cores; commit {self.commit}",
            f"Python {self.python} ({self.build}), trio {self.trio}, msgspec {self.msgspec}",
        ]


def this_machine() -> Machine:
    """What this run is made on."""
    return Machine(
        cores=os.cpu_count() or 1,
        processor=_processor(),
        python=platform.python_version(),
        build=build_of(str(sysconfig.get_config_var("CONFIG_ARGS") or "")),
        trio=trio.__version__,
        msgspec=msgspec.__version__,
        commit=_commit(),
    )


def build_of(arguments: str) -> str:
    """An interpreter's build in words, from the arguments of its ``configure``."""
    given = {word.partition("=")[0] for word in shlex.split(arguments)}
    options = [option for option in _OPTIMIZED if option in given]
    return f"{' '.join(options) or 'a plain build'}, {platform.python_compiler()}"


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.partition(":")[2] for line in file if line.startswith("model name")]
    except OSError:
        names = []
    return names[0].strip() if names else platform.machine()


def _commit() -> str:
    try:
        head = git("rev-parse", "--short", "HEAD")
        return head + ("+" if git("status", "--porcelain") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def git(*arguments: str) -> str:
    """What git says in this repository. Raises OSError, CalledProcessError."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()
