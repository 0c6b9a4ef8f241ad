"""The README of hearts_client is run, and it names every event, as the package does."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import get_args

import trio

import hearts_client
from tests.client.client_house import listening

README = (Path(hearts_client.__file__).parent / "README.md").read_text(encoding="utf-8")
EVENTS = {kind.__name__ for kind in get_args(hearts_client.DealerEvent)}


async def test_the_loop_plays_a_game(tmp_path: Path) -> None:
    (source,) = re.findall(r"^```python\n(.*?)^```$", README, flags=re.M | re.S)
    program = tmp_path / "event_loop.py"
    program.write_text(source, encoding="utf-8")
    async with listening(tmp_path / "data", "--fill-after", "0") as running:
        with trio.fail_after(60):
            result = await trio.run_process(
                [sys.executable, str(program), running.host, str(running.port)],
                capture_stdout=True,
                capture_stderr=True,
            )
    assert result.stderr == b""
    lines = result.stdout.decode().splitlines()
    tricks = [line for line in lines if " takes " in line]
    assert tricks
    assert len(tricks) == 13 * sum(line.startswith("Scores: ") for line in lines)
    assert lines[-1] == "The session is over."


def test_every_event_is_named_and_can_be_imported() -> None:
    named = re.findall(r"^\| `(\w+)` \|", README, flags=re.M)
    assert sorted(named) == sorted(EVENTS)
    assert vars(hearts_client).keys() >= EVENTS


def test_what_a_watcher_or_only_one_dialect_brings() -> None:
    """The column says what the unions of the code say."""
    plain = {kind.__name__ for kind in get_args(hearts_client.ClientEvent)}
    said = dict(re.findall(r"^\| `(\w+)` \| (\w*) ?\|", README, flags=re.M))
    more = EVENTS - plain | {"ChoiceTerms", "ScoresSoFar"}
    assert {name for name, dialect in said.items() if dialect} == more
