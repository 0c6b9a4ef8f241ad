"""The sockets at which programs of our own find each other."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from hearts_server.own_sockets import NODE_CHAT, own_socket


def test_what_a_killed_process_has_left_goes_and_a_file_of_the_host_stays(tmp_path: Path) -> None:
    left, notes = tmp_path / "chat-1", tmp_path / "chat-notes.txt"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(left))
    notes.write_text("rules of the house")
    path = own_socket(tmp_path, NODE_CHAT)
    assert Path(path).parent == tmp_path
    assert [each.name for each in tmp_path.iterdir()] == ["chat-notes.txt"]


def test_a_path_that_is_too_long_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="too long"):
        own_socket(tmp_path / ("x" * 100), NODE_CHAT)
