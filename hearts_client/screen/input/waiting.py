"""Something takes a moment, and can be given up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import trio
import urwid

from hearts_client.screen.pictures.canvas import Ink

from .ui import Page, Ui


class WaitingPage(Page[None]):
    """A line in the middle of the screen."""

    def __init__(self, text: str, give_up: Callable[[], None]) -> None:
        self._text = urwid.Text(text, align="center")
        hint = urwid.Text([(Ink.KEY, "Esc"), " gives up"], align="center")
        lines = urwid.Pile([self._text, urwid.Divider(), hint])
        super().__init__(urwid.Filler(lines))
        self._give_up = give_up

    def say(self, text: str) -> None:
        """Something else takes a moment."""
        self._text.set_text(text)

    def unhandled(self, key: str) -> bool:
        if key == "esc":
            self._give_up()
        return key == "esc"


@contextmanager
def waiting(ui: Ui, text: str) -> Iterator[WaitingPage]:
    """Show a line below whatever pages the block shows; Esc there cancels the block."""
    with trio.CancelScope() as scope:
        page = WaitingPage(text, scope.cancel)
        with ui.shown(page):
            yield page
