"""The terminal while the full screen has it: one urwid loop within trio, and pages on a stack.

::

    async with full_screen(palette) as ui:
        choice = await ui.run(StartPage(...))
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, Generic, Literal, TypeVar

import trio
import urwid

from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.settings.settings import Colors

SMALLEST = (80, 23)
"""The columns and rows that every page needs; so a terminal of 24 rows has one to spare."""

Result = TypeVar("Result")


class Page(Generic[Result]):
    """Something that fills the screen until it has a result."""

    def __init__(self, widget: urwid.Widget) -> None:
        self.widget = widget
        self._done = trio.Event()
        self._results: list[Result] = []

    def finish(self, result: Result) -> None:
        self._results.append(result)
        self._done.set()

    def unhandled(self, key: str) -> bool:
        """Take a key that the widget has not used; True if the page has used it."""
        return False

    async def wait(self) -> Result:
        await self._done.wait()
        return self._results[0]


class Ui:
    """The pages on the screen; the last one is seen and has the keys."""

    def __init__(self, screen: urwid.display.raw.Screen, frame: _Frame) -> None:
        self._screen = screen
        self._frame = frame
        self._pages: list[Page[Any]] = []
        self._wish_help, self.help_wishes = trio.open_memory_channel[None](1)

    async def run(self, page: Page[Result]) -> Result:
        """Show a page until it is done with, above what was there; gives its result."""
        with self.shown(page):
            return await page.wait()

    @contextmanager
    def shown(self, page: Page[Any]) -> Iterator[None]:
        """Show a page for as long as the block lasts."""
        self._pages.append(page)
        self._show()
        try:
            yield
        finally:
            self._pages.remove(page)
            self._show()

    async def until_it_fits(self) -> None:
        """Wait until the terminal is large enough for every page, and say so meanwhile."""
        columns, rows = self._screen.get_cols_rows()
        if columns < SMALLEST[0] or rows < SMALLEST[1]:
            self._frame.fits = trio.Event()
            with self.shown(Page[None](urwid.SolidFill(" "))):
                await self._frame.fits.wait()

    def use(self, colors: Colors) -> None:
        self._screen.register_palette(palette(colors, environ=os.environ))
        self._screen.clear()

    def ring(self) -> None:
        self._screen.write("\a")

    def _show(self) -> None:
        self._frame.show(self._pages[-1].widget if self._pages else urwid.SolidFill(" "))

    def unhandled(self, key: str | tuple[str, int, int, int]) -> bool:
        """Let the page that is seen have a key which no widget has used; ``?`` opens the help."""
        if isinstance(key, str) and self._pages:
            is_used = self._pages[-1].unhandled(key)
            if not is_used and key == "?":
                with suppress(trio.WouldBlock):
                    self._wish_help.send_nowait(None)
        return True

    async def show_help(self, page: Callable[[], Page[None]]) -> None:
        """Show help above any page whenever it is wished, until cancelled."""
        async for _ in self.help_wishes:
            await self.run(page())


class _Frame(urwid.WidgetWrap[urwid.Widget]):
    """Shows a widget, or that the terminal is too small for it."""

    def __init__(self) -> None:
        super().__init__(urwid.SolidFill(" "))
        self._too_small = False
        self.fits = trio.Event()
        """Set when it is drawn large enough."""

    def show(self, widget: urwid.Widget) -> None:
        self._w = widget

    def selectable(self) -> bool:
        return True

    def render(self, size: tuple[int, int], focus: bool = False) -> urwid.Canvas:  # type: ignore[override]  # a box
        self._too_small = size[0] < SMALLEST[0] or size[1] < SMALLEST[1]
        if not self._too_small:
            self.fits.set()
            return super().render(size, focus)
        text = f"This terminal is too small.\nIt has {size[0]}x{size[1]}, and {SMALLEST[0]}x"
        text += f"{SMALLEST[1]} is needed.\n\nEnlarge it, or press Ctrl-C\nand use --plain."
        return urwid.Filler(urwid.Text(text, align="center")).render(size, focus)

    def keypress(self, size: tuple[int, int], key: str) -> str | None:  # type: ignore[override]  # a box
        # What cannot be seen is not pressed.
        return None if self._too_small else super().keypress(size, key)

    def mouse_event(  # type: ignore[override]  # a box
        self, size: tuple[int, int], event: str, button: int, col: int, row: int, focus: bool
    ) -> bool | None:
        if self._too_small:
            return False
        return super().mouse_event(size, event, button, col, row, focus)


def _colors(environ: Mapping[str, str]) -> Literal[16, 256]:
    many = "256" in environ.get("TERM", "") or environ.get("COLORTERM")
    return 256 if many else 16


@asynccontextmanager
async def full_screen(colors: Colors) -> AsyncIterator[Ui]:
    """Take the terminal for as long as the block lasts, and leave it as it was."""
    frame = _Frame()
    event_loop, looks = urwid.TrioEventLoop(), palette(colors, environ=os.environ)
    screen = urwid.display.raw.Screen()
    screen.set_terminal_properties(colors=_colors(os.environ), bright_is_bold=False)
    ui = Ui(screen, frame)
    loop = urwid.MainLoop(frame, looks, screen, event_loop=event_loop, unhandled_input=ui.unhandled)
    async with trio.open_nursery() as nursery:
        with loop.start():
            nursery.start_soon(event_loop.run_async)
            yield ui
            nursery.cancel_scope.cancel()


class WaitingPage(Page[None]):
    """A line in the middle of the screen."""

    def __init__(self, text: str, give_up: Callable[[], None]) -> None:
        self._text = urwid.Text(text, align="center")
        hint = urwid.Text([(Ink.KEY, "Esc"), " gives up"], align="center")
        lines = urwid.Pile([self._text, urwid.Divider(), hint])
        super().__init__(urwid.Filler(lines))
        self._give_up = give_up

    def show(self, text: str) -> None:
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


PaletteEntry = tuple[str, str, str, str, str, str]
"""An entry as urwid has it: name, colours for 16, attributes without colour, colours for 256."""

_LIGHT_GROUNDS = ("7", "15")
"""The backgrounds in COLORFGBG that are light."""
_WITHOUT_COLOR = frozenset({"dumb", "vt100", "vt102", "vt220", "linux-m"})
_SCHEMES = (Colors.DARK, Colors.LIGHT, Colors.SAFE)
_SHADES = {
    "title": ("light cyan #0af", "dark blue #00a", "dark cyan #08d"),
    "red": ("light red #f66", "dark red #a00", "brown #d60"),
    "green": ("light green #6c6", "dark green #060", "dark magenta #a6a"),
    "blue": ("light blue #6af", "dark blue #00c", "dark cyan #08d"),
    "paper": ("light gray g93", "white #fff", "light gray g93"),
    "red on paper": ("dark red #c00", "dark red #c00", "brown #a40"),
    "green on paper": ("dark green #060", "dark green #060", "dark magenta #808"),
    "blue on paper": ("dark blue #00c", "dark blue #00c", "dark blue #06a"),
    "turn": ("black #000", "black #000", "white #fff"),
    "turn ground": ("yellow #fd0", "yellow #fd0", "dark blue #06a"),
    "alarm": ("white #fff", "white #fff", "black #000"),
    "alarm ground": ("dark red #a00", "dark red #a00", "brown #f80"),
    "good": ("light green #6c6", "dark green #060", "dark cyan #08d"),
    "key": ("light cyan #0af", "dark blue #00a", "dark cyan #08d"),
    "black": ("black #000",) * 3,
    "gray": ("dark gray g50",) * 3,
    "": ("default default",) * 3,
}
"""The names of the colours below, with those of each scheme among the 16 of every terminal and
among 256. The safe ones are orange, blue and their neighbours: Okabe and Ito's, nearly."""
_LOOKS = {
    Ink.TEXT: ("", "", "", ""),
    Ink.DIM: ("gray", "", "", ""),
    Ink.STRONG: ("", "", "bold", "bold"),
    Ink.TITLE: ("title", "", "bold", "bold"),
    Ink.LINE: ("gray", "", "", ""),
    Ink.RED: ("red", "", "bold", ""),
    Ink.CARD: ("black", "paper", "", ""),
    Ink.CARD_RED: ("red on paper", "paper", "", ""),
    Ink.CARD_GREEN: ("green on paper", "paper", "", ""),
    Ink.CARD_BLUE: ("blue on paper", "paper", "", ""),
    Ink.CARD_DIM: ("", "", "", ""),
    Ink.CARD_RED_DIM: ("red", "", "", ""),
    Ink.CARD_GREEN_DIM: ("green", "", "", ""),
    Ink.CARD_BLUE_DIM: ("blue", "", "", ""),
    Ink.CARD_CURSOR: ("paper", "black", "bold", "standout"),
    Ink.CARD_RED_CURSOR: ("paper", "red on paper", "bold", "standout"),
    Ink.CARD_GREEN_CURSOR: ("paper", "green on paper", "bold", "standout"),
    Ink.CARD_BLUE_CURSOR: ("paper", "blue on paper", "bold", "standout"),
    Ink.CARD_BACK: ("blue", "", "", ""),
    Ink.TURN: ("turn", "turn ground", "bold", "bold,underline"),
    Ink.CLOCK: ("good", "", "bold", "bold"),
    Ink.HURRY: ("alarm", "alarm ground", "bold", "standout"),
    Ink.NOTICE: ("good", "", "", ""),
    Ink.ALARM: ("alarm", "alarm ground", "bold", "bold"),
    Ink.FLASH: ("alarm", "alarm ground", "bold", "standout"),
    Ink.CHAT: ("", "", "", ""),
    Ink.CHAT_NAME: ("title", "", "bold", "bold"),
    Ink.UNREAD: ("", "", "bold", "bold"),
    Ink.FIELD: ("", "", "underline", "underline"),
    Ink.KEY: ("key", "", "bold", "bold"),
    Ink.BUTTON: ("", "", "", ""),
    Ink.BUTTON_FOCUS: ("black", "turn ground", "bold", "standout"),
}
"""The colours of text and of ground, attributes beside them, and attributes without colours."""


def palette(colors: Colors, *, environ: Mapping[str, str]) -> list[PaletteEntry]:
    """Give the look of every ink; ``environ`` tells of the terminal if that is asked."""
    if colors is Colors.AUTO:
        colors = _colors_of(environ)
    entries = []
    for ink, (text, ground, attributes, mono) in _LOOKS.items():
        if colors is Colors.NONE:
            text, ground, attributes = "", "", mono
        scheme = _SCHEMES.index(colors) if colors in _SCHEMES else 0
        few, _, many = _SHADES[text][scheme].rpartition(" ")
        few_ground, _, many_ground = _SHADES[ground][scheme].rpartition(" ")
        more = f",{attributes}" if attributes else ""
        looks = (few + more, few_ground, mono or "default", many + more, many_ground)
        entries.append((ink.value, *looks))
    return entries


def _colors_of(environ: Mapping[str, str]) -> Colors:
    if environ.get("NO_COLOR") or environ.get("TERM", "") in _WITHOUT_COLOR:
        return Colors.NONE
    ground = environ.get("COLORFGBG", "").rpartition(";")[2]
    return Colors.LIGHT if ground in _LIGHT_GROUNDS else Colors.DARK
