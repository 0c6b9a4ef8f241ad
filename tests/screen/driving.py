"""Drives a page without a terminal: what it shows, keys, clicks, and what comes of it."""

from __future__ import annotations

from typing import Any

import trio
import trio.testing
from urwid.testing import render_text

from hearts_client.screen.input.form import FormPage
from hearts_client.words.others import columns

SIZE = (80, 23)


def shown(page: FormPage[Any], size: tuple[int, int] = SIZE) -> list[str]:
    return render_text(page.widget, size, focus=True, strip=True)


def press(page: FormPage[Any], *keys: str) -> None:
    """Press keys, as the loop of the terminal passes them on."""
    for key in keys:
        left = page.widget.keypress(SIZE, key)
        if left is not None:
            page.unhandled(left)


def type_text(page: FormPage[Any], text: str) -> None:
    """Replace the text of the line that has the keys."""
    press(page, "ctrl u", "ctrl k", *text)


def click(page: FormPage[Any], words: str, button: int = 1) -> None:
    """Click the first place where words stand."""
    for row, line in enumerate(shown(page)):
        if words in line:
            column = columns(line[: line.index(words)])
            page.widget.mouse_event(SIZE, "mouse press", button, column, row, True)
            return
    raise AssertionError(f"{words!r} is not on the screen")


def go_to(page: FormPage[Any], words: str) -> None:
    """Press Tab until the control with some words has the keys."""
    for _ in range(40):
        control = page.focused
        assert control is not None
        if words in render_text(control, (control.width,), focus=True)[0]:
            return
        press(page, "tab")
    raise AssertionError(f"{words!r} never gets the keys")


async def result_of(page: FormPage[Any]) -> Any:
    """What the page has given; None if nothing yet."""
    given: list[Any] = []

    async def wait() -> None:
        given.append(await page.wait())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    return given[0] if given else None
