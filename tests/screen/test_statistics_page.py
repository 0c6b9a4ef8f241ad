"""The page with the statistics, driven by keys and the wheel."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from hearts.game.rules import PRESETS
from hearts.game.stats import Numbers, Statistics
from hearts_client.screen.pages.own_games import StatisticsPage
from hearts_client.statistics.counting import CountedStatistics
from tests.journal.files import full_disk

from .replays import SIZE, Shown

STANDARD = Statistics(scores=Numbers.of(40), points=Numbers.of(7), moons=1, hearts=9)
MAC = Statistics(unfinished=1, points=Numbers.of(-10), moons=3, jacks=5)
COUNTED = CountedStatistics({PRESETS["standard"]: STANDARD, PRESETS["mac2000"]: MAC})


class ShownStatistics(Shown):
    def number(self, title: str) -> str:
        """What stands in the row of a title, wherever the table has been scrolled to."""
        self.press("home")
        for _ in range(30):
            for line in self.lines:
                if line.strip().startswith(title):
                    return line.split()[-1]
            self.press("down")
        raise AssertionError(f"{title} is not there")


@pytest.fixture
def shown(tmp_path: Path) -> ShownStatistics:
    return ShownStatistics(StatisticsPage(COUNTED, tmp_path))


def test_all_rules_and_each(shown: ShownStatistics) -> None:
    assert [shown.number("moons shot"), shown.number("games left")] == ["4", "1"]
    shown.press("right")
    assert [shown.number("moons shot"), shown.number("games left")] == ["3", "1"]
    shown.press("tab")
    assert [shown.number("moons shot"), shown.number("games left")] == ["1", "0"]
    shown.press("tab")
    assert shown.number("moons shot") == "4"
    shown.press("left")
    assert shown.number("moons shot") == "1"
    shown.press("shift tab")
    assert shown.number("moons shot") == "3"


def test_the_name_of_the_rules_is_there(shown: ShownStatistics) -> None:
    names = []
    for _ in range(3):
        names.append(shown.lines[2].strip())
        shown.press("right")
    assert names == ["all", "mac2000", "standard"]


def test_averages(shown: ShownStatistics) -> None:
    shown.press("a")
    assert "average per game" in shown.lines[2]
    assert shown.number("moons shot") == "2.00"
    shown.press("a")
    assert shown.number("moons shot") == "4"


def test_it_scrolls(shown: ShownStatistics) -> None:
    assert "lines 1-19 of" in shown.lines[0]
    shown.press("page down")
    shown.press("page down")
    assert "made by a computer" in shown.lines[20]


def test_every_line_is_ascii_and_fits(shown: ShownStatistics) -> None:
    for _ in range(3):
        for line in shown.lines:
            assert line.isascii()
            assert len(line) <= SIZE[0]
        shown.press("right", "a")


def test_a_file_is_written_and_none_replaced(shown: ShownStatistics, tmp_path: Path) -> None:
    shown.press("e")
    assert f"Written: hearts-statistics.csv in {tmp_path}"[:78] in shown.lines[-2]
    shown.press("a", "e")
    assert "Written: hearts-statistics-2.csv in" in shown.lines[-2]
    with open(tmp_path / "hearts-statistics.csv", encoding="utf-8") as file:
        assert [(row["rules"], row["moons"]) for row in csv.DictReader(file)] == [
            ("all", "4"),
            ("mac2000", "3"),
            ("standard", "1"),
        ]
    with open(tmp_path / "hearts-statistics-2.csv", encoding="utf-8") as file:
        assert [row["moons_per_game"] for row in csv.DictReader(file)] == ["2.0", "3.0", "1.0"]


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    shown = Shown(StatisticsPage(COUNTED, tmp_path / "no"))
    shown.press("e")
    assert "No file: cannot write in" in shown.lines[-2]


def test_a_full_disk_has_no_empty_file(shown: ShownStatistics, tmp_path: Path) -> None:
    with full_disk(100):
        shown.press("e")
    assert "No file: cannot write in" in shown.lines[-2]
    assert list(tmp_path.glob("*.csv*")) == []


async def test_it_is_closed(shown: ShownStatistics) -> None:
    assert shown.page.widget.keypress(SIZE, "x") == "x"
    shown.press("esc")
    assert await shown.result() is None


async def test_the_keys_can_be_clicked(shown: ShownStatistics) -> None:
    shown.click("[a]")
    assert "average per game" in shown.lines[2]
    shown.click("[tab]")
    assert shown.number("moons shot") == "3.00"
    shown.click("Your")
    shown.click("[esc]")
    assert await shown.result() is None


def test_nothing_is_counted_yet(tmp_path: Path) -> None:
    shown = Shown(StatisticsPage(CountedStatistics({}), tmp_path))
    assert "No game counts yet" in shown.text
    shown.press("right", "a", "down", "end")
    assert shown.page.widget.keypress(SIZE, "e") == "e"
    assert "No game counts yet" in shown.text


@pytest.mark.parametrize(("problems", "said"), [(1, "1 record is"), (2, "2 records are")])
def test_what_was_left_out_is_told(tmp_path: Path, problems: int, said: str) -> None:
    shown = Shown(StatisticsPage(CountedStatistics(COUNTED.by_rules, ["x"] * problems), tmp_path))
    assert f"{said} not counted" in shown.lines[-2]
