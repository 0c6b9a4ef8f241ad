"""What cites a section of SocketSpec.md or DealerSpec.md cites one that is there, in its file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from .spec import DEALER_FILE, FILE, sections

ROOT = FILE.parent
PLACES = (
    *("hearts", "hearts_server", "hearts_client", "hearts_arena", "hearts_conformance"),
    *("taunt_server", "tests"),
)
ENDINGS = {".py", ".md", ".mjs", ".java", ".c", ".pl"}
CITED = re.compile(
    r"\b(SocketSpec|DealerSpec)(?:\.md)?,?\s+(?:sections?\s+)?(\d+(?:\.\d+)?)"
    r"(?:(?:,| and| to)\s+(\d+(?:\.\d+)?))?(?:(?:,| and| to)\s+(\d+(?:\.\d+)?))?"
)


def files() -> Iterator[Path]:
    """The project's own files; what lies frozen cites what was."""
    yield from ROOT.glob("*.md")
    for place in PLACES:
        for path in sorted((ROOT / place).rglob("*")):
            if path.suffix in ENDINGS and (ROOT / "tests" / "old") not in path.parents:
                yield path


def test_code_and_docs_cite_what_is_there() -> None:
    known, count, wrong = sections(), 0, []
    for path in files():
        for file, first, *more in CITED.findall(path.read_text(encoding="utf-8")):
            count += 1
            is_dealer = first.split(".")[0] == "14"
            if is_dealer != (file == "DealerSpec") or {first, *filter(None, more)} - set(known):
                wrong.append(f"{path.relative_to(ROOT)}: {file} {first} {more}")
    assert wrong == []
    assert count > 100


@pytest.mark.parametrize("file", [FILE, DEALER_FILE], ids=lambda file: file.stem)
def test_the_two_files_cite_what_is_there(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    cited = set(re.findall(r"(?<=[( ])(\d{1,2}\.\d{1,2})(?=[),;:])", text))
    assert len(cited) > 20
    assert cited <= {*sections()}
