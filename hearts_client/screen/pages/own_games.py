"""The pages of the games that a person has played: the list of them, and the statistics."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import trio

from hearts.game.rules import rules_name
from hearts.wire.text import count_of
from hearts_client.par.pars import ParFile, Reckon, reckoned
from hearts_client.screen.input.drawn_page import (
    MARGIN,
    DrawnPage,
    ScrolledPage,
    draw_head,
    draw_keys,
)
from hearts_client.screen.input.ui import Ui
from hearts_client.screen.pages.replay_page import ReplayPage
from hearts_client.screen.pictures.canvas import Box, Canvas, Ink, LabelledKey, Pen, Theme
from hearts_client.session.analyst import AskCost
from hearts_client.session.record_files import write_new
from hearts_client.session.replay import PAGE, GameReplay
from hearts_client.statistics.counting import CountedStatistics, count_records
from hearts_client.statistics.own_games import OwnGame, read_games
from hearts_client.statistics.table import csv_text, table_lines
from hearts_client.words.others import shown_names

_ABOVE = 2
"""Rows above the list: the title and an empty row."""
_BELOW = 2
"""Rows below it: a free one and the keys."""
_ROWS_EACH = 2
_GAMES_KEYS = (LabelledKey("enter", "look at it"), LabelledKey("esc", "back"))


async def browse_records(
    ui: Ui,
    folder: Path,
    theme: Theme,
    *,
    ask: AskCost | None = None,
    reckon: Reckon | None = None,
    page: str = PAGE,
) -> str | None:
    """Show the games of a folder until the person closes the page.

    Gives the deal that they want to play again, alone, if there is one. ``ask`` asks a bot what it
    thinks of a position, ``reckon`` for the par of a hand; ``page`` is where links lead.
    """
    try:
        games = await trio.to_thread.run_sync(read_games, folder)
        problem = ""
    except OSError as error:
        games, problem = (), f"The records cannot be read: {error.strerror}."
    place = 0
    while True:
        chosen = await ui.run(RecordsPage(games, theme, place=place, problem=problem))
        if chosen is None:
            return None
        place = chosen
        replay = games[place].replay
        assert replay is not None
        shown = ReplayPage(replay.hands, theme, first=0, ask=ask, reckon=reckon, page=page)
        again = await ui.run(shown)
        if again is not None:
            return again


class RecordsPage(DrawnPage[int | None]):
    """Lists games; its result is the place (from 0) of the chosen one, None when it is left."""

    def __init__(
        self, games: Sequence[OwnGame], theme: Theme, *, place: int = 0, problem: str = ""
    ) -> None:
        """``place`` is where the cursor stands; ``problem`` is told where there are no games."""
        super().__init__(
            {
                "up": lambda: self._go(self._place - 1),
                "down": lambda: self._go(self._place + 1),
                "page up": lambda: self._go(self._place - self._room),
                "page down": lambda: self._go(self._place + self._room),
                "home": partial(self._go, 0),
                "end": lambda: self._go(len(self._games) - 1),
                "enter": self._open,
                "esc": partial(self.finish, None),
            }
        )
        self._games = games
        self._theme = theme
        self._place = place
        self._problem = problem
        self._top = 0
        self._room = 1

    def _go(self, place: int) -> None:
        self._place = max(0, min(place, len(self._games) - 1))

    def _open(self) -> None:
        replay = self._games[self._place].replay if self._games else None
        if replay is not None and replay.hands:
            self.finish(self._place)

    def turn_wheel(self, step: int, target: object | None) -> None:
        self._go(self._place + step)

    def hit(self, target: object | None) -> None:
        if target == self._place:
            self._open()
        elif isinstance(target, int):
            self._go(target)

    # Drawing

    def draw(self, size: tuple[int, int]) -> Canvas:
        canvas = pen = Pen(size, self._theme)
        self._room = max((canvas.height - _ABOVE - _BELOW) // _ROWS_EACH, 1)
        self._top = max(self._place - self._room + 1, min(self._top, self._place))
        seen = self._games[self._top : self._top + self._room]
        where = f"{self._top + 1}-{self._top + len(seen)} of {len(self._games)}"
        is_part = len(seen) < len(self._games)
        draw_head(canvas, "Games that you have played", where if is_part else "")
        if not self._games:
            text = self._problem or "There are no records yet."
            canvas.put(MARGIN, _ABOVE, pen.cut(text, canvas.width - 2 * MARGIN))
        for number, game in enumerate(seen):
            self._draw_game(pen, _ABOVE + _ROWS_EACH * number, self._top + number, game)
        draw_keys(canvas, _GAMES_KEYS)
        return canvas

    def _draw_game(self, pen: Pen, row: int, place: int, game: OwnGame) -> None:
        canvas = pen
        if place == self._place:
            canvas.put(0, row, pen.signs.turn, Ink.TURN)
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(game.played_at))
        ink = Ink.STRONG if place == self._place else Ink.TEXT
        column = canvas.put(MARGIN, row, when, ink) + MARGIN
        room = canvas.width - MARGIN - column
        if game.replay is None:
            head, told = game.path.name, f"This record cannot be read: {game.problem}."
            told_ink = Ink.ALARM
        else:
            head = _result(game.replay, game.own)
            told, told_ink = _what_was_played(game.replay)
        canvas.put(column, row, pen.cut(head, room), ink)
        canvas.put(column, row + 1, pen.cut(told, room), told_ink)
        canvas.region(Box(0, row, canvas.width, _ROWS_EACH), place)


def _result(replay: GameReplay, own: int | None) -> str:
    names = [*shown_names(replay.names)]
    if own is not None:
        names[own] = "You"
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, replay.scores, strict=True))
    if not replay.winners:
        return f"{scores} (not over)"
    return f"{scores}; won by {' and '.join(names[player] for player in replay.winners)}"


def _what_was_played(replay: GameReplay) -> tuple[str, Ink]:
    hands = count_of(len(replay.hands), "hand")
    hands += ", some choices taken back," if replay.is_taken_back else ""
    is_of_day = any(hand.day is not None for hand in replay.hands)
    end = "of the deal of the day" if is_of_day else f"to {replay.end_score}"
    text = f"{hands} {end}, rules: {rules_name(replay.rules)}"
    if replay.problem is None:
        return text, Ink.DIM
    return f"{text}; then it cannot be read: {replay.problem}", Ink.ALARM


_STATISTICS_KEYS = (
    LabelledKey("a", "average per game"),
    LabelledKey("tab", "other rules"),
    LabelledKey("e", "write a CSV file"),
    LabelledKey("esc", "back"),
)
_EXPORT = "hearts-statistics"
_COUNTED_EACH = 10
"""Pars that are reckoned between two counts."""


async def show_statistics(
    ui: Ui, records: Path, export_folder: Path, pars: ParFile | None = None
) -> None:
    """Count the records of a folder and show the page until it is closed.

    ``export_folder`` is where a file is written when the person wants one. ``pars`` are those that
    are kept; what is missing is reckoned meanwhile.
    """
    count = partial(_count, records, pars)
    page = StatisticsPage(await trio.to_thread.run_sync(count), export_folder)
    async with trio.open_nursery() as nursery:
        if pars is not None:
            nursery.start_soon(_reckon_missing, page, pars, count)
        await ui.run(page)
        nursery.cancel_scope.cancel()


def _count(records: Path, pars: ParFile | None) -> CountedStatistics:
    return count_records([records] if records.is_dir() else [], pars=pars)


async def _reckon_missing(
    page: StatisticsPage, pars: ParFile, count: Callable[[], CountedStatistics]
) -> None:
    """Reckon the pars that are missing, the newest hands first, and count again now and then."""
    missing = page.counted.missing[::-1]
    for number, hand in enumerate(missing, 1):
        await reckoned(pars, hand)
        if number % _COUNTED_EACH == 0 or number == len(missing):
            page.show(await trio.to_thread.run_sync(count))


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
        self.counted = counted
        self._columns = counted.columns
        self._export_folder = export_folder
        self._chosen = 0
        self._average = False
        self._notice, self._notice_ink = "", Ink.NOTICE
        left_out = len(counted.problems)
        if left_out:
            what = "1 record is" if left_out == 1 else f"{left_out} records are"
            self._notice = f"{what} not counted; 'hearts-client statistics' says why."

    def show(self, counted: CountedStatistics) -> None:
        """Show the same records counted again."""
        self._columns = counted.columns
        self.changed()

    def _lines(self) -> list[str]:
        if not self._columns:
            return ["No game counts yet. A hand counts once all its cards are known."]
        return table_lines([self._columns[self._chosen]], average=self._average, width=None)

    def draw(self, size: tuple[int, int]) -> Canvas:
        canvas = Canvas(*size)
        seen, where = self.seen(self._lines(), canvas.height)
        draw_head(canvas, "Your statistics", f"lines {where}" if where else "")
        for row, line in enumerate(seen, 2):
            canvas.put(MARGIN, row, line)
        canvas.put(MARGIN, canvas.height - 2, self._notice, self._notice_ink)
        draw_keys(canvas, _STATISTICS_KEYS)
        return canvas

    def _turn_average(self) -> None:
        self._average = not self._average

    def _choose(self, step: int) -> None:
        if self._columns:
            self._chosen = (self._chosen + step) % len(self._columns)

    def _export(self) -> None:
        folder = self._export_folder
        try:
            text = csv_text(self._columns, average=self._average)
            path = write_new(folder, _EXPORT, ".csv", text)
        except OSError as error:
            self._notice = f"No file: cannot write in {folder}: {error.strerror}."
            self._notice_ink = Ink.ALARM
        else:
            self._notice, self._notice_ink = f"Written: {path.name} in {folder}", Ink.NOTICE
