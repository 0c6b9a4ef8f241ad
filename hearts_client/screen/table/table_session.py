"""A table on the screen with the pages that lie above it while it goes on below."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import assert_never

import trio
from msgspec.structs import replace

from hearts.errors import HeartsError, leaves
from hearts.session.picture import Scoreboard
from hearts_client.library.watching import Watcher
from hearts_client.screen.input.drawn_page import TextPage
from hearts_client.screen.input.form import FormPage
from hearts_client.screen.pages.replay_page import ReplayPage
from hearts_client.screen.pages.texts import RULES_TITLE, help_lines, rules_lines, with_headings
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.shared import Shared
from hearts_client.session.replay import HandReplay
from hearts_client.words.story import score_lines

from .keys import SEAT_KEYS, WantedPage, helped
from .shown_table import ShownTable
from .table_page import Leaving, TablePage

_WINNER = "* "


class MenuPage(FormPage[Leaving | WantedPage | None]):
    """The menu of a table; it gives None to go on with the game."""

    def __init__(self, *, leaving: str, can_end: bool, ascii: bool) -> None:
        """``leaving`` says what becomes of the game when the person leaves, and ``can_end`` whether
        they may end it.
        """
        super().__init__("At the table", None, ascii=ascii)
        buttons = [self.button("Go on with the game", partial(self.finish, None), key="g")]
        for row in SEAT_KEYS:
            if row.opens is not None and row.menu:
                opens = partial(self.finish, row.opens)
                buttons.append(self.button(row.menu, opens, key=row.key))
        leave = partial(self.finish, Leaving.LEFT)
        buttons.append(self.button("Leave the table", leave, key="x", help=leaving))
        if can_end:
            end = partial(self.finish, Leaving.ENDED)
            help = "Nobody can come back to it; the hands that are over stay in your replays."
            buttons.append(self.button("End this game for good", end, key="e", help=help))
        self.rows(*buttons)


class TableSession:
    """A table on the screen and the pages above it, until the person has seen its end."""

    is_alone = False
    """True if the game is the person's: they may leave it for another deal, and end it."""
    level = ""
    """The strength of the computers; empty if that is not known."""

    def __init__(self, shared: Shared, page: TablePage) -> None:
        self.again = ""
        """The text of the deal that the person wants again; empty for none."""
        self._shared = shared
        self._ui = shared.ui
        self._page = page
        self._problem: BaseException | None = None

    async def follow(self) -> None:
        """Let the page hear what happens, to the end. Raises HeartsError."""
        raise NotImplementedError

    def leaving(self) -> str:
        """Say what becomes of the game when the person leaves."""
        return "The players do not notice."

    def replays(self) -> Sequence[HandReplay]:
        """Give the hands that can be seen again."""
        return ()

    async def invite(self) -> None:
        """Show who waits to be invited."""

    async def run(self, *tasks: Callable[[], Awaitable[None]]) -> Leaving:
        """Show the table until the person is done, with more tasks beside.

        Raises RegistrationRefused and RemoteProtocolError.
        """
        async with trio.open_nursery() as nursery:
            for task in (self._page.run, self._open_pages, self._follow, *tasks):
                nursery.start_soon(task)
            leaving = await self._ui.run(self._page)
            nursery.cancel_scope.cancel()
        if self._problem is not None:
            raise self._problem
        return leaving

    async def _follow(self) -> None:
        try:
            await self.follow()
        except* HeartsError as errors:
            self._problem = next(leaves(errors))
            self._page.finish(Leaving.LEFT)

    # Pages above the table

    async def _open_pages(self) -> None:
        async for wanted in self._page.wanted:
            await self._open(wanted)
            self._page.uncovered()

    async def _open(self, wanted: WantedPage) -> None:
        page, ascii = self._page, self._shared.theme.ascii
        match wanted:
            case WantedPage.HELP:
                await self._ui.run(help_page(ascii=ascii))
            case WantedPage.RULES:
                await self._show_rules()
            case WantedPage.SCORES:
                names = [page.table.roster.title(player) for player in range(4)]
                await self._read("Scores", board_lines(page.table.picture.board, names))
            case WantedPage.NEWS:
                await self._read("What has happened", page.ticker.history or ["Nothing yet."])
            case WantedPage.REPLAY:
                await self._replay()
            case WantedPage.OPTIONS:
                await self._shared.change_options()
                page.restyle()
            case WantedPage.SOUND:
                await self._turn_sound()
            case WantedPage.INVITE:
                await self.invite()
            case WantedPage.LEAVE if page.is_over:
                page.finish(Leaving.OVER)
            case WantedPage.MENU | WantedPage.LEAVE:
                await self._choose()
            case _:
                assert_never(wanted)

    async def _turn_sound(self) -> None:
        theme, kept = self._shared.theme, self._shared.profile.kept
        is_on = not theme.settings.bell
        theme.settings = replace(theme.settings, bell=is_on)
        words = "You hear the queen, a moon and your turn." if is_on else "All is quiet now."
        self._page.notice(words)
        await kept.keep(replace(kept.settings, bell=is_on))

    async def _read(self, title: str, lines: Sequence[str | tuple[str, Ink]]) -> None:
        await self._ui.run(TextPage(title, lines, ascii=self._shared.theme.ascii))

    async def _show_rules(self) -> None:
        table = self._page.table
        info = table.picture.table
        if info is None:
            self._page.refuse("The game has not begun yet.")
            return
        lines = rules_lines(info.rules, table.end_score, info.turn_limit, self.level)
        await self._read(RULES_TITLE, with_headings(lines))

    async def _replay(self) -> None:
        replays = self.replays()
        if not replays:
            self._page.refuse("No hand is over yet that could be seen again.")
            return
        page = ReplayPage(
            replays,
            self._shared.theme,
            can_repeat=not self._shared.profile.is_visitor
            and (self.is_alone or self._page.is_over),
            ask=self._shared.ask,
            reckon=self._shared.reckon,
            page=self._shared.profile.page,
        )
        deal = await self._ui.run(page)
        if deal is not None:
            self.again = deal
            self._page.finish(Leaving.AGAIN)

    async def _choose(self) -> None:
        menu = MenuPage(
            leaving=self.leaving(), can_end=self.is_alone, ascii=self._shared.theme.ascii
        )
        choice = await self._ui.run(menu)
        if isinstance(choice, Leaving):
            self._page.finish(choice)
        elif choice is not None:
            await self._open(choice)


class WatchSession(TableSession):
    def __init__(self, shared: Shared, watcher: Watcher) -> None:
        table = ShownTable(shared.theme.style, watching=True)
        super().__init__(shared, TablePage(table, shared.theme, shared.ring))
        self._watcher = watcher

    async def follow(self) -> None:
        async for event in self._watcher:
            self._page.receive(event)


def help_page(*, ascii: bool) -> TextPage:
    """Return all that can be typed and clicked."""
    return TextPage(
        "Help", with_headings(help_lines(helped(), helped(in_pass=True))), ascii=ascii, closing="?"
    )


def board_lines(board: Scoreboard, names: Sequence[str]) -> list[tuple[str, Ink]]:
    """Write what each hand added, and the totals; winners are marked."""
    if not board.rows:
        return [(line, Ink.TEXT) for line in score_lines(board, names, board.rows)]
    head = [
        _WINNER + name if player in board.winners else name for player, name in enumerate(names)
    ]
    title, *hands, total = score_lines(board, head, board.rows)
    lines = [(title, Ink.TITLE)]
    lines += [(hand, Ink.TEXT) for hand in hands]
    lines.append((total, Ink.STRONG))
    if board.winners:
        lines += [("", Ink.TEXT), (f"{_WINNER}has won the game", Ink.NOTICE)]
    return lines
