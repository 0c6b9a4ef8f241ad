"""The page on privacy names all files of a data dir that keep something of people."""

from __future__ import annotations

from pathlib import Path

from hearts_server.config import JOURNAL_FILE
from hearts_server.datadir import _KNOWN_FILE, KEPT_FILES, STANDINGS_FILE

PAGE = (Path(__file__).parents[2] / "docs" / "privacy.md").read_text("utf-8")


def test_each_file_that_keeps_something_of_people_is_named() -> None:
    for name in (JOURNAL_FILE, _KNOWN_FILE, STANDINGS_FILE, *KEPT_FILES):
        assert f"`{name}`" in PAGE
