"""The page with the tables of a server, and its refreshing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import trio
import urwid
from urwid.widget.widget import AbstractFlowWidget

from hearts.errors import HeartsError
from hearts.session.client_events import TablesListed
from hearts.session.messages import ListedTable, LookedTable
from hearts_client.library.reach import server_words
from hearts_client.screen.input.controls import Control, Pressable, Size
from hearts_client.screen.input.form import FormPage, cut
from hearts_client.screen.input.ui import SMALLEST
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.wish import (
    Join,
    OpenTableWish,
    ShowStandings,
    ShowTables,
    WatchWish,
    Wish,
)
from hearts_client.session.visit import Guest
from hearts_client.words.others import chat_lines, shown_name
from hearts_client.words.rule_words import clock_in_words, in_words, points_in_words

_WIDTHS = (24, 10, 6, 31)
"""Columns for the name of a table, its state, its free seats and its players."""
_NOTE_LINES = 2
_DETAIL_LINES = 3
_NOTHING = "There is no public table. Press n to open one."
_STALE = "The server does not answer; the list may be out of date."


class TablesPage(FormPage[Wish | None]):
    """Gives the wish of the person about the tables; it is shown anew after Refresh."""

    def __init__(
        self,
        listed: TablesListed,
        guest: Guest,
        *,
        ascii: bool,
        problem: str = "",
        looked_at: str = "",
    ) -> None:
        """``looked_at`` is the name of the table at which to begin; empty for the first one."""
        at = server_words(guest.host, guest.port)
        name = listed.greeting[0] if listed.greeting else ""
        super().__init__(
            f"Public tables at {f'{name} ({at})' if name else at}",
            None,
            ascii=ascii,
            problem=problem,
        )
        self._guest = guest
        self._lines: list[_TableLine] = []
        self._details: dict[str, LookedTable] = {}
        self.show_tables(listed, looked_at)
        self.keys(
            ("w", "Watch", self._watch),
            ("r", "Refresh", lambda: self.finish(ShowTables(guest, self.looked_at))),
            ("s", "Standings", partial(self.finish, ShowStandings(guest))),
            ("n", "New table", partial(self.finish, OpenTableWish(guest))),
            ("esc", "Back", partial(self.finish, None)),
        )

    @property
    def looked_at(self) -> str:
        return "" if self._table is None else self._table.name

    def show_tables(self, listed: TablesListed, looked_at: str = "") -> None:
        """Show other tables. The focus stays at its table, or goes to the one in its place.

        ``looked_at`` names a table that had the focus on an earlier page.
        """
        looked_at, tables = looked_at or self.looked_at, listed.tables
        place = next((i for i, line in enumerate(self._lines) if line is self.focused), 0)
        # One answer tells of a few tables only, and of those at which nobody looks earlier ones do.
        known = {**self._details, **dict(listed.details)}
        self._details = {table.name: known[table.name] for table in tables if table.name in known}
        self._lines = [_TableLine(table, self._join) for table in tables]
        nothing = [] if tables else [urwid.Text(_NOTHING)]
        welcome = [urwid.Text((Ink.NOTICE, line)) for line in listed.greeting[1:]]
        self.rows(*welcome, _heading(), *self._lines, *nothing)
        names = [table.name for table in tables]
        if names:
            place = names.index(looked_at) if looked_at in names else min(place, len(names) - 1)
            self.focus_on(self._lines[place])
        if self._problem == _STALE:
            self.show_problem("")
        self.focus_may_have_moved()

    def focus_may_have_moved(self) -> None:
        super().focus_may_have_moved()
        table = self._table
        if table is None:
            self.show_note("")
            return
        # Names in full do not fit into the list.
        line = f"{shown_name(table.name)}: {_players(table) or 'nobody yet'}"
        lines = chat_lines("", line, SMALLEST[0])[:_NOTE_LINES]
        if table.name in self._details:
            played = _what_is_played(self._details[table.name])
            lines += chat_lines("", played, SMALLEST[0])[:_DETAIL_LINES]
        self.show_note("\n".join(lines))

    @property
    def _table(self) -> ListedTable | None:
        line = self.focused
        return line.table if isinstance(line, _TableLine) else None

    def _join(self) -> None:
        table = self._table
        if table is None:
            return
        if table.open_seats:
            self.finish(Join(self._guest, table.name, is_listed=True))
        elif table.game_number:
            self.show_problem("No seat is free at this table; press w to watch it.")
        else:
            self.show_problem("No seat is free at this table.")

    def _watch(self) -> None:
        table = self._table
        if table is None:
            return
        if table.game_number:
            self.finish(WatchWish(self._guest, table.name, table.game_number))
        else:
            self.show_problem("This table does not play yet; press Enter to take a seat there.")


def why_not(listed: TablesListed, name: str) -> str:
    """Say why a table that was chosen cannot be joined any more; empty if it can."""
    table = next((table for table in listed.tables if table.name == name), None)
    if table is None:
        return gone(name)
    return "" if table.open_seats else f"No seat is free at {shown_name(name)} any longer."


def gone(name: str) -> str:
    return f"{shown_name(name)} is gone. These are the tables now."


class _TableLine(Pressable, Control):
    """One table; Enter or a second click joins it."""

    is_met_first = True

    def __init__(self, table: ListedTable, on_join: Callable[[], None]) -> None:
        state = f"game {table.game_number}" if table.game_number else "forming"
        texts = (shown_name(table.name), state, str(table.open_seats), _players(table))
        help = "Enter: take a seat." if table.open_seats else "No seat is free."
        calm = urwid.AttrMap(_cells("  ", texts), Ink.BUTTON)
        super().__init__(calm, SMALLEST[0], help)
        self.table = table
        self._focused = urwid.AttrMap(_cells("> ", texts), Ink.BUTTON_FOCUS)
        self.on_press = on_join

    def selectable(self) -> bool:
        return True

    def render(self, size: tuple[int], focus: bool = False) -> urwid.Canvas:  # type: ignore[override]  # a flow widget
        return (self._focused if focus else self._w).render(size)

    def keypress(self, size: Size, key: str) -> str | None:
        return super().keypress(size, key) if key == "enter" else key


def _heading() -> AbstractFlowWidget:
    return urwid.AttrMap(_cells("  ", ("Table", "State", "Free", "Players")), Ink.STRONG)


def _cells(mark: str, texts: Sequence[str]) -> urwid.Columns:
    cells = [
        (width, urwid.Text(cut(text, width), wrap="clip"))
        for text, width in zip(texts, _WIDTHS, strict=True)
    ]
    return urwid.Columns([(len(mark), urwid.Text(mark)), *cells], dividechars=1)


def _what_is_played(table: LookedTable) -> str:
    rules = "; ".join(in_words(table.rules)) or "standard rules"
    game = f"A game to {points_in_words(table.end_score)}"
    return f"{game}, {clock_in_words(table.turn_limit)}: {rules}."


def _players(table: ListedTable) -> str:
    return ", ".join(shown_name(name) for name in table.players if name)


REFRESH_EVERY = 5.0
"""Seconds between an answer and the next question. A server lets an address connect far more often,
so that several people behind one address may look at its tables."""
ANSWER_LIMIT = 10.0
"""Seconds for an answer, from the connection on."""
_LONGEST = 60.0


async def keep_fresh(page: TablesPage, ask: Callable[[str], Awaitable[TablesListed]]) -> None:
    """Show the tables anew every few seconds, until cancelled.

    ``ask`` gets the name of the table that the person looks at, or nothing. Where it fails with a
    HeartsError the old list stays, the page says so, and the next try waits twice as long.
    """
    pause = REFRESH_EVERY
    while True:
        await trio.sleep(pause)
        listed: TablesListed | None = None
        try:
            with trio.move_on_after(ANSWER_LIMIT):
                listed = await ask(page.looked_at)
        except* HeartsError:
            pass
        if listed is None:
            pause = min(2 * pause, _LONGEST)
            page.show_problem(_STALE)
        else:
            pause = REFRESH_EVERY
            page.show_tables(listed)
