"""What the programs say of themselves, asked in this process: there are thirty texts."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from functools import cache
from importlib.metadata import entry_points

import pytest


@cache
def usage(program: str, *words: str) -> str:
    """What ``--help`` says of a program that is installed, or of a command of it."""
    (installed,) = entry_points(group="console_scripts", name=program)
    with redirect_stdout(io.StringIO()) as said, pytest.raises(SystemExit) as ended:
        installed.load()([*words, "--help"])
    assert not ended.value.code
    return said.getvalue()
