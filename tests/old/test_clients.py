"""The old clients at the server of today: at one table, and (heavy) each in all that it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from .archive import SERVER, TODAY, OldProgram, play
from .conftest import OldClient

CLIENTS = ("c", "java", "javascript", "perl", "dealer")
NAMES = ("Zoë", "Bob", "Cleo", "Dan")
QUICK = ("--turn-limit", "0", "--bot-pause", "0", "--fill-after", "never")
RULES = (
    "mac2000,dump,notrick",
    "windows93,rotate,bleed,queen-keeps,moon=minus,pass=cycle3",
)
ANY_PORTS = ("--host", "127.0.0.1", "--port", "0", "--taunt-port", "0", "--no-web")


def options(port: int, **more: str | int) -> list[str]:
    """Options that all clients take; no chat unless it is wished."""
    given = {"host": "127.0.0.1", "port": port, "taunt-port": 0, **more}
    return [word for name, value in given.items() for word in (f"--{name}", str(value))]


@pytest.mark.heavy
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
        printed = play([[*command, *options(port)] for command in commands], tmp_path)
    assert old.judge(printed, came_back=True).games == 1
    for lines in printed:
        assert sum(line.startswith("back: ") for line in lines) == 1


@pytest.mark.heavy
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("name", CLIENTS)
def test_four_play_and_lose_their_connections(
    name: str, rules: str, old: OldProgram, old_client: OldClient, tmp_path: Path
) -> None:
    client = old_client(name)
    settings = ("--rules", rules, "--end-score", "27", *QUICK)
    with TODAY.game_server(tmp_path / "data", *settings) as port:
        four = [
            [*client, *options(port, name=each, table="friends", drop=drop)]
            for each, drop in zip(NAMES, (1, 20, 20, 14), strict=True)
        ]
        printed = play(four, tmp_path)
    assert old.judge(printed, came_back=True).games == 1


@pytest.mark.heavy
@pytest.mark.parametrize("name", CLIENTS)
def test_with_computers_and_chat_and_another_game(
    name: str, old: OldProgram, old_client: OldClient, tmp_path: Path
) -> None:
    # So slow that the chat, a process of its own, has answered long before the games are over.
    data = ("--data-dir", str(tmp_path / "data"), "--bot-pause", "0.01")
    # The program as a host starts it, with its taunt server, whose port it says second.
    with TODAY.start(*SERVER, *ANY_PORTS, *QUICK, *data) as server:
        try:
            assert server.stdout is not None
            said = [server.stdout.readline(), server.stdout.readline()]
            ports = {line.split()[0]: int(line.rpartition(":")[2]) for line in said}
            wishes = options(ports["hearts-server"], computers=3, again=1, say="¡hola! ♥")
            wishes += ["--end-score", "23", "--taunt-port", str(ports["taunt-server"])]
            (lines,) = play([[*old_client(name), *wishes]], tmp_path)
        finally:
            server.terminate()
            server.communicate()
    assert old.judge([lines]).games == 2
    assert "taunt: 0\t¡hola! ♥" in lines


@pytest.mark.heavy
@pytest.mark.parametrize("name", CLIENTS)
def test_refused(name: str, old_client: OldClient, tmp_path: Path) -> None:
    client = old_client(name)
    with (
        TODAY.game_server(tmp_path / "data", "--password", "sesame") as port,
        pytest.raises(AssertionError),
    ):
        play([[*client, *options(port)]], tmp_path)
    assert "refused: -105\t" in (tmp_path / "client0" / "out").read_text("utf-8")
