"""A copy of the project as it is checked out, without what is built in it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.soak.soak_server import ROOT


def copy_tree(folder: Path) -> Path:
    """Copy all files of the project that git knows to a new folder."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for name in listed.stdout.decode().split("\0")[:-1]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder
