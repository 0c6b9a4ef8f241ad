"""``hearts-client --resume``: the program is ended, and another one goes on with its game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hearts_client.session.saved import SavedSession, SessionPlace, read_all, write
from tests.plain.script import NEW

from .programs import BOT, CLIENT, CODE, LIMIT, free_port, read_until, run, served, start


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The port of a game server without chat."""
    with served(tmp_path / "server", "--deal", CODE) as (_, port):
        yield port


def numbered(lines: list[str]) -> list[str]:
    return [line for line in lines if re.match(r" +\d+ ", line)]


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of saved games of every program that the test starts."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "hearts-client" / "sessions"


def test_the_program_is_killed_and_another_one_goes_on(server: str, state: Path) -> None:
    where = f"127.0.0.1:{server}"
    game = [where, "--name", "Ann", "--taunt-port", "0", "--computers", "3"]
    with start([*CLIENT, *game]) as process:
        first = read_until(process, "Type the three cards")
        ((saved,), problems) = read_all(state)
        assert problems == []
        process.kill()
        assert process.stdout is not None
        assert process.stdout.read() == ""
    with start([*CLIENT, "--resume"]) as process:
        again = read_until(process, "Type the three cards")
        assert again[0] == f"Connected to {where} as Ann."
        assert "You are back." in again
        assert numbered(again) == numbered(first) != []
        out, errors = process.communicate("/quit\n", timeout=LIMIT)
        assert (process.returncode, errors) == (0, "")
        how = f"To come back: hearts-client --resume {saved.choice}\n"
        assert out == f"You leave the table.\n{how}"
    assert read_all(state)[0] == [saved]


def test_a_game_that_is_gone_is_forgotten(server: str, state: Path) -> None:
    saved = SavedSession(SessionPlace("127.0.0.1", int(server), 0, None), NEW)
    write(state, saved)
    with start([*CLIENT, "--resume", "7"]) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        # Standard input stays open: nothing but the refusal ends the program.
        assert process.wait(timeout=LIMIT) == 2
        assert process.stdout.read() == f"Connected to 127.0.0.1:{server} as Ann.\n"
        errors = process.stderr.read()
    assert errors == (
        "hearts-client: the server refuses: there is no such game to come back to. "
        "That game is no longer saved\n"
    )
    assert read_all(state) == ([], [])


def test_nothing_to_come_back_to(state: Path) -> None:
    expected = (2, "", "hearts-client: no game is saved here to come back to\n")
    assert run(*CLIENT, "--resume") == expected
    state.mkdir(parents=True)
    (state / "x.json").write_text("x")
    problem = f"hearts-client: {state / 'x.json'} is not usable: this is no JSON\n"
    assert run(*CLIENT, "--resume") == (2, "", problem + expected[2])


def test_a_server_that_is_away_keeps_the_game_saved(state: Path) -> None:
    port = int(free_port())
    write(state, SavedSession(SessionPlace("127.0.0.1", port, 0, None), NEW))
    why = f"hearts-client: cannot connect to 127.0.0.1:{port}: Connection refused\n"
    assert run(*CLIENT, "--resume") == (2, "", why)
    assert len(read_all(state)[0]) == 1
    # Nobody else's game is gone on with.
    nothing = "hearts-client: no game is saved here to come back to\n"
    assert run(*CLIENT, "--profile", "Bob", "--resume") == (2, "", nothing)


def test_a_bot_gives_up_after_its_limit(tmp_path: Path) -> None:
    bot = [*BOT, "simple", "--rules", "standard", "--retry-limit", "0.5"]
    with (
        served(tmp_path, "--bot-pause", "1", "--fill-after", "0") as (server, port),
        start([*bot, "--host", "127.0.0.1", "--port", port]) as process,
    ):
        read_until(process, "playing with")
        server.kill()
        out, errors = process.communicate(timeout=LIMIT)
        assert process.returncode == 1
    assert errors == "hearts-bot: the server ended the connection before the end\n"
    lines = out.splitlines()
    assert lines[0].startswith("simple: connection lost (")
    assert "; trying again in 0." in lines[0]
    assert all("Connection refused" in line for line in lines[1:])


def test_a_game_alone_is_kept(state: Path) -> None:
    """Its server ends with the program, and is started again where it left off."""
    with start([*CLIENT, "--solo", "--name", "Ann", "--bot-pause", "0"]) as process:
        first = read_until(process, "Type the three cards")
        out, errors = process.communicate("/quit\n", timeout=LIMIT)
        assert (process.returncode, errors) == (0, "")
        assert out.endswith("To come back: hearts-client --resume 1\n")
    ((saved,), _) = read_all(state)
    assert [folder.name for folder in (state.parent / "solo").iterdir()] == [saved.place.solo]
    with start([*CLIENT, "--resume"]) as process:
        again = read_until(process, "Type the three cards")
        assert again[0] == "A game against three computers goes on."
        assert numbered(again) == numbered(first) != []
