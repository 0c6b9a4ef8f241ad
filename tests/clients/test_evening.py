"""One table for all: C, JavaScript, a bot of the dealer dialect, and a person at a terminal."""

from __future__ import annotations

import os
import pty
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trio

from hearts.game.verify import verify_records

from .programs import HOST, Missing, running
from .tables import LIMIT, Workshop, done, house, judge

BOT = [
    sys.executable,
    "-c",
    "import sys; from hearts_client.commands.bot import main; sys.exit(main())",
]
CLIENT = [sys.executable, "-m", "hearts_client"]
ANSWERS = (
    (b"Type the three cards", b"1 2 3\n"),
    (b"Your turn", b"1\n"),
    (b"Type others or mine.", b"others\n"),
    (b"Another game? Type", b"no\n"),
)
"""What the terminal says when it is the person's turn, and what this person types."""


class TerminalPerson:
    """Reads what stands in a terminal, and types; the dealer offers legal cards by number."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self.screen = b""
        self._read_to = 0

    async def play(self) -> None:
        """Until the program has gone, and its terminal with it."""
        while True:
            await trio.lowlevel.wait_readable(self._terminal)
            try:
                said = os.read(self._terminal, 4096)
            except OSError:
                return
            if not said:
                return
            self.screen += said
            self._answer()

    def _answer(self) -> None:
        for question, answer in ANSWERS:
            at = self.screen.find(question, self._read_to)
            if at >= 0:
                self._read_to = at + len(question)
                os.write(self._terminal, answer)
                return


@contextmanager
def terminal() -> Iterator[tuple[int, int]]:
    """The two ends of a terminal: that of the person, and that of the program."""
    person, program = pty.openpty()
    try:
        yield person, program
    finally:
        os.close(person)


@pytest.mark.heavy
async def test_an_evening_at_one_table(workshop: Workshop, data_dir: Path, tmp_path: Path) -> None:
    try:
        c, javascript = workshop("c"), workshop("javascript")
    except Missing as missing:
        pytest.skip(str(missing))
    rules = ("--rules", "mac2000", "--end-score", "40")
    mine = tmp_path / "records"
    with terminal() as (person_end, program_end), trio.fail_after(LIMIT):
        async with (
            house(data_dir, *rules) as port,
            running(c, "--name", "Chris", "--table", "evening", port=port) as first,
            running(javascript, "--name", "Jo", "--table", "evening", port=port) as second,
            trio.open_nursery() as nursery,
        ):
            bot = [*BOT, "simple", "--host", HOST, "--port", str(port)]
            spoken = ["--dialect", "dealer", "--table", "evening", "--quiet"]
            nursery.start_soon(trio.run_process, [*bot, *spoken])
            where = [*CLIENT, f"{HOST}:{port}", "--taunt-port", "1"]
            how = ["--dialect", "dealer", "--table", "evening", "--name", "Pat"]
            client = await trio.lowlevel.open_process(
                [*where, *how, "--plain", "--record", str(mine), "--color", "never"],
                stdin=program_end,
                stdout=program_end,
                stderr=program_end,
                env={**os.environ, "HOME": str(tmp_path)},
            )
            os.close(program_end)
            person = TerminalPerson(person_end)
            nursery.start_soon(person.play)
            await done([first, second])
            assert await client.wait() == 0, person.screen.decode()
    report = judge([first, second])
    assert report.games == 1
    assert report.hands > 1
    seated = next(fact for fact in first.facts if fact.kind == "seated")
    assert {"Chris", "Jo", "Pat"} < set(seated.texts)
    (record,) = mine.glob("*.txt")
    text = record.read_text()
    (checked,) = verify_records(text)
    assert checked.problem is None
    scores = " ".join(map(str, report.scores[0]))
    assert f"scores {scores}\n" in text
