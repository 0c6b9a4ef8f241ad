"""The old programs in Python against the server of today, and today's against the old server."""

from __future__ import annotations

from pathlib import Path

import pytest

from .archive import BOT, TODAY, OldProgram, Release

pytestmark = pytest.mark.heavy

QUICK = ("--turn-limit", "0", "--end-score", "30", "--fill-after", "never")


def play(bots: Release, port: int, dialect: str, games: int) -> str:
    """What four bots of one table say."""
    where = ("--host", "127.0.0.1", "--port", str(port), "--dialect", dialect)
    how = ("--count", "4", "--table", "bots", "--games", str(games))
    status, out, errors = bots.run(*BOT, "simple", *where, *how)
    assert (status, errors) == (0, "")
    return out


@pytest.mark.parametrize("dialect", ["plain", "dealer"])
def test_old_bots_at_the_server_of_today(dialect: str, old: OldProgram, tmp_path: Path) -> None:
    with TODAY.game_server(tmp_path / "data", *QUICK) as port:
        assert play(old, port, dialect, 2).count("game 2 ended") == 4


@pytest.mark.parametrize("dialect", ["plain", "dealer"])
def test_bots_of_today_at_the_old_server(dialect: str, old: OldProgram, tmp_path: Path) -> None:
    if old.is_first and dialect == "dealer":
        pytest.skip("its promises have no hashes (README.md)")
    with old.game_server(tmp_path / "data", *QUICK) as port:
        assert play(TODAY, port, dialect, 2).count("game 2 ended") == 4


def test_a_crowd_of_old_clients(old: OldProgram, tmp_path: Path) -> None:
    settings = (*QUICK, "--max-per-address", "0")
    with TODAY.game_server(tmp_path / "data", *settings) as port:
        status, _, errors = old.run("-m", "tests.independent.crowd", str(port), "8", "3", "50")
    assert status == 0, errors
