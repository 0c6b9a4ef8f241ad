"""The types of the page's modules, by the compiler of TypeScript, which writes nothing here."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hearts_web.files import PAGE

pytestmark = pytest.mark.heavy

VERSION = "5.9.3"
"""Of TypeScript."""


def test_the_types_of_the_page() -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm")
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "hearts-tests" / f"typescript-{VERSION}"
    compiler = folder / "node_modules" / "typescript" / "bin" / "tsc"
    if not compiler.exists():
        folder.mkdir(parents=True, exist_ok=True)
        install = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder)]
        got = subprocess.run([*install, f"typescript@{VERSION}"], capture_output=True, text=True)
        if got.returncode != 0:
            pytest.skip(f"npm could not install typescript: {got.stderr.strip()[-200:]}")
    checked = subprocess.run([compiler, "-p", PAGE], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
