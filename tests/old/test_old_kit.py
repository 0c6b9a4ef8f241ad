"""The old conformance kit, in one scenario of each dialect; test_whole_kit.py has them all."""

from __future__ import annotations

from pathlib import Path

import pytest

from .archive import OldProgram
from .kit import lead


@pytest.mark.parametrize("dialect", ["plain", "dealer"])
def test_the_bot_of_today_conforms(dialect: str, old: OldProgram, tmp_path: Path) -> None:
    shown = lead(old, dialect, tmp_path, ("drop-decided",))
    assert {"plain": "back.decided", "dealer": "back.past"}[dialect] in shown
