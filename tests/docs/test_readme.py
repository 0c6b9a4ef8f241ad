"""README.md is run: its bot plays, its commands are those of the programs and of CI."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path

import pytest
import trio

from hearts_server.commands.composition import run_server
from hearts_server.given_settings import parse_config

from .usage import usage

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.M | re.S)


async def test_the_bot_plays_a_game(nursery: trio.Nursery, tmp_path: Path) -> None:
    (source,) = blocks("python")
    assert len(source.splitlines()) < 25
    program = tmp_path / "low_cards.py"
    program.write_text(source, encoding="utf-8")
    config = parse_config(
        [
            *(
                "--host",
                "127.0.0.1",
                "--port",
                "0",
                "--no-taunt-server",
                "--no-web",
                "--taunt-port",
                "0",
            ),
            *("--data-dir", str(tmp_path / "data"), "--bot-pause", "0", "--fill-after", "0"),
            *("--end-score", "30"),
        ]
    )
    running = await nursery.start(run_server, config, lambda line: None)
    with trio.fail_after(60):
        result = await trio.run_process(
            [sys.executable, str(program), "--host", running.host, "--port", str(running.port)],
            capture_stdout=True,
            capture_stderr=True,
        )
    assert result.stderr == b""
    assert b"LowCards" in result.stdout
    nursery.cancel_scope.cancel()


def test_ci_runs_the_test_command_word_for_word() -> None:
    (command,) = [block.strip() for block in blocks("sh") if "pytest" in block]
    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def options_in_readme() -> dict[str, set[str]]:
    """The options that stand behind each program."""
    found: dict[str, set[str]] = defaultdict(set)
    for block in blocks("sh"):
        for program, rest in re.findall(r"\.venv/bin/(hearts-\S+)([^&\n]*)", block):
            found[program].update(re.findall(r"--[a-z-]+", rest))
    return found


@pytest.mark.parametrize(("program", "options"), options_in_readme().items())
def test_every_command_and_option_exists(program: str, options: set[str]) -> None:
    assert {option for option in options if option not in usage(program)} == set()


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    for link in links:
        assert link.startswith("https://") or (ROOT / link).exists(), link
