"""The page with a player's statistics, for all rules together and for each that he has played."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import trio

from hearts_client.screen.input.canvas_widget import WHEEL_DOWN, WHEEL_UP, CanvasWidget
from hearts_client.screen.input.ui import Page, Ui
from hearts_client.screen.pictures.canvas import Box, Canvas, Ink
from hearts_client.screen.pictures.sights import LabelledKey, OnButton
from hearts_client.statistics.counting import CountedStatistics, count_records
from hearts_client.statistics.table import csv_text, table_lines

_MARGIN = 2
_ABOVE = 2
"""Rows above the table: the title and a free one."""
_BELOW = 2
"""Rows below it: a notice and the keys."""
_WHEEL_LINES = 3
_BUTTONS = (
    LabelledKey("a", "average per game"),
    LabelledKey("tab", "other rules"),
    LabelledKey("e", "write a CSV file"),
    LabelledKey("esc", "back"),
)
_EXPORT = "hearts-statistics"


async def show_statistics(ui: Ui, records: Path, export_folder: Path) -> None:
    """Count the records of a folder and show the page until it is closed.

    ``export_folder`` is where a file is written when the person wants one.
    """
    counted = await trio.to_thread.run_sync(_count, records)
    await ui.run(StatisticsPage(counted, export_folder))


def _count(records: Path) -> CountedStatistics:
    return count_records([records] if records.is_dir() else [])


class StatisticsPage(Page[None]):
    """Shows what was counted."""

    def __init__(self, counted: CountedStatistics, export_folder: Path) -> None:
        self._view = CanvasWidget(self._draw, self._press, self._click)
        super().__init__(self._view)
        self._columns = counted.columns
        self._export_folder = export_folder
        self._chosen = 0
        self._average = False
        self._top = 0
        """The first line of the table that is seen."""
        self._room = 1
        """Lines of the table that can be seen at once."""
        self._notice, self._notice_ink = "", Ink.NOTICE
        left_out = len(counted.problems)
        if left_out:
            what = "1 record is" if left_out == 1 else f"{left_out} records are"
            self._notice = f"{what} not counted; 'hearts-client statistics' says why."

    def _lines(self) -> list[str]:
        if not self._columns:
            return ["No game is counted yet. A hand counts when its cards have been disclosed."]
        return table_lines([self._columns[self._chosen]], average=self._average, width=None)

    def _draw(self, size: tuple[int, int]) -> Canvas:
        width, height = size
        canvas = Canvas(width, height)
        lines = self._lines()
        self._room = max(height - _ABOVE - _BELOW, 1)
        self._top = max(0, min(self._top, len(lines) - self._room))
        canvas.put(_MARGIN, 0, "Your statistics", Ink.TITLE)
        seen = lines[self._top : self._top + self._room]
        if len(seen) < len(lines):
            where = f"lines {self._top + 1}-{self._top + len(seen)} of {len(lines)}"
            canvas.put(width - _MARGIN - len(where), 0, where, Ink.DIM)
        for row, line in enumerate(seen, _ABOVE):
            canvas.put(_MARGIN, row, line)
        canvas.put(_MARGIN, height - 2, self._notice, self._notice_ink)
        column = _MARGIN
        for button in _BUTTONS:
            start = column
            column = canvas.put(column, height - 1, f"[{button.key}]", Ink.KEY)
            column = canvas.put(column, height - 1, f" {button.label}")
            canvas.region(Box(start, height - 1, column - start, 1), OnButton(button.key))
            column += _MARGIN
        return canvas

    def _click(self, target: object | None, button: int) -> None:
        if button == WHEEL_UP:
            self._scroll(-_WHEEL_LINES)
        elif button == WHEEL_DOWN:
            self._scroll(_WHEEL_LINES)
        elif isinstance(target, OnButton):
            self._press(target.key)

    def _press(self, key: str) -> bool:
        match key:
            case "esc":
                self.finish(None)
            case "a":
                self._average = not self._average
            case "right" | "tab":
                self._choose(self._chosen + 1)
            case "left" | "shift tab":
                self._choose(self._chosen - 1)
            case "up":
                self._scroll(-1)
            case "down":
                self._scroll(1)
            case "page up":
                self._scroll(-self._room)
            case "page down":
                self._scroll(self._room)
            case "home":
                self._top = 0
            case "end":
                self._scroll(len(self._lines()))
            case "e" if self._columns:
                self._export()
            case _:
                return False
        self._view.changed()
        return True

    def _choose(self, column: int) -> None:
        if self._columns:
            self._chosen = column % len(self._columns)

    def _scroll(self, lines: int) -> None:
        self._top = max(0, self._top + lines)
        self._view.changed()

    def _export(self) -> None:
        folder = self._export_folder
        try:
            name = _write_new(folder, csv_text(self._columns, average=self._average))
        except OSError as error:
            self._notice = f"No file: cannot write in {folder}: {error.strerror}."
            self._notice_ink = Ink.ALARM
        else:
            self._notice, self._notice_ink = f"Written: {name} in {folder}", Ink.NOTICE


def _write_new(folder: Path, text: str) -> str:
    """Write a file that was not there before; gives its name. Raises OSError."""
    for number in count(1):
        name = f"{_EXPORT}.csv" if number == 1 else f"{_EXPORT}-{number}.csv"
        try:
            with open(folder / name, "x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            continue
        return name
    raise AssertionError("there is always another number")
