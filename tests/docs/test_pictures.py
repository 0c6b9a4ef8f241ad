"""The pictures of page and terminal in README and docs: all there, all made by one command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.page.page_house import chromium
from tests.soak.soak_server import ROOT

from .pictures import PLACES, main

SHOWN = re.compile(r"!\[[^\]]+\]\(([^)]+)\)")
MOST_BYTES = 100_000


def test_what_the_documents_show_is_what_the_command_makes() -> None:
    shown = set()
    for name in ("README.md", "docs/playing.md", "docs/same-cards.md"):
        file = ROOT / name
        for link in SHOWN.findall(file.read_text(encoding="utf-8")):
            path = (file.parent / link).resolve()
            assert 0 < path.stat().st_size < MOST_BYTES, link
            shown.add(path)
    made = {ROOT / place / name for name, place in PLACES.items()}
    assert shown == made
    assert set((ROOT / "hearts_client" / "captures").iterdir()) <= made


@pytest.mark.heavy
def test_the_command_makes_them_as_they_are(tmp_path: Path) -> None:
    with chromium():
        pass  # Without one there is nothing to be made.
    main([str(tmp_path)])
    for name, place in PLACES.items():
        there, made = (ROOT / place / name).read_bytes(), (tmp_path / name).read_bytes()
        if name.endswith(".svg"):
            assert made == there, f"{name}: python -m tests.docs.pictures makes it"
        else:
            # Another release of the browser draws some points differently.
            assert 0.9 < len(made) / len(there) < 1.1, name
