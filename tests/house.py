"""The house: lines and modules of each room beside its budget, then lint, types and imports.

``python -m tests.house`` prints what there is, and fails if there is too much of it. A commit that
raises a budget says why; one that makes a room smaller lowers it.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
PRODUCT = (
    *("hearts", "hearts_server", "taunt_server", "hearts_web", "hearts_client", "hearts_arena"),
    *("hearts_conformance", "hearts_ssh"),
)
CONTRACTS = ("SocketSpec.md", "DealerSpec.md")
TOOLS = ("ruff check .", "ruff format --check .", "lint-imports", "mypy", "pytest --collect-only")
"""Run at the same time. The last one finds tests that cannot be imported, and compiles them all,
or each worker of pytest would do that on a clean checkout."""
QUESTIONS = {"What", "Whether", "How", "Who", "Where", "When", "Why"}
NOUNS = {"The", "A", "An", "True", "None", "All", "Each", "One", "Such", "Everything", "Nothing"}
"""First words of a docstring that names a thing. That of a function names an act, unless it is a
property."""
MOST_QUESTIONS = 0
"""Docstrings, those of fields among them, that begin with one of QUESTIONS."""
MOST_WHOEVER = 3
"""Times that "whoever" stands in the product."""
MOST_WORDS = 58_800
"""Words of all Markdown but the two contracts, SocketSpec and DealerSpec."""
ARCHITECTURE_WORDS = 1500
README_LINES = 120
MOST_MODULES = 12
"""Modules at the top of a folder of the product."""
MORE_MODULES = {
    "hearts/net": 13,
    "hearts/table": 14,
    "hearts_server/lobby": 13,
}
"""Folders that have more today."""


class BudgetRoom(NamedTuple):
    """A folder or a module with its budget."""

    path: str
    budget: int
    """Lines of Python at most: those of the day it was set, rounded up to the next 50."""
    aim: int
    """Lines that the plan of the house gives it."""


ROOMS = (
    BudgetRoom("hearts/settings", 700, 300),
    BudgetRoom("hearts/wire", 650, 500),
    BudgetRoom("hearts/limits", 1000, 800),
    BudgetRoom("hearts/game", 2750, 2500),
    BudgetRoom("hearts/table", 3800, 3300),
    BudgetRoom("hearts/session", 3200, 2400),
    BudgetRoom("hearts/plain", 700, 800),
    BudgetRoom("hearts/dealer", 3500, 4000),
    BudgetRoom("hearts/taunt", 450, 500),
    BudgetRoom("hearts/bots", 3850, 3000),
    BudgetRoom("hearts/hosting", 2550, 2500),
    BudgetRoom("hearts/net", 2400, 2100),
    BudgetRoom("hearts/names", 600, 600),
    BudgetRoom("hearts/judging", 400, 400),
    BudgetRoom("hearts/standings", 150, 150),
    BudgetRoom("hearts", 26_550, 22_700),
    BudgetRoom("hearts_server", 16_550, 12_000),
    BudgetRoom("taunt_server", 1050, 1000),
    BudgetRoom("hearts_web", 1600, 1300),
    BudgetRoom("hearts_ssh", 1200, 1100),
    BudgetRoom("hearts_client", 21_200, 16_600),
    BudgetRoom("hearts_arena", 8250, 7800),
    BudgetRoom("hearts_conformance", 5150, 4400),
    BudgetRoom("product", 81_400, 66_000),
    BudgetRoom("tests", 100_900, 90_000),
    BudgetRoom("training", 1300, 1250),
)


class Survey:
    """What stands in all Python files of the product and the tests, each read once."""

    def __init__(self, root: Path = ROOT) -> None:
        self.lines: Counter[str] = Counter()
        """By module and by folder, and of the product."""
        self.statements: Counter[str] = Counter()
        """The same, without docstrings and imports."""
        self.modules: Counter[str] = Counter()
        """By the folder at whose top they are; ``__init__`` is not counted."""
        self.classes: defaultdict[str, list[str]] = defaultdict(list)
        """Where each class name stands."""
        self.questions = 0
        self.nouns: list[str] = []
        """Where the docstring of a function begins with one of NOUNS."""
        self.whoever = 0
        self.words: Counter[str] = Counter()
        """By document, whose lines are in ``lines``."""
        for package in (*PRODUCT, "tests", "training"):
            for path in sorted((root / package).rglob("*.py")):
                self._read(path.relative_to(root), path.read_text(encoding="utf-8"))
        for folder in (*PRODUCT, "docs", "tests", "."):
            depth = "*.md" if folder == "." else "**/*.md"
            for path in (root / folder).glob(depth):
                name = path.relative_to(root).as_posix()
                text = path.read_text(encoding="utf-8")
                self.words[name], self.lines[name] = len(text.split()), len(text.splitlines())

    def _read(self, path: Path, text: str) -> None:
        is_product = path.parts[0] in PRODUCT
        nodes = list(ast.walk(ast.parse(text, str(path))))
        for place in (path.with_suffix(""), *path.parents, *[Path("product")] * is_product):
            self.lines[place.as_posix()] += len(text.splitlines())
            self.statements[place.as_posix()] += sum(map(_does_something, nodes))
        for node in nodes:
            match node:
                case ast.ClassDef(name=name):
                    self.classes[name].append(f"{path}:{node.lineno}")
                case ast.Expr(value=ast.Constant(value=str(said))) if is_product:
                    self.questions += (said.split() or [""])[0] in QUESTIONS
                case ast.FunctionDef() | ast.AsyncFunctionDef() if is_product:
                    if _names_a_thing(node):
                        self.nouns.append(f"{path}:{node.lineno}")
        if is_product:
            self.whoever += text.lower().count("whoever")
            self.modules[path.parent.as_posix()] += path.stem != "__init__"


def _does_something(node: ast.AST) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
            return False
    return isinstance(node, ast.stmt)


def _names_a_thing(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    is_property = any("property" in ast.unparse(each) for each in function.decorator_list)
    words = (ast.get_docstring(function) or "").split()
    return words[:1] != [] and words[0] in NOUNS and not is_property and function.name != "__init__"


def faults(survey: Survey, rooms: Sequence[BudgetRoom] = ROOMS) -> Iterator[str]:
    """Say of everything that is too much where it is."""
    for path, budget, _ in rooms:
        if survey.lines[path] > budget:
            yield f"{path} has {survey.lines[path]} lines; its budget is {budget}"
    for folder, modules in survey.modules.items():
        if modules > (most := MORE_MODULES.get(folder, MOST_MODULES)):
            yield f"{folder} has {modules} modules at its top; {most} is the most"
    for name, places in survey.classes.items():
        if len(places) > 1:
            yield f"{name} is the name of several classes: {', '.join(places)}"
    if survey.questions > MOST_QUESTIONS:
        yield f"{survey.questions} docstrings begin with a question; {MOST_QUESTIONS} is the most"
    for place in survey.nouns:
        yield f"{place}: the docstring of a function begins with a verb"
    if survey.whoever > MOST_WHOEVER:
        yield f"whoever stands {survey.whoever} times in the product; {MOST_WHOEVER} is the most"
    words = sum(survey.words.values()) - sum(survey.words[each] for each in CONTRACTS)
    if words > MOST_WORDS:
        yield f"the documents have {words} words; {MOST_WORDS} is the most"
    if (own := survey.words["ARCHITECTURE.md"]) > ARCHITECTURE_WORDS:
        yield f"ARCHITECTURE.md has {own} words; {ARCHITECTURE_WORDS} is the most"
    if (own := survey.lines["README.md"]) > README_LINES:
        yield f"README.md has {own} lines; {README_LINES} is the most"


def main() -> int:
    """Print the rooms and what is wrong; give the exit status."""
    running = [
        subprocess.Popen(
            [Path(sys.executable).with_name(tool.split()[0]), *tool.split()[1:]],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for tool in TOOLS
    ]
    survey = Survey()
    print(f"{'room':20}{'lines':>8}{'budget':>8}{'aim':>8}{'statements':>12}{'modules':>9}")
    for path, budget, aim in ROOMS:
        lines, statements = survey.lines[path], survey.statements[path]
        print(f"{path:20}{lines:8}{budget:8}{aim:8}{statements:12}{survey.modules[path] or '':>9}")
    print(f"{survey.questions} docstrings begin with a question, of {MOST_QUESTIONS} at most")
    wrong = list(faults(survey))
    for tool, process in zip(TOOLS, running, strict=True):
        said, _ = process.communicate()
        if process.returncode:
            wrong.append(f"{tool}:\n{said}")
    print(*wrong, sep="\n") if wrong else print("Nothing is wrong.")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
