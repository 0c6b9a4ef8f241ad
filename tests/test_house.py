"""The ruler of ``tests.house`` finds what is too much; async code, by a tool of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from . import house
from .house import MOST_MODULES, MOST_QUESTIONS, PRODUCT, ROOT, BudgetRoom, Survey, faults

ASYNC = [
    "flake8-async",
    "--startable-in-context-manager=run_server,run_node,_run_life,_lead,play,take_up,_run_once,"
    "_watch_signals,run,serve_metrics",
]
# 9xx ask that every async function has a checkpoint on every path, helpers included.
EVERY_RULE = ["--enable=ASYNC1,ASYNC2,ASYNC3"]
NURSERIES = re.compile("nursery|start_soon|CancelScope|move_on_a|fail_a")
MODULE = '''"""What it is."""

import os


class Card:
    value: int
    """Whether it is high."""

    def show(self) -> str:
        """The text."""
        return os.name
'''
"""12 lines with 4 statements and 2 questions."""


def survey_of(root: Path, *modules: str) -> Survey:
    for module in modules:
        path = root / module
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(MODULE)
    return Survey(root)


def test_a_house_in_order(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_cards.py").write_text("import os\n")
    survey = survey_of(tmp_path, "hearts/game/cards.py")
    assert (survey.lines["hearts/game"], survey.statements["product"]) == (12, 4)
    assert survey.lines["tests"] == 1
    assert survey.questions == 2
    survey.questions = MOST_QUESTIONS
    assert survey.nouns == ["hearts/game/cards.py:10"]
    survey.nouns.clear()
    assert (
        list(faults(survey, [BudgetRoom("hearts/game", 12, 5), BudgetRoom("product", 12, 5)])) == []
    )


def test_what_is_too_much_is_named(tmp_path: Path) -> None:
    modules = [f"taunt_server/m{number}.py" for number in range(MOST_MODULES + 1)]
    survey = survey_of(tmp_path, "taunt_server/__init__.py", *modules)
    survey.questions, survey.whoever = MOST_QUESTIONS + 1, house.MOST_WHOEVER + 1
    del survey.nouns[1:]
    survey.words.update({"ARCHITECTURE.md": house.MOST_WORDS + 1, "SocketSpec.md": 1})
    survey.lines["README.md"] = house.README_LINES + 1
    found = list(faults(survey, [BudgetRoom("taunt_server", 167, 5)]))
    room, top, name, questions = found[:4]
    assert [each.split()[0] for each in found[4:]] == [
        "taunt_server/__init__.py:10:",
        "whoever",
        "the",
        "ARCHITECTURE.md",
        "README.md",
    ]
    assert room == "taunt_server has 168 lines; its budget is 167"
    assert top == "taunt_server has 13 modules at its top; 12 is the most"
    assert name.startswith("Card is the name of several classes: taunt_server/__init__.py:6, ")
    most = f"{MOST_QUESTIONS + 1} docstrings begin with a question; {MOST_QUESTIONS} is the most"
    assert questions == most


@pytest.mark.heavy  # ruff finds the greater part of it in the main run.
@pytest.mark.parametrize("folders", [PRODUCT, ["tests"]], ids=["code", "test-tools"])
def test_async_code_has_nothing_to_be_found(folders: list[str]) -> None:
    files = [
        str(path)
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
        if NURSERIES.search(path.read_text("utf-8")) and not path.name.startswith("test_")
    ]
    result = subprocess.run(
        [Path(sys.executable).with_name(ASYNC[0]), *ASYNC[1:], *EVERY_RULE, *files],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
