"""The old conformance kit in all of its scenarios."""

from __future__ import annotations

from pathlib import Path

import pytest

from .archive import OldProgram
from .kit import lead

pytestmark = pytest.mark.heavy


@pytest.mark.parametrize("dialect", ["plain", "dealer"])
def test_the_bot_of_today_conforms(dialect: str, old: OldProgram, tmp_path: Path) -> None:
    if old.is_first and dialect == "dealer":
        pytest.skip("its promises have no hashes (README.md)")
    assert len(lead(old, dialect, tmp_path)) > 30
