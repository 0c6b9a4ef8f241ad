"""The house rules: lint, types and the direction of imports, each by the tool that knows it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
PACKAGES = [
    "hearts",
    "hearts_server",
    "hearts_client",
    "hearts_arena",
    "hearts_conformance",
    "hearts_web",
    "taunt_server",
]
LONGEST_MODULE = 350
CODE = [*PACKAGES, "tests"]
ASYNC = [
    "flake8-async",
    "--startable-in-context-manager=run_server,run_node,_run_life,_lead,play,_run_once,"
    "_watch_signals,run,serve_metrics",
]
# 9xx ask that every async function has a checkpoint on every path, helpers included.
EVERY_RULE = ["--enable=ASYNC1,ASYNC2,ASYNC3"]


_NURSERIES = re.compile("nursery|start_soon|CancelScope|move_on_a|fail_a")


def files_with_trio(*folders: str) -> list[str]:
    """The files with what a tool for nurseries and deadlines looks at."""
    return [
        str(path)
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
        if _NURSERIES.search(path.read_text("utf-8"))
    ]


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", *CODE],
        ["ruff", "format", "--check", *CODE],
        ["lint-imports"],
        ["mypy"],
    ],
    ids=["ruff-check", "ruff-format", "import-linter", "mypy"],
)
def test_tool_finds_nothing(command: list[str]) -> None:
    check(command)


def test_no_module_of_the_programs_is_long() -> None:
    lengths = {
        path: len(path.read_text("utf-8").splitlines())
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    }
    assert lengths
    assert {path: lines for path, lines in lengths.items() if lines > LONGEST_MODULE} == {}


@pytest.mark.heavy  # ruff finds the greater part of it in the main run.
@pytest.mark.parametrize("folders", [PACKAGES, ["tests"]], ids=["code", "test-tools"])
def test_async_code_has_nothing_to_be_found(folders: list[str]) -> None:
    files = files_with_trio(*folders)
    check([*ASYNC, *EVERY_RULE, *(file for file in files if "/test_" not in file)])


def check(command: list[str]) -> None:
    """Assert that a tool finds nothing."""
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
