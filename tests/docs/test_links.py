"""Every link in a document leads somewhere, the files that it names exist; the site is made."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.page.page_house import DESKTOP, chromium

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


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the site, which is made without a warning."""
    made, kept = (tmp_path_factory.mktemp(name) for name in ("site", "kept"))
    command = ("-m", "sphinx", "-q", "-W", "--keep-going", "-c", "docs", "-d", str(kept), ".")
    done = subprocess.run(
        [sys.executable, *command, str(made)], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.stderr, done.returncode) == ("", 0)
    return made.as_uri()


@pytest.mark.heavy
def test_the_site_begins_with_pictures_and_can_be_searched(site: str) -> None:
    with chromium() as browser:
        page = browser.new_page(viewport=DESKTOP)
        page.goto(f"{site}/index.html")
        pictures = page.get_by_role("main").get_by_role("img")
        expect(pictures).to_have_count(4)
        assert pictures.evaluate_all("all => all.every(each => each.naturalWidth > 0)")
        page.get_by_role("textbox", name="Search").fill("commitment")
        page.keyboard.press("Enter")
        page.get_by_role("link", name="SocketSpec: playing Hearts over a socket").first.click()
        expect(page).to_have_url(re.compile("/SocketSpec.html"))
        beside = page.get_by_role("complementary").get_by_role("link", name="7.6 Commitment")
        expect(beside).to_be_visible()
        beside.click()
        expect(page).to_have_url(re.compile("#commitment-and-disclosure$"))
