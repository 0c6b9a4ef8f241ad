"""The list of a server's public tables, to join one or to watch it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import urwid
from urwid.widget.widget import AbstractFlowWidget

from hearts.session.messages import ListedTable
from hearts_client.words.others import chat_lines, shown_name

from .canvas import Ink
from .controls import Control, pressed_by_mouse
from .form import FormPage, Shortcut, cut
from .ui import SMALLEST
from .wish import Back, JoinTableWish, LobbyWish, NewTable, Refresh, WatchTable

_WIDTHS = (24, 10, 6)
"""Columns for the name of a table, its state and its free seats; the players have the rest."""
_PLAYERS_WIDTH = 31
_NOTE_LINES = 2


class TablesPage(FormPage[LobbyWish]):
    """Gives what is wanted of the tables; it is shown anew with the answer to Refresh."""

    def __init__(
        self, tables: Sequence[ListedTable], server: str, *, ascii: bool, problem: str = ""
    ) -> None:
        """``server`` is its address, as it is shown."""
        super().__init__(f"Public tables at {server}", ascii=ascii, problem=problem)
        lines: list[AbstractFlowWidget] = [_TableLine(table, self._join) for table in tables]
        nothing = urwid.Text("There is no public table now. Press n to open one.")
        self.rows(_heading(), *(lines or [nothing]))
        self.keys(
            Shortcut("w", "Watch", self._watch),
            Shortcut("r", "Refresh", lambda: self.finish(Refresh())),
            Shortcut("n", "New table", lambda: self.finish(NewTable())),
            Shortcut("esc", "Back", lambda: self.finish(Back())),
        )
        self.focus_may_have_moved()

    def focus_may_have_moved(self) -> None:
        super().focus_may_have_moved()
        table = self._table
        if table is not None:
            # Names in full do not fit into the list.
            line = f"{shown_name(table.name)}: {_players(table) or 'nobody yet'}"
            self.show_note("\n".join(chat_lines("", line, SMALLEST[0])[:_NOTE_LINES]))

    @property
    def _table(self) -> ListedTable | None:
        line = self.focused
        return line.table if isinstance(line, _TableLine) else None

    def _join(self) -> None:
        table = self._table
        if table is None:
            return
        if table.open_seats:
            self.finish(JoinTableWish(table.name))
        elif table.game_number:
            self.show_problem("No seat is free at this table; press w to watch it.")
        else:
            self.show_problem("No seat is free at this table.")

    def _watch(self) -> None:
        table = self._table
        if table is None:
            return
        if table.game_number:
            self.finish(WatchTable(table.game_number))
        else:
            self.show_problem("This table does not play yet; press Enter to take a seat there.")


class _TableLine(Control):
    """One table; Enter or a second click joins it."""

    def __init__(self, table: ListedTable, on_join: Callable[[], None]) -> None:
        state = f"game {table.game_number}" if table.game_number else "forming"
        texts = (shown_name(table.name), state, str(table.open_seats), _players(table))
        help = "Enter: take a seat." if table.open_seats else "No seat is free."
        calm = urwid.AttrMap(_cells("  ", texts), Ink.BUTTON)
        super().__init__(calm, SMALLEST[0], help)
        self.table = table
        self._focused = urwid.AttrMap(_cells("> ", texts), Ink.BUTTON_FOCUS)
        self._on_join = on_join

    def selectable(self) -> bool:
        return True

    def render(self, size: tuple[int], focus: bool = False) -> urwid.Canvas:  # type: ignore[override]  # a flow widget
        return (self._focused if focus else self._w).render(size)

    def keypress(self, size: tuple[int], key: str) -> str | None:  # type: ignore[override]  # a flow widget
        if key != "enter":
            return key
        self._on_join()
        return None

    def mouse_event(  # type: ignore[override]  # a flow widget
        self, size: tuple[int], event: str, button: int, col: int, row: int, focus: bool
    ) -> bool:
        # The first click only looks at a table.
        return pressed_by_mouse(event, button, self._on_join if focus else lambda: None)


def _heading() -> AbstractFlowWidget:
    return urwid.AttrMap(_cells("  ", ("Table", "State", "Free", "Players")), Ink.STRONG)


def _cells(mark: str, texts: tuple[str, str, str, str]) -> urwid.Columns:
    widths = (*_WIDTHS, _PLAYERS_WIDTH)
    parts = [
        urwid.Text(cut(text, width), wrap="clip") for text, width in zip(texts, widths, strict=True)
    ]
    name, state, free, players = parts
    return urwid.Columns(
        [
            (len(mark), urwid.Text(mark)),
            (_WIDTHS[0], name),
            (_WIDTHS[1], state),
            (_WIDTHS[2], free),
            players,
        ],
        dividechars=1,
    )


def _players(table: ListedTable) -> str:
    return ", ".join(shown_name(name) for name in table.players if name)
