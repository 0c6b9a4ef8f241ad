"""The house rules: lint, types and the direction of imports, each by the tool that knows it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
CODE = ["hearts", "hearts_server", "hearts_client", "taunt_server", "tests"]


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", *CODE],
        ["ruff", "format", "--check", *CODE],
        [
            "flake8",
            "--isolated",
            # 9xx ask that every async function has a checkpoint on every path, helpers included.
            "--select=ASYNC1,ASYNC2,ASYNC3",
            "--startable-in-context-manager=run_server,run_taunt_server,_watch_signals",
            *CODE,
        ],
        ["lint-imports"],
        ["mypy"],
    ],
    ids=["ruff-check", "ruff-format", "flake8-async", "import-linter", "mypy"],
)
def test_tool_finds_nothing(command: list[str]) -> None:
    tool = BIN / command[0]
    assert tool.exists(), f"{command[0]} is missing: pip install -e '.[test]'"
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100"}
    result = subprocess.run(
        [tool, *command[1:]],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
