"""The site of the documents can be made, and nothing in it leads nowhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.heavy
def test_the_site_is_made_without_a_warning(tmp_path: Path) -> None:
    site, kept = tmp_path / "site", tmp_path / "kept"
    command = ("-m", "sphinx", "-q", "-W", "--keep-going", "-c", "docs", "-d", str(kept), ".")
    done = subprocess.run(
        [sys.executable, *command, str(site)], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert (site / "docs" / "index.html").exists()
