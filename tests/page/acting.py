"""What people do at a page and at the full screen of a terminal, one act after the other."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path

import trio
from playwright.sync_api import Page

from tests.terminal.play import mark, settle, trick_number
from tests.terminal.terminal import Terminal, terminal

MOST_TABS = 60
"""A page has fewer places that the Tab key goes to."""

# Where a finger would tap next; null where nothing is to be done.
_TARGET = """() => {
  const go = document.querySelector('.go-on:not(.claim), .over-panel:not(.result) button.main');
  const button = document.querySelector('.prompt button.main');
  const cards = [...document.querySelectorAll('.hand.asked .card:not(.illegal)')];
  const raised = cards.filter((card) => card.classList.contains('raised'));
  let wanted = go ?? button;
  if (wanted === button && button?.disabled) wanted = cards.find((card) => !raised.includes(card));
  if (!wanted && !document.querySelector('.sent')) wanted = raised[0] ?? cards[0];
  if (!wanted) return null;
  const { x, y, width, height } = wanted.getBoundingClientRect();
  return [x + Math.min(12, width / 2), y + Math.min(20, height / 2)];
}"""
_ASKED = """() => {
  if (document.querySelector('.over-panel:not(.result) button.main')) return 'go on';
  if (document.querySelector('.sent') || !document.querySelector('.hand.asked')) return '';
  return document.querySelector('.prompt button.main') ? 'pass' : 'card';
}"""
_HAS_FOCUS = "(selector) => document.activeElement?.matches(selector) ?? false"


def tap(page: Page) -> None:
    """Tap once where something is to be done, as somebody does with a finger."""
    place = page.evaluate(_TARGET)
    if place is not None:
        page.touchscreen.tap(*place)


def press(page: Page) -> None:
    """Do with keys alone what is asked, if anything is."""
    match page.evaluate(_ASKED):
        case "go on":
            page.keyboard.press("Enter")
        case "pass":
            if tab_to(page, ".hand .card"):
                page.keyboard.press("Home")
                for _ in range(3):
                    page.keyboard.press("Enter")
                    page.keyboard.press("ArrowRight")
                if tab_to(page, ".prompt button.main", "Shift+Tab"):
                    page.keyboard.press("Enter")
        case "card":
            if tab_to(page, ".hand .card"):
                page.keyboard.press("Home")
                for _ in range(13):
                    if page.evaluate(_HAS_FOCUS, ".hand.asked .card:not(.illegal)"):
                        page.keyboard.press("Enter")
                        break
                    page.keyboard.press("ArrowRight")


def tab_to(page: Page, selector: str, key: str = "Tab") -> bool:
    """Press a key until what fits the selector has the focus; whether it has."""
    for _ in range(MOST_TABS):
        if page.evaluate(_HAS_FOCUS, selector):
            return True
        page.keyboard.press(key)
    return False


class TerminalGuest:
    """Somebody at the full screen of ``hearts-client``, who plays what the cursor offers.

    He sits in a thread of his own, for the pages have the one of the test.
    """

    def __init__(self, home: Path, *arguments: str) -> None:
        settle(home)
        self._home = home
        self._arguments = arguments
        self._screen: Terminal | None = None
        self._token: trio.lowlevel.TrioToken | None = None
        self._scope = trio.CancelScope()
        self._problem: BaseException | None = None
        self._thread = threading.Thread(target=self._run)

    @contextmanager
    def seated(self) -> Iterator[TerminalGuest]:
        """He plays until the end of the block. Raises what went wrong at his terminal."""
        self._thread.start()
        try:
            yield self
        finally:
            if self._token is not None and self._thread.is_alive():
                self._token.run_sync_soon(self._scope.cancel)
            self._thread.join()
        if self._problem is not None:
            raise self._problem

    @property
    def text(self) -> str:
        """What stands on the screen."""
        return self._screen.text if self._screen is not None else ""

    def _run(self) -> None:
        try:
            trio.run(self._play)
        except BaseException as problem:
            self._problem = problem

    async def _play(self) -> None:
        self._token = trio.lowlevel.current_trio_token()
        with self._scope:
            async with terminal(self._home, *self._arguments) as screen:
                self._screen = screen
                done = ""
                while True:
                    asked = await _next_asked(screen, done)
                    if asked == "pass":
                        await mark(screen)
                    if asked != "":
                        screen.type("\r")
                    done = asked


async def _next_asked(screen: Terminal, done: str) -> str:
    """What is asked next, if ``done`` is what was asked last."""

    def is_new() -> bool:
        return _asked(screen) != done

    await screen.wait_for(is_new, seconds=inf)
    return _asked(screen)


def _asked(screen: Terminal) -> str:
    """What a person is asked; a trick is asked for once."""
    if screen.shows("Mark three"):
        return "pass"
    return f"trick {trick_number(screen)}" if screen.shows("Your turn") else ""
