"""The page that asks a person's own mistakes, while their games are looked through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import trio

from hearts.game.cards import Card
from hearts.game.game import PASS_SIZE
from hearts.judging.outlook import Cards, Outlook
from hearts_client.mistakes.asking import answer_lines, is_right, next_line, question_lines
from hearts_client.mistakes.finding import look_through
from hearts_client.mistakes.kept import KeptMistakes, Mistake, today, write_mistakes
from hearts_client.screen.input.drawn_page import (
    MARGIN,
    TEXT_COLUMNS,
    ScrolledPage,
    draw_head,
    draw_keys,
)
from hearts_client.screen.input.ui import Ui
from hearts_client.screen.pictures.canvas import Box, Canvas, Ink, LabelledKey, Pen, Theme
from hearts_client.session.analyst import Analyst, AskCost
from hearts_client.session.saved import write_in_time
from hearts_client.words.others import chat_lines

_KEYS = (
    LabelledKey("left", ""),
    LabelledKey("right", "card"),
    LabelledKey("enter", "answer"),
    LabelledKey("esc", "back"),
)
_PASS_KEYS = (*_KEYS[:2], LabelledKey(" ", "mark"), *_KEYS[2:])
_NEXT_KEYS = (LabelledKey("enter", "next"), LabelledKey("esc", "back"))


async def ask_mistakes(
    ui: Ui, folder: Path, kept: KeptMistakes, theme: Theme, ask: AskCost
) -> None:
    """Ask what is due until the person closes the page; games are looked through beside it."""
    page = MistakesPage(kept, theme, ask)
    analyst = Analyst()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(analyst.run)
        nursery.start_soon(look_through, kept, folder, analyst.judge, page.tell)
        await ui.run(page)
        nursery.cancel_scope.cancel()
    with trio.CancelScope(shield=True):
        await write_in_time(partial(write_mistakes, folder, kept))


class MistakesPage(ScrolledPage[None]):
    def __init__(self, kept: KeptMistakes, theme: Theme, ask: AskCost) -> None:
        """``ask`` asks what a pass costs that nobody has looked at."""
        keys: dict[str, Callable[[], object]] = {
            "esc": partial(self.finish, None),
            "left": partial(self._move, -1),
            "right": partial(self._move, 1),
            " ": self._mark,
            "enter": self._enter,
        }
        super().__init__(keys)
        self._kept, self._theme, self._ask = kept, theme, ask
        self._progress = (0, 0)
        self._mistake: Mistake | None = None
        self._told: list[str] = []
        """The words about the answer; empty before it."""
        self._cursor = 0
        self._marked: list[Card] = []
        self._go_on()

    def tell(self, done: int, many: int) -> None:
        """Note how far it is with looking through."""
        self._progress = done, many
        if self._mistake is None:
            self._go_on()
        self.changed()

    @property
    def _cards(self) -> list[Card]:
        assert self._mistake is not None
        view = self._mistake.view
        return self._theme.style.sorted(view.legal_cards or view.cards)

    def _go_on(self) -> None:
        due = self._kept.due(today())
        self._mistake = due[0] if due else None
        self._told, self._marked, self._cursor, self._top = [], [], 0, 0

    def _move(self, step: int) -> None:
        if self._mistake is not None and not self._told:
            self._cursor = (self._cursor + step) % len(self._cards)

    def _mark(self) -> None:
        if self._mistake is None or self._told or self._mistake.view.legal:
            return
        card = self._cards[self._cursor]
        if card in self._marked:
            self._marked.remove(card)
        elif len(self._marked) < PASS_SIZE:
            self._marked.append(card)

    def _enter(self) -> None:
        mistake = self._mistake
        if mistake is None:
            return
        if self._told:
            self._go_on()
            return
        answer = (self._cards[self._cursor],) if mistake.view.legal else tuple(sorted(self._marked))
        if any(one.cards == answer for one in mistake.outlook.choices):
            self._answer(mistake, answer, mistake.outlook)
        elif len(answer) == PASS_SIZE:
            self._told = ["It is being looked at..."]
            self._ask(mistake.view, partial(self._answer, mistake, answer), answer)

    def _answer(self, mistake: Mistake, answer: Cards, outlook: Outlook | None) -> None:
        if mistake is not self._mistake:
            return
        if outlook is None:
            self._told = ["What it costs cannot be found out now."]
        else:
            self._told = answer_lines(mistake, outlook, answer, self._theme.style)
            right = is_right(outlook, answer)
            self._mistake = self._kept.answer(mistake, today(), is_right=right)
            self._told.append(next_line(self._mistake))
        # The answer is at the end, if there is no room for all.
        self._top = len(self._told) * 10 + TEXT_COLUMNS
        self.changed()

    def hit(self, target: object | None) -> None:
        if isinstance(target, int) and not self._told:
            self._cursor = target
            self._mark()

    # Drawing

    def draw(self, size: tuple[int, int]) -> Canvas:
        canvas = pen = Pen(size, self._theme)
        done, many = self._progress
        where = f"looked through {done} of {many} hands" if done < many else ""
        draw_head(canvas, f"Your mistakes: {len(self._kept.due(today()))} to look at today", where)
        mistake = self._mistake
        lines = ["Nothing is to be looked at today."]
        if mistake is not None:
            lines = [*question_lines(mistake, self._theme.style), *self._told]
        rows = [row for line in lines for row in chat_lines("", line, TEXT_COLUMNS)]
        seen, _ = self.seen(rows, canvas.height - 2)
        for row, line in enumerate(seen, 2):
            canvas.put(MARGIN, row, line)
        keys: Sequence[LabelledKey] = _NEXT_KEYS if self._told else _KEYS[3:]
        if mistake is not None and not self._told:
            self._draw_cards(pen, canvas.height - 3)
            keys = _KEYS if mistake.view.legal else _PASS_KEYS
        draw_keys(canvas, keys)
        return canvas

    def _draw_cards(self, pen: Pen, row: int) -> None:
        column = MARGIN
        for place, card in enumerate(self._cards):
            mark = "*" if card in self._marked else " "
            text = f"{mark}{self._theme.style.card(card)}"
            ink = Ink.FIELD if place == self._cursor else Ink.STRONG
            end = pen.put(column, row, text, ink)
            pen.region(Box(column, row, end - column, 1), place)
            column = end + 1
