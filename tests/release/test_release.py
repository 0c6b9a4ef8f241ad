"""The packages are built, installed and used as strangers do it, by scripts beside this file."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hearts_server.commands.documents import documents
from hearts_server.given_settings import parse_config

DEBIAN_SETTINGS = Path(__file__).parents[2] / "packaging" / "debian" / "hearts-server.toml"
DEBIAN_TOOLS = ("dpkg-buildpackage", "dh", "lintian", "mmdebstrap")


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder in which a data dir has room for the sockets of a page."""
    with tempfile.TemporaryDirectory(prefix="hearts-") as folder:
        yield Path(folder)


def run(script: str, folder: Path) -> None:
    path = Path(__file__).with_name(script)
    done = subprocess.run([path, folder], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stdout + done.stderr


@pytest.mark.heavy
@pytest.mark.timeout(900)
@pytest.mark.parametrize("script", ["check", "stranger"])
def test_a_stranger_can_use_the_packages(script: str, short_path: Path) -> None:
    run(script, short_path)


@pytest.mark.heavy
@pytest.mark.timeout(900)
def test_the_package_for_debian_lives(tmp_path: Path) -> None:
    missing = [tool for tool in DEBIAN_TOOLS if shutil.which(tool) is None]
    if missing or os.geteuid():
        pytest.skip(f"it needs root, and {', '.join(missing or DEBIAN_TOOLS)}")
    run("debian", tmp_path)


def test_the_settings_of_the_package_are_the_programs(tmp_path: Path) -> None:
    assert parse_config(["--config", str(DEBIAN_SETTINGS)]).password == "auto"
    settings = re.findall(r"^(?:# )?(\S+ = .*)$", DEBIAN_SETTINGS.read_text("utf-8"), flags=re.M)
    assert len(settings) == 6
    every = tmp_path / "every.toml"
    every.write_text("\n".join(settings), encoding="utf-8")
    assert parse_config(["--config", str(every)]).metrics_port == 9626


def test_the_command_names_every_document() -> None:
    named = {path.name for path, title in documents() if title}
    assert named >= {"README.md", "SocketSpec.md", "LineSpec.md", "LICENSE", "hearts-protocol.json"}
