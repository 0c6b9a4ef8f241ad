"""What can be done at a table beside playing."""

from __future__ import annotations

from enum import Enum
from functools import partial

from .form import FormPage, Shortcut
from .table_page import Wanted


class MenuChoice(Enum):
    """What is chosen in the menu beside the pages above the table."""

    GO_ON = "Go on with the game"
    LEAVE = "Leave the table"


_PAGES = {
    Wanted.SCORES: "Scores, hand by hand",
    Wanted.RULES: "Rules of this table",
    Wanted.REPLAY: "The last hand again",
    Wanted.NEWS: "What has happened",
    Wanted.OPTIONS: "Options",
    Wanted.HELP: "Help",
}


class MenuPage(FormPage[MenuChoice | Wanted]):
    """The menu of a table."""

    def __init__(self, *, leaving: str, ascii: bool) -> None:
        """``leaving`` says what becomes of the game when the person leaves."""
        super().__init__("At the table", ascii=ascii)
        go_on = partial(self.finish, MenuChoice.GO_ON)
        buttons = [self.button(MenuChoice.GO_ON.value, go_on, key="g")]
        for wanted, label in _PAGES.items():
            buttons.append(self.button(label, partial(self.finish, wanted), key=wanted.value))
        leave = partial(self.finish, MenuChoice.LEAVE)
        buttons.append(self.button(MenuChoice.LEAVE.value, leave, key="x", help=leaving))
        self.rows(*buttons)
        self.keys(Shortcut("esc", "Back", go_on))
