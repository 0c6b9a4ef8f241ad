"""Progress: what is drawn, how often, and how long it says that the rest will take."""

from __future__ import annotations

import re

import pytest

from hearts_arena.report.progress_line import Manner, ProgressLine

NEWS = "simple 5.07 Zoë 5.20 random 8.25*"
_DRAWN = re.compile("\r([^\r\n]*)\x1b\\[K")


class FakeTerminal:
    """A terminal or a file, and a clock that goes only when it is told to."""

    def __init__(
        self,
        manner: Manner,
        total: int = 1000,
        done: int = 0,
        width: int = 120,
        *,
        open_end: bool = False,
    ) -> None:
        self.now = 5_000.0
        self.text = ""
        self.asked = 0
        self.progress = ProgressLine(
            total=total,
            done=done,
            manner=manner,
            write=self._write,
            clock=lambda: self.now,
            width=lambda: width,
            news=self._how_it_stands,
            open_end=open_end,
        )

    def _write(self, text: str) -> None:
        self.text += text

    def _how_it_stands(self) -> str:
        self.asked += 1
        return NEWS

    def play(self, matches: int, seconds: float, hands: int = 1) -> None:
        """One match after the other, each with so many hands."""
        for _ in range(matches):
            self.now += seconds
            self.progress.add(1, hands)

    @property
    def drawn(self) -> list[str]:
        return [line for line in _DRAWN.findall(self.text) if line]


@pytest.mark.parametrize(
    ("screen", "runs", "last"),
    [
        (
            FakeTerminal(Manner.REDRAWN),
            [(100, 0.5, 4)],
            f"100 of 1,000 matches (10.0%), 8.0 hands/s, 7 min 30 s left, {NEWS}",
        ),
        # A narrow terminal loses the end, and never a line.
        (
            FakeTerminal(Manner.REDRAWN, width=50),
            [(100, 0.5, 1)],
            "100 of 1,000 matches (10.0%), 2.0 hands/s",
        ),
        (FakeTerminal(Manner.REDRAWN, width=12), [(100, 0.5, 1)], "100 of 1,00"),
        # What earlier runs have played says nothing about the speed.
        (
            FakeTerminal(Manner.REDRAWN, done=900),
            [(10, 1.0, 1)],
            f"910 of 1,000 matches (91.0%), 1.0 hands/s, 1 min 30 s left, {NEWS}",
        ),
        # The forecast follows a change of speed.
        (
            FakeTerminal(Manner.REDRAWN, total=100_000),
            [(6_000, 0.1, 1), (400, 1.0, 1)],
            f"6,400 of 100,000 matches (6.4%), 1.0 hands/s, 1 d 02 h left, {NEWS}",
        ),
    ],
)
def test_a_terminal_shows(
    screen: FakeTerminal, runs: list[tuple[int, float, int]], last: str
) -> None:
    for matches, seconds, hands in runs:
        screen.play(matches, seconds, hands)
    assert screen.drawn[-1] == last
    assert "\n" not in screen.text


def test_a_terminal_is_drawn_at_most_ten_times_a_second() -> None:
    screen = FakeTerminal(Manner.REDRAWN)
    screen.play(1000, 0.01)
    assert 90 <= len(screen.drawn) <= 101
    assert screen.asked <= 3


def test_nothing_is_forecast_at_first() -> None:
    screen = FakeTerminal(Manner.REDRAWN)
    screen.play(3, 0.5)
    assert "left" not in screen.text
    assert "hands/s" not in screen.text
    screen.play(1, 0.5)
    assert screen.drawn[-1].startswith("4 of 1,000 matches (0.4%), 2.0 hands/s, 8 min 18 s left")


def test_lines_come_every_half_minute() -> None:
    screen = FakeTerminal(Manner.LINES, total=1_000_000)
    screen.play(600, 1.0)
    lines = screen.text.splitlines()
    assert len(lines) == 20
    assert lines[0] == (f"30 of 1,000,000 matches (<0.1%), 1.0 hands/s, 11 d 13 h left, {NEWS}")
    assert "\r" not in screen.text
    assert "\x1b" not in screen.text


def test_lines_come_with_each_twentieth_and_not_faster_than_a_second() -> None:
    screen = FakeTerminal(Manner.LINES)
    screen.play(1000, 0.1)
    assert [line.split()[0] for line in screen.text.splitlines()] == [
        *(str(50 * step) for step in range(1, 20)),
        "1,000",
    ]
    fast = FakeTerminal(Manner.LINES)
    fast.play(1000, 0.003)
    assert len(fast.text.splitlines()) == 2


def test_a_line_that_stays_is_above_the_drawn_one() -> None:
    screen = FakeTerminal(Manner.REDRAWN)
    screen.play(1, 0.2)
    screen.progress.print("Zoë has crashed.")
    screen.play(1, 0.01)
    assert re.search("\x1b\\[KZoë has crashed\\.\n\r2 of 1,000", screen.text)


def test_the_end_is_told() -> None:
    screen = FakeTerminal(Manner.REDRAWN, done=500)
    screen.play(500, 0.25)
    screen.progress.end()
    assert screen.text.endswith("\r\x1b[K500 matches, 500 hands in 2 min 05 s, 4.0 hands/s\n")
    assert "0 s left" not in screen.drawn[-1]


def test_an_early_end_says_what_is_done() -> None:
    screen = FakeTerminal(Manner.LINES)
    screen.play(20, 0.01)
    screen.progress.end()
    assert screen.text == "20 matches, 20 hands in 0 s, 100 hands/s; 20 of 1,000 matches (2.0%)\n"


def test_silence() -> None:
    screen = FakeTerminal(Manner.SILENT)
    screen.play(100, 1.0)
    screen.progress.end()
    assert screen.text == ""
    assert not screen.asked


def test_nothing_to_do() -> None:
    screen = FakeTerminal(Manner.REDRAWN, total=0)
    screen.progress.add(0, 0)
    screen.progress.end()
    assert "0 of 0 matches (100.0%)" in screen.text


def test_an_open_end_says_nothing_of_what_is_left() -> None:
    screen = FakeTerminal(Manner.LINES, total=480_000, open_end=True)
    screen.play(40, 1.0)
    screen.progress.end()
    first, last = screen.text.splitlines()
    assert first == f"30 matches, 1.0 hands/s, {NEWS}"
    assert last == "40 matches, 40 hands in 40 s, 1.0 hands/s"
