"""One evening in Firefox, driven by puppeteer-core of npm."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from .page_house import Web

pytestmark = pytest.mark.heavy

PUPPETEER = "24.43.1"
SCRIPT = Path(__file__).parent / "scripts" / "evening.mjs"
LIMIT = 280


def test_a_first_visit_a_hand_by_hints_and_a_reload(house: Web) -> None:
    firefox = shutil.which("firefox-esr") or shutil.which("firefox")
    npm, node = shutil.which("npm"), shutil.which("node")
    if firefox is None or npm is None or node is None:
        pytest.skip("there is no firefox, or no node with npm")
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "hearts-tests" / f"puppeteer-{PUPPETEER}"
    if not (folder / "node_modules" / "puppeteer-core").exists():
        folder.mkdir(parents=True, exist_ok=True)
        install = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder)]
        package = f"puppeteer-core@{PUPPETEER}"
        got = subprocess.run([*install, package], capture_output=True, text=True)
        if got.returncode != 0:
            pytest.skip(f"npm could not install puppeteer-core: {got.stderr.strip()[-200:]}")
    evening = subprocess.run(
        [node, SCRIPT, folder, firefox, house.address],
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert evening.returncode == 0, evening.stdout + evening.stderr
    assert "Hand 1 is over" in evening.stdout
