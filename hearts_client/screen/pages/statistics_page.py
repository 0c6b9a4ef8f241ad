"""The page with a player's statistics, for all rules together and for each by itself."""

from __future__ import annotations

from functools import partial
from itertools import count
from pathlib import Path

import trio

from hearts_client.screen.input.drawn_page import MARGIN, ScrolledPage, draw_head, draw_keys
from hearts_client.screen.input.ui import Ui
from hearts_client.screen.pictures.canvas import Canvas, Ink, LabelledKey
from hearts_client.statistics.counting import CountedStatistics, count_records
from hearts_client.statistics.table import csv_text, table_lines

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


class StatisticsPage(ScrolledPage[None]):
    def __init__(self, counted: CountedStatistics, export_folder: Path) -> None:
        go_on, go_back = partial(self._choose, 1), partial(self._choose, -1)
        super().__init__(
            {
                "esc": partial(self.finish, None),
                "a": self._turn_average,
                "right": go_on,
                "tab": go_on,
                "left": go_back,
                "shift tab": go_back,
                **({"e": self._export} if counted.columns else {}),
            }
        )
        self._columns = counted.columns
        self._export_folder = export_folder
        self._chosen = 0
        self._average = False
        self._notice, self._notice_ink = "", Ink.NOTICE
        left_out = len(counted.problems)
        if left_out:
            what = "1 record is" if left_out == 1 else f"{left_out} records are"
            self._notice = f"{what} not counted; 'hearts-client statistics' says why."

    def _lines(self) -> list[str]:
        if not self._columns:
            return ["No game is counted yet. A hand counts when its cards have been disclosed."]
        return table_lines([self._columns[self._chosen]], average=self._average, width=None)

    def draw(self, size: tuple[int, int]) -> Canvas:
        canvas = Canvas(*size)
        seen, where = self.seen(self._lines(), canvas.height)
        draw_head(canvas, "Your statistics", f"lines {where}" if where else "")
        for row, line in enumerate(seen, 2):
            canvas.put(MARGIN, row, line)
        canvas.put(MARGIN, canvas.height - 2, self._notice, self._notice_ink)
        draw_keys(canvas, _BUTTONS)
        return canvas

    def _turn_average(self) -> None:
        self._average = not self._average

    def _choose(self, step: int) -> None:
        if self._columns:
            self._chosen = (self._chosen + step) % len(self._columns)

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
