"""The door to what Windows has otherwise: nothing else imports that, and mypy reads both halves."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house import ROOT

ON_WINDOWS = ("hearts", "hearts_client", "hearts_arena", "hearts_conformance")
"""Packages of the programs that run there."""
NOT_THERE = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}
DOOR = Path("hearts/net/system.py")


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str(module)):
                yield module


def test_only_the_door_imports_what_windows_has_not() -> None:
    paths = [path for package in ON_WINDOWS for path in (ROOT / package).rglob("*.py")]
    having = {path.relative_to(ROOT) for path in paths if NOT_THERE.intersection(_imported(path))}
    assert having == {DOOR}


@pytest.mark.heavy
def test_the_types_are_right_on_windows() -> None:
    command = [str(Path(sys.executable).with_name("mypy")), "--platform", "win32", *ON_WINDOWS]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
