"""The old conformance kit, in one scenario of each dialect; test_whole_kit.py has them all."""

from __future__ import annotations

from pathlib import Path

from .archive import OldProgram
from .kit import lead


def test_the_bot_of_today_conforms(old: OldProgram, tmp_path: Path) -> None:
    assert "back.decided" in lead(old, "plain", tmp_path, ("drop-decided",))
