"""What can be done at a table beside playing."""

from __future__ import annotations

from enum import Enum
from functools import partial

from hearts_client.screen.input.form import FormPage, Shortcut
from hearts_client.screen.table.wanted import WantedPage


class MenuChoice(Enum):
    """What is chosen in the menu beside the pages above the table."""

    GO_ON = "Go on with the game"
    LEAVE = "Leave the table"
    END = "End this game for good"


_PAGES = {
    WantedPage.SCORES: "Scores, hand by hand",
    WantedPage.RULES: "Rules of this table",
    WantedPage.REPLAY: "The last hand again",
    WantedPage.NEWS: "What has happened",
    WantedPage.OPTIONS: "Options",
    WantedPage.HELP: "Help",
}


class MenuPage(FormPage[MenuChoice | WantedPage]):
    """The menu of a table."""

    def __init__(self, *, leaving: str, can_end: bool, ascii: bool) -> None:
        """``leaving`` says what becomes of the game when the person leaves, and ``can_end`` whether
        he may end it.
        """
        super().__init__("At the table", ascii=ascii)
        go_on = partial(self.finish, MenuChoice.GO_ON)
        buttons = [self.button(MenuChoice.GO_ON.value, go_on, key="g")]
        for wanted, label in _PAGES.items():
            buttons.append(self.button(label, partial(self.finish, wanted), key=wanted.value))
        leave = partial(self.finish, MenuChoice.LEAVE)
        buttons.append(self.button(MenuChoice.LEAVE.value, leave, key="x", help=leaving))
        if can_end:
            end = partial(self.finish, MenuChoice.END)
            help = "Nobody can come back to it; the hands that are over stay in your replays."
            buttons.append(self.button(MenuChoice.END.value, end, key="e", help=help))
        self.rows(*buttons)
        self.keys(Shortcut("esc", "Back", go_on))
