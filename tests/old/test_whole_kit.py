"""The old conformance kit in all of its scenarios."""

from __future__ import annotations

from pathlib import Path

import pytest

from .archive import OldProgram
from .kit import lead

pytestmark = pytest.mark.heavy


def test_the_bot_of_today_conforms(old: OldProgram, tmp_path: Path) -> None:
    assert len(lead(old, "plain", tmp_path)) > 30
