"""The packages are built, and README's commands run from them, by a script beside this file."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hearts_server.commands.documents import documents


@pytest.mark.heavy
@pytest.mark.timeout(900)
def test_a_stranger_can_use_the_packages(tmp_path: Path) -> None:
    check = Path(__file__).with_name("check")
    done = subprocess.run([check, tmp_path], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stdout + done.stderr


def test_the_command_names_every_document() -> None:
    named = {path.name for path, title in documents() if title}
    assert named >= {"README.md", "SocketSpec.md", "LineSpec.md", "LICENSE", "hearts-protocol.json"}
