"""docs/first-minutes.md is typed, word for word, in real terminals."""

from __future__ import annotations

import re
import socket
import tempfile
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.release.tree import copy_tree
from tests.terminal.terminal import Terminal, terminal

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "first-minutes.md"
SECONDS = 120
"""For what is installed, compiled or played to its end."""
PART = re.compile(
    r"^```(?P<kind>\w*)\n(?P<block>.*?)^```$"
    r"|^\| `(?P<key>[^`]+)` \| `(?P<said>[^`]+)`[^\n]*$"
    r"|^In (?P<which>the first|a second) terminal(?P<ends> press Ctrl-C)?",
    re.M | re.S,
)
KEYS = {"Enter": "\r", "Ctrl-C": "\x03"}
PROMPT = "done. "


def parts() -> Iterator[re.Match[str]]:
    return PART.finditer(PAGE.read_text("utf-8"))


def taken(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))
        except OSError:
            return True
    return False


class Shell:
    """A shell in a terminal, in the folder of the project."""

    def __init__(self, at: Terminal) -> None:
        self._at = at

    def _waits(self) -> bool:
        return self._at.lines[self._at.screen.cursor.y] == PROMPT.strip()

    async def type(self, line: str) -> None:
        await self._at.wait_for(self._waits, SECONDS)
        self._at.type(line)
        await self._at.wait_for(f"{PROMPT}{line}")
        self._at.type("\r")

    async def press(self, key: str) -> None:
        # At the full screen Enter does nothing while the picture has just changed.
        if key == "Enter":
            await self._at.wait_for("[Enter]")
        self._at.type(KEYS.get(key, key))

    async def says(self, words: str) -> None:
        await self._at.wait_for(words, SECONDS)


@pytest.mark.heavy
@pytest.mark.timeout(900)
async def test_the_page_is_typed_word_for_word(tmp_path: Path) -> None:
    for port in (7626, 7627, 7680):
        if taken(port):
            pytest.skip(f"something else has port {port}")
    project = copy_tree(tmp_path / "project")
    bash = ("bash", "--norc", "-i")
    async with AsyncExitStack() as stack:
        # The sockets of the page need a short path.
        data = stack.enter_context(tempfile.TemporaryDirectory(prefix="hearts-"))
        shells = []
        for _ in range(2):
            made = terminal(
                project, command=bash, size=(100, 30), PYTHONPATH="", PS1=PROMPT, XDG_DATA_HOME=data
            )
            shells.append(Shell(await stack.enter_async_context(made)))
        at = shells[0]
        for part in parts():
            if part["which"]:
                at = shells[part["which"] == "a second"]
                if part["ends"]:
                    await at.press("Ctrl-C")
            elif part["key"]:
                await at.press(part["key"])
                await at.says(part["said"])
            else:
                for line in part["block"].splitlines():
                    await (at.type if part["kind"] else at.says)(line)
