"""ARCHITECTURE.md: what it names exists, and every room stands in its picture."""

from __future__ import annotations

import re

from .spec import FILE

ROOT = FILE.parent
TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
PACKAGES = ("hearts", "hearts_server", "hearts_client", "hearts_arena", "hearts_conformance")


def test_every_file_that_is_named_exists() -> None:
    named = set(re.findall(r"(?<![\w/])((?:hearts|taunt|tests)\w*/[\w/.]*\w/?)", TEXT))
    assert len(named) > 25
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_every_room_stands_in_the_picture() -> None:
    picture = TEXT.split("```")[1]
    for package in (*PACKAGES, "taunt_server"):
        assert f"{package}/" in picture
    for package in ("hearts", "hearts_server", "hearts_client"):
        rooms = {path.parent.name for path in (ROOT / package).glob("*/__init__.py")}
        assert rooms <= set(re.findall(r"(\w+)/", picture))
