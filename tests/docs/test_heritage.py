"""Heritage.md: each place that a row names is there, with the number that stands beside it."""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from pathlib import Path

import pytest

from hearts.dealer.numbers import DealerState, MessageType
from hearts.errors import InvalidRules
from hearts.game.rules import PRESETS, Rules, parse_rules
from hearts_client.screen.help_texts import TABLE_KEYS
from hearts_client.statistics.table import GROUPS
from hearts_client.words.typed import Unknown, read_line

from .spec import FILE, sections
from .test_names import PACKAGES
from .usage import usage

ROOT = FILE.parent
BIN = Path(sys.executable).parent
TEXT = (ROOT / "Heritage.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (.+) \| (.+) \| (.*)\|$", re.M)
SECTION = re.compile(r"\b(SocketSpec|DealerSpec) (\d+(?:\.\d+)?)\b")


def rows(section: str) -> list[tuple[str, str, str]]:
    """What is named, where it is, and how; of a section and its parts."""
    parts = re.split(r"^###? (\d+(?:\.\d+)?) .*$", TEXT, flags=re.M)
    wanted = [
        text
        for number, text in zip(parts[1::2], parts[2::2], strict=True)
        if number == section or number.startswith(section + ".")
    ]
    found = [match.groups() for text in wanted for match in ROW.finditer(text)]
    return [(name, here, how.strip()) for name, here, how in found if here != "here"]


EVERY_ROW = [row for section in "12345" for row in rows(section)]


def names(here: str) -> list[str]:
    """The names between marks of code."""
    return re.findall(r"`([^`]+)`", here)


EVERY_NAME = sorted({name for _, here, _ in EVERY_ROW for name in names(here)})


@cache
def definitions() -> dict[str, set[str]]:
    """Every name of the product at the top of a module, and those inside of a class with it.

    A name with a plain number or text as its value has that too, behind a space.
    """
    found: dict[str, set[str]] = {"": set()}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
            found[""] |= defined(tree.body)
            for node in tree.body:
                if isinstance(node, ast.ClassDef):
                    found[node.name] = defined(node.body)
    return found


def defined(body: list[ast.stmt]) -> set[str]:
    found = set()
    for node in body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                found.add(name)
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found |= {name, f"{name} {ast.unparse(value)}"}
    return found


def has_option(text: str, option: str, default: str) -> bool:
    """Whether a help names an option, and it has that default, if one is said."""
    entries = re.findall(rf"(?<![\w-]){option}(?![\w-])((?:(?! --[a-z]).)*)", text)
    return bool(entries) and (not default or f"(default: {default})" in " ".join(entries))


def is_there(name: str) -> bool:
    """Whether a name of the middle column stands for something."""
    match name.split():
        case ["rules", text]:
            return isinstance(parse_rules(text), Rules)
        case ["statistic", key]:
            return any(row.key == key for group in GROUPS for row in group)
        case ["key", key]:
            return key in TABLE_KEYS
        case ["typed", command]:
            return not isinstance(read_line(command), Unknown)
        case [message, _] if message.startswith("P_"):
            return name in {f"P_{each.name} {each.value}" for each in MessageType}
        case [state, _] if state.startswith("DS_"):
            return name in {f"DS_{each.name} {each.value}" for each in DealerState}
        case [path] if "/" in path or path.endswith(".md"):
            return (ROOT / path).exists()
        case [program, *words] if (BIN / program).exists():
            split = next((i for i, word in enumerate(words) if word.startswith("--")), len(words))
            text = " ".join(usage(program, *words[:split]).split())
            option, default = (*words[split:], "", "")[:2]
            return not option or has_option(text, option, default)
        case [dotted, *value]:
            owner, _, attribute = dotted.rpartition(".")
            return " ".join((attribute, *value)) in definitions().get(owner, ())
    return False


@pytest.mark.parametrize("name", EVERY_NAME)
def test_every_name_is_there(name: str) -> None:
    assert is_there(name)


@pytest.mark.parametrize(
    "name",
    [
        *("P_DO_PASS 105", "P_NOTHING 104", "DS_INIT 402", "hearts/nothing.py", "nothing.md"),
        *(
            "hearts-server --nothing",
            "hearts-server --port 7627",
            "hearts-client statistics --rows",
        ),
        *("Rules.nothing", "Nothing.jack", "NAME_LIMIT 31", "Reason.NOT_HELD -2", "Nothing"),
        *("statistic nothing", "key nothing", "typed /nothing"),
    ],
)
def test_a_name_of_nothing_is_found_out(name: str) -> None:
    assert not is_there(name)


def test_a_rule_of_nothing_is_found_out() -> None:
    with pytest.raises(InvalidRules):
        is_there("rules nothing")


def test_every_row_says_where_or_why_not() -> None:
    known = sections()
    for name, here, how in EVERY_ROW:
        cited = SECTION.findall(here)
        if here == "-":
            assert how, f"{name}: why is it not there?"
        else:
            assert names(here) or cited, name
            left = SECTION.sub("", re.sub(r"`[^`]+`", "", here)).replace(",", "").strip()
            assert left == "", f"{name}: {left!r} is looked up by nobody"
        for file, number in cited:
            assert number in known, name
            assert (file == "DealerSpec") == number.startswith("14"), name


def test_no_row_is_there_twice() -> None:
    for section in "12345":
        found = [name for name, _, _ in rows(section)]
        assert len(found) == len(set(found))
    assert len(EVERY_ROW) > 240


def test_the_messages_and_states_of_1993_are_complete() -> None:
    said = {name: here for name, here, _ in rows("2.1")}
    numbered = {int(name.split()[-1]) for name in said}
    assert numbered == {*range(101, 136)} - {109, 112, 115, 120, 123, 131}
    for message in MessageType:
        if message <= 135:
            name = f"P_{message.name} {message.value}"
            assert f"`{name}`" in said[name]
    states = [f"DS_{state.name} {state.value}" for state in DealerState]
    assert [(name, here) for name, here, _ in rows("2.2")] == [(s, f"`{s}`") for s in states]


def test_every_rule_has_a_row() -> None:
    text = " ".join(here for _, here, _ in EVERY_ROW)
    for field in Rules.__struct_fields__:
        assert f"`Rules.{field}`" in text or field == "passing"
    for preset in PRESETS:
        assert f"`rules {preset}`" in text
