"""The systemd units of the door: a user of its own, no network but the socket that is handed in."""

from __future__ import annotations

import shlex
from pathlib import Path

from hearts_server.given_settings import parse_config
from hearts_ssh.options import DEFAULT_PORT, parse_arguments
from tests.soak.soak_server import ROOT

FOLDER = ROOT / "hearts_ssh"
SERVER = (ROOT / "hearts_server/hearts-server.service").read_text(encoding="utf-8")
BOOK = (ROOT / "docs/hosting/server.md").read_text(encoding="utf-8")


def _lines(name: str) -> list[str]:
    return (FOLDER / name).read_text(encoding="utf-8").splitlines()


def test_the_door_is_not_the_servers_user() -> None:
    lines = _lines("hearts-ssh.service")
    for line in (
        *("DynamicUser=yes", "ProtectSystem=strict", "NoNewPrivileges=yes", "ProtectHome=yes"),
        *("IPAddressDeny=any", "IPAddressAllow=localhost", "RestrictAddressFamilies=AF_UNIX"),
    ):
        assert line in lines
    assert not any(line.startswith(("User=", "Group=")) for line in lines)


def test_server_and_door_meet_at_one_socket(tmp_path: Path) -> None:
    (start,) = (line for line in _lines("hearts-ssh.service") if line.startswith("ExecStart="))
    program, *arguments = shlex.split(start.partition("=")[2])
    config = parse_arguments(arguments)
    assert Path(program).name == "hearts-ssh"
    assert f"ListenStream={DEFAULT_PORT}" in _lines("hearts-ssh.socket")
    (line,) = (line for line in BOOK.splitlines() if line.startswith("ssh-door = "))
    file = tmp_path / "hearts-server.toml"
    file.write_text(line, encoding="utf-8")
    assert str(parse_config(["--config", str(file)]).ssh_door) == config.game
    assert f"RuntimeDirectory={Path(config.game).parent.name}\n" in SERVER
    assert "RuntimeDirectoryMode=0750\n" in SERVER
    assert "SupplementaryGroups=hearts" in _lines("hearts-ssh.service")
    assert "Group=hearts\n" in SERVER
