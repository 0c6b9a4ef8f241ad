"""The old clients at one table of the server of today, judged by the old referee.

The whole, each of them in everything that it does, is in test_whole_clients.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .archive import TODAY, OldProgram, play
from .conftest import OldClient

NAMES = ("Zoë", "Bob", "Cleo", "Dan")


def test_old_clients_play_lose_their_connections_and_come_back(
    old: OldProgram, old_client: OldClient, tmp_path: Path
) -> None:
    commands: list[list[str]] = []
    # Java's own start takes longest by far.
    for n, language in enumerate(("c", "dealer", "perl", "javascript")):
        try:
            command = old_client(language)
        except pytest.skip.Exception:
            continue
        drop = str((7, 1, 14, 20)[n])
        commands.append([*command, "--name", NAMES[n], "--table", "friends", "--drop", drop])
    if not commands:
        pytest.skip("there is no compiler and no interpreter")
    computers = 4 - len(commands)
    if computers:
        commands[0] += ["--computers", str(computers)]
    # To 27 a game has two hands at least, so each client comes to the choice at which it drops.
    rules = ("--rules", "windows93", "--end-score", "27", "--turn-limit", "0")
    with TODAY.game_server(tmp_path / "data", *rules) as port:
        to_server = ("--host", "127.0.0.1", "--port", str(port), "--taunt-port", "0")
        printed = play([[*command, *to_server] for command in commands], tmp_path)
    assert old.judge(printed, came_back=True).games == 1
    for lines in printed:
        assert sum(line.startswith("back: ") for line in lines) == 1
