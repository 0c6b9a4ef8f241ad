"""The old programs in Python against those of today: bots, servers, and the conformance kit."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from .archive import BOT, ROOT, TODAY, OldProgram, Release

QUICK = ("--turn-limit", "0", "--end-score", "30", "--fill-after", "never")


def play(bots: Release, port: int, dialect: str, games: int) -> str:
    """What four bots of one table say."""
    where = ("--host", "127.0.0.1", "--port", str(port), "--dialect", dialect)
    how = ("--count", "4", "--table", "bots", "--games", str(games))
    status, out, errors = bots.run(*BOT, "simple", *where, *how)
    assert (status, errors) == (0, "")
    return out


@pytest.mark.heavy
@pytest.mark.parametrize("dialect", ["plain", "dealer"])
def test_old_bots_at_the_server_of_today(dialect: str, old: OldProgram, tmp_path: Path) -> None:
    with TODAY.game_server(tmp_path / "data", *QUICK) as port:
        assert play(old, port, dialect, 2).count("game 2 ended") == 4


@pytest.mark.heavy
@pytest.mark.parametrize("dialect", ["plain", "dealer"])
def test_bots_of_today_at_the_old_server(dialect: str, old: OldProgram, tmp_path: Path) -> None:
    if old.is_first and dialect == "dealer":
        pytest.skip("its promises have no hashes (README.md)")
    with old.game_server(tmp_path / "data", *QUICK) as port:
        assert play(TODAY, port, dialect, 2).count("game 2 ended") == 4


@pytest.mark.heavy
def test_a_crowd_of_old_clients(old: OldProgram, tmp_path: Path) -> None:
    settings = (*QUICK, "--max-per-address", "0")
    with TODAY.game_server(tmp_path / "data", *settings) as port:
        status, _, errors = old.run("-m", "tests.independent.crowd", str(port), "8", "3", "50")
    assert status == 0, errors


# The kit

TODAY_S_BOT = ("env", f"PYTHONPATH={ROOT}", sys.executable, "-P", *BOT, "simple")
"""With a path of its own, and -P, because it is started in the folder of the old program."""

_KIT = "import sys; from hearts_conformance.command import main; sys.exit(main(sys.argv[1:]))"


def lead(old: OldProgram, dialect: str, folder: Path, scenarios: Sequence[str] = ()) -> set[str]:
    """Lead today's bot through these scenarios, all if none is named; what was shown.

    Raises AssertionError where something fails.
    """
    report_file = folder / "report.json"
    bot = [*TODAY_S_BOT, "--port", "{port}", "--dialect", dialect, "--retry-limit", "60"]
    only = [word for scenario in scenarios for word in ("--only", scenario)]
    quick = ("--patience", "60", "--hush", "0.05", "--listen", "0", "--json", str(report_file))
    how = ("--dialect", dialect, "--run", shlex.join(bot))
    kit = ("-m", "hearts_client", "conformance") if old.is_first else ("-c", _KIT)
    _, _, errors = old.run(*kit, *quick, *how, *only)
    assert report_file.exists(), errors
    report = json.loads(report_file.read_text("utf-8"))
    assert [check for check in report["checks"] if check["failures"]] == []
    return {check["id"] for check in report["checks"] if check["shown"]}


def test_the_bot_of_today_conforms_in_one_scenario(old: OldProgram, tmp_path: Path) -> None:
    assert "back.decided" in lead(old, "plain", tmp_path, ("drop-decided",))


@pytest.mark.heavy
@pytest.mark.parametrize("dialect", ["plain", "dealer"])
def test_the_bot_of_today_conforms(dialect: str, old: OldProgram, tmp_path: Path) -> None:
    if old.is_first and dialect == "dealer":
        pytest.skip("its promises have no hashes (README.md)")
    assert len(lead(old, dialect, tmp_path)) > 30
