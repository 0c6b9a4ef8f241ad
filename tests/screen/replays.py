"""Records to look at at the full screen, and a page on a small screen."""

from __future__ import annotations

import random
from typing import Any

import trio

from hearts.game.events import Deal
from hearts.game.record import Record
from hearts.game.rules import parse_rules
from hearts_client.screen.input.ui import Page
from hearts_client.screen.pictures.canvas import Theme
from hearts_client.screen.settings.settings import Settings
from tests.game.games import game_by_chance

SIZE = (80, 23)
THEME = Theme(Settings(), ascii=True)
NAMES = ("Ann", "Moe", 'the "Zoë"', "Curly")
CUTS = bytes(8) + b"our cut!" + bytes(16)


def cut_deal_by(source: random.Random) -> Deal:
    return Deal.from_secret(source.randbytes(16), CUTS)


def record(rules: str = "standard", seed: int = 1, hands: int = 2, end: int = 100) -> str:
    actions = game_by_chance(parse_rules(rules), seed, hands, end, cut_deal_by)
    return str(Record(parse_rules(rules), end, NAMES, tuple(actions)))


class Shown:
    """A page on a screen of the smallest size."""

    def __init__(self, page: Page[Any]) -> None:
        self.page = page

    @property
    def lines(self) -> list[str]:
        canvas = self.page.widget.render(SIZE, focus=True)
        return [line.decode().rstrip() for line in canvas.text]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def press(self, *keys: str) -> None:
        for key in keys:
            assert self.page.widget.keypress(SIZE, key) is None

    def click(self, words: str, button: int = 1) -> None:
        row = next(row for row, line in enumerate(self.lines) if words in line)
        column = self.lines[row].index(words)
        self.page.widget.mouse_event(SIZE, "mouse press", button, column, row, True)

    async def result(self) -> Any:
        with trio.fail_after(1):
            return await self.page.wait()
