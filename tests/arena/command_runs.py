"""The command ``hearts-arena`` as tests run it, and what of its results has to repeat."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hearts_arena.command import main

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).parent / "programs"
CLIENT = ROOT / "tests" / "independent" / "plain_client.py"
CLIENT_COMMAND = f"{sys.executable} {CLIENT} --host {{host}} --port {{port}}"
"""A Python program that shares no code with the project and is quickly there."""


def arena(*arguments: object) -> int:
    """Run the command in this process; gives its exit status."""
    with _own_signals():
        return main([str(argument) for argument in arguments])


@contextmanager
def _own_signals() -> Iterator[None]:
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in numbers]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def read_json(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return data


def repeatable(path: Path) -> dict[str, Any]:
    """The same without the date and what was measured with a clock."""
    data = read_json(path)
    del data["date"]
    for entrant in data["entrants"]:
        del entrant["speed"]
    return data


def is_alive(process: int) -> bool:
    """Tell if a process runs; one that only waits to be asked how it ended does not."""
    if not Path("/proc/self").exists():
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        return True
    try:
        return bool(Path(f"/proc/{process}/environ").read_bytes())
    except OSError:
        return False
