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
CODE = [*PACKAGES, "tests"]
ASYNC = [
    "flake8-async",
    # 9xx ask that every async function has a checkpoint on every path, helpers included.
    "--enable=ASYNC1,ASYNC2,ASYNC3",
    "--startable-in-context-manager=run_server,_run_once,_watch_signals,run,serve_metrics",
]


_NURSERIES = re.compile("nursery|start_soon|CancelScope|move_on_a|fail_a")


def files_with_trio(*folders: str) -> list[str]:
    """The files with what a tool for nurseries and deadlines looks at.

    It takes half a second for each; what blocks in async code ruff finds as well.
    """
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
        [*ASYNC, *files_with_trio(*PACKAGES)],
        [*ASYNC, *(file for file in files_with_trio("tests") if "/test_" not in file)],
        ["lint-imports"],
        ["mypy"],
    ],
    ids=[
        "ruff-check",
        "ruff-format",
        "async-code",
        "async-test-tools",
        "import-linter",
        "mypy",
    ],
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
