"""The sockets at which programs of our own find each other."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from hearts_server.datadir import PAGE_GAME, own_socket


def test_what_a_killed_process_has_left_goes_and_a_file_of_the_host_stays(tmp_path: Path) -> None:
    left, notes = tmp_path / "web-game-1", tmp_path / "web-game-notes.txt"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(left))
    notes.write_text("rules of the house")
    path = own_socket(tmp_path, PAGE_GAME)
    assert Path(path).parent == tmp_path
    assert [each.name for each in tmp_path.iterdir()] == ["web-game-notes.txt"]


def test_a_path_that_is_too_long_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="too long"):
        own_socket(tmp_path / ("x" * 100), PAGE_GAME)
