"""README.md and the pages for players and authors are run: a bot plays, commands exist."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
import trio

from hearts_client.screen.pictures.canvas import shown_key
from hearts_client.screen.table.keys import helped
from hearts_server.given_settings import parse_config
from hearts_server.running.composition import run_server

from .usage import usage

ROOT = Path(__file__).parent.parent.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)


def blocks(language: str) -> list[str]:
    found = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, flags=re.M | re.S)
    return [block for its_language, block in found if its_language == language]


async def test_the_bot_plays_a_game(nursery: trio.Nursery, tmp_path: Path) -> None:
    (source,) = blocks("python")
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


def test_the_tournament_prints_what_is_shown(tmp_path: Path) -> None:
    (command,) = [block.split() for block in blocks("sh") if "hearts-arena run" in block]
    program = Path(sys.executable).with_name(Path(command[0]).name)
    result = subprocess.run(
        [program, *command[1:]], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    (shown,) = [text for text in blocks("") if "points/hand" in text]
    results, times = shown.split("   player  per choice")
    printed = result.stdout.splitlines()
    assert [line for line in results.splitlines() if line not in printed] == []
    # How long a choice takes is another figure each time.
    begins = [line[:10] for line in printed]
    assert [line for line in times.splitlines()[1:] if line[:10] not in begins] == []


def test_ci_runs_the_test_command_word_for_word() -> None:
    (command,) = [block.strip() for block in blocks("sh") if "pytest" in block]
    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def options_in_pages() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for block in blocks("sh"):
        for program, rest in re.findall(r"\.venv/bin/(hearts-\S+)([^&\n]*)", block):
            found[program].update(re.findall(r"--[a-z-]+", rest))
    return found


@pytest.mark.parametrize(("program", "options"), options_in_pages().items())
def test_every_command_and_option_exists(program: str, options: set[str]) -> None:
    assert {option for option in options if option not in usage(program)} == set()


def test_the_keys_are_those_of_the_table() -> None:
    rows = [f"| `{shown_key(key)}` | {said} |" for key, said in helped().items()]
    assert "\n".join(["| key | what it does |", "|---|---|", *rows, "", ""]) in TEXT
