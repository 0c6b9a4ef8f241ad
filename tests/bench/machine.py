"""What a run was made on: without it, figures of two runs cannot be told apart."""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sysconfig
from contextlib import suppress
from pathlib import Path

import msgspec
import trio

from .processes import ROOT

_OPTIMIZED = ("--enable-optimizations", "--with-lto")
"""What makes an interpreter faster when it is built."""


def head() -> tuple[str, str]:
    """The machine and the commit, with a + if files differ from it; Python and its build."""
    build = build_of(str(sysconfig.get_config_var("CONFIG_ARGS") or ""))
    return (
        f"{_processor()}, {os.cpu_count()} cores; commit {_commit()}",
        f"Python {platform.python_version()} ({build}), trio {trio.__version__}, "
        f"msgspec {msgspec.__version__}",
    )


def build_of(arguments: str) -> str:
    """An interpreter's build in words, from the arguments of its ``configure``."""
    given = {word.partition("=")[0] for word in shlex.split(arguments)}
    options = [option for option in _OPTIMIZED if option in given]
    return f"{' '.join(options) or 'a plain build'}, {platform.python_compiler()}"


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def _commit() -> str:
    try:
        return git("rev-parse", "--short", "HEAD") + ("+" if git("status", "--porcelain") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def git(*arguments: str) -> str:
    """What git says in this repository. Raises OSError, CalledProcessError."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()
