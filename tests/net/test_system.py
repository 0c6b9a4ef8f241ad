"""The door to what Windows has otherwise: nothing else imports that, and mypy reads both halves."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house import ROOT

ON_WINDOWS = ("hearts", "hearts_client", "hearts_arena", "hearts_conformance")
"""Packages of the programs that run there."""
NOT_THERE = re.compile(r"^ *(?:import|from) (?:fcntl|grp|pty|pwd|resource|termios|tty)\b", re.M)
DOOR = Path("hearts/net/system.py")


def test_only_the_door_imports_what_windows_has_not() -> None:
    paths = [path for package in ON_WINDOWS for path in (ROOT / package).rglob("*.py")]
    having = [path for path in paths if NOT_THERE.search(path.read_text(encoding="utf-8"))]
    assert having == [ROOT / DOOR]


@pytest.mark.heavy
def test_the_types_are_right_on_windows() -> None:
    # With a cache of its own, or the next run for this system would begin without one.
    how = ("--platform", "win32", "--cache-dir", ".mypy_cache/win32")
    command = [str(Path(sys.executable).with_name("mypy")), *how, *ON_WINDOWS]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
