"""Every link in a document leads somewhere, the files that it names exist; the site is made."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from .spec import FILE

ROOT = FILE.parent
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "tests").rglob("*.md")]
)
for package in (*ROOT.glob("hearts*/"), ROOT / "taunt_server"):
    DOCUMENTS += sorted(package.rglob("*.md"))
CODE = re.compile(r"^ *```.*?^ *```$|`[^`\n]+`", re.M | re.S)
LINK = re.compile(r"\]\((?!https?://)([^)#\s]*)(?:#([^)\s]+))?\)")
NAMED = re.compile(r"(?<![\w/.])((?:hearts|taunt|tests)\w*/[\w/.-]*\w/?)")


@cache
def anchors(document: Path) -> set[str]:
    heads = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    for path, anchor in LINK.findall(CODE.sub("", document.read_text(encoding="utf-8"))):
        there = (document.parent / path).resolve() if path else document
        assert there.exists(), path
        assert not anchor or there.suffix != ".md" or anchor in anchors(there), f"{path}#{anchor}"


@pytest.mark.parametrize(
    "name",
    ["ARCHITECTURE.md", "Heritage.md", "tests/README.md", "hearts_server/standby/README.md"],
)
def test_files_that_are_named_exist(name: str) -> None:
    named = set(NAMED.findall((ROOT / name).read_text(encoding="utf-8")))
    assert len(named) > 3
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


@pytest.mark.heavy
def test_the_site_is_made_without_a_warning(tmp_path: Path) -> None:
    site, kept = tmp_path / "site", tmp_path / "kept"
    command = ("-m", "sphinx", "-q", "-W", "--keep-going", "-c", "docs", "-d", str(kept), ".")
    done = subprocess.run(
        [sys.executable, *command, str(site)], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert (site / "docs" / "index.html").exists()
