"""The pictures of the terminal in README and docs; ``python -m tests.docs.pictures`` makes them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import trio

from .play import CODE, mark, my_turn, play_on, settle
from .svg import svg_of
from .terminal import Terminal, terminal

NAMES = ("table-80x24.svg", "table-120x40.svg", "result.svg", "replay.svg", "start.svg")
_PASSED = ("qc", "kc", "js")
_TRICKS = 1


async def _take(folder: Path, name: str, made: Terminal, title: str) -> None:
    path = folder / f"{name}.svg"
    await trio.Path(path).write_text(svg_of(made.screen, title))


async def _table(folder: Path, home: Path, size: tuple[int, int], name: str) -> None:
    """A trick under way, with a line of chat."""
    arguments = ("--solo", "--name", "Ann", "--deal", CODE)
    async with terminal(home, *arguments, size=size) as made:
        await mark(made, _PASSED)
        made.type("\r")
        await play_on(made, 1, _TRICKS)
        await my_turn(made, _TRICKS + 1)
        made.type("/That queen is still out there.\r")
        await made.wait_for("out there")
        made.type("\x1b")
        await made.wait_for("to talk")
        made.type("i")
        await made.wait_for("Play ")
        await _take(folder, f"table-{name}", made, "A trick under way; a hint was asked for.")


async def _afterwards(folder: Path, home: Path) -> None:
    async with terminal(home, "--solo", "--name", "Ann", "--deal", CODE) as made:
        await mark(made, _PASSED)
        made.type("\r")
        await play_on(made)
        await made.wait_for("[Enter] go on")
        await made.wait_for("Hand 1 is over")
        await made.wait_for("usual")
        await _take(folder, "result", made, "A hand is over: who took what, and the scores.")
        made.type("v")
        await made.wait_for("Replay of hand")
        made.type("\x1b[C" * 18)
        await made.wait_for("Trick 5")
        await _take(folder, "replay", made, "A hand is replayed with all cards open.")
        made.type("\x1b")
        await made.wait_until_gone("Replay of hand")
        made.type("m")
        await made.wait_for("Leave the table")
        made.type("x")
        await made.wait_for("Statistics")
        await _take(folder, "start", made, "The start screen.")


async def take(folder: Path) -> None:
    """Make the pictures."""
    with tempfile.TemporaryDirectory() as base:
        for name, size in (("80x24", (80, 24)), ("120x40", (120, 40))):
            home = Path(base) / name
            settle(home)
            await _table(folder, home, size, name)
        home = Path(base) / "afterwards"
        settle(home)
        await _afterwards(folder, home)
