"""The pages that lie above a table while it goes on below."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import assert_never

from msgspec.structs import replace

from hearts.session.picture import Scoreboard
from hearts_client.screen.input.form import FormPage, Shortcut
from hearts_client.screen.input.text_page import TextPage
from hearts_client.screen.pages.help_texts import help_lines, with_headings
from hearts_client.screen.pages.replay_page import ReplayPage
from hearts_client.screen.pages.rules_text import rules_lines
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.shared import Shared
from hearts_client.session.replay import HandReplay
from hearts_client.words.story import score_lines

from .keys import SEAT_KEYS, WantedPage, helped
from .table_page import Leaving, TablePage

_WINNER = "* "


class MenuPage(FormPage[Leaving | WantedPage | None]):
    """The menu of a table; it gives None to go on with the game."""

    def __init__(self, *, leaving: str, can_end: bool, ascii: bool) -> None:
        """``leaving`` says what becomes of the game when the person leaves, and ``can_end`` whether
        they may end it.
        """
        super().__init__("At the table", ascii=ascii)
        go_on = partial(self.finish, None)
        buttons = [self.button("Go on with the game", go_on, key="g")]
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
        self.keys(Shortcut("esc", "Back", go_on))


class PagesAbove:
    """Opens pages above a table, one at a time."""

    def __init__(
        self,
        shared: Shared,
        page: TablePage,
        replays: Callable[[], Sequence[HandReplay]],
        leaving: Callable[[], str],
        invite: Callable[[], Awaitable[None]] | None = None,
        *,
        is_alone: bool = False,
        level: str = "",
    ) -> None:
        """``replays`` gives the hands that can be seen again, and ``leaving`` says what becomes of
        the game when the person leaves. ``invite`` shows who waits to be invited. ``is_alone`` says
        that the game is theirs, to leave it for another deal and to end it; ``level`` is how well
        the computers play, if that is known.
        """
        self.again = ""
        """The text of the deal that the person wants again."""
        self._shared = shared
        self._ui = shared.ui
        self._page = page
        self._replays = replays
        self._leaving = leaving
        self._invite = invite
        self._is_alone = is_alone
        self._level = level

    async def run(self) -> None:
        """Open what is wanted, until cancelled."""
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
                await self._read("What has happened", list(page.ticker.history) or ["Nothing yet."])
            case WantedPage.REPLAY:
                await self._replay()
            case WantedPage.OPTIONS:
                await self._shared.change_options()
                page.restyle()
            case WantedPage.SOUND:
                await self._turn_sound()
            case WantedPage.INVITE:
                if self._invite is not None:
                    await self._invite()
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
        await kept.keep_settings(replace(kept.settings, bell=is_on))

    async def _read(self, title: str, lines: Sequence[str | tuple[str, Ink]]) -> None:
        await self._ui.run(TextPage(title, lines, ascii=self._shared.theme.ascii))

    async def _show_rules(self) -> None:
        info = self._page.table.picture.table
        if info is None:
            self._page.notice("The game has not begun yet.", Ink.DIM)
            return
        lines = rules_lines(info.rules, info.end_score, info.turn_limit, self._level)
        await self._read("Rules", with_headings(lines))

    async def _replay(self) -> None:
        replays = self._replays()
        if not replays:
            self._page.notice("No hand is over yet that could be seen again.", Ink.DIM)
            return
        page = ReplayPage(
            replays,
            self._shared.theme.style,
            can_repeat=self._is_alone or self._page.is_over,
            ask=self._shared.ask,
        )
        deal = await self._ui.run(page)
        if deal is not None:
            self.again = deal
            self._page.finish(Leaving.AGAIN)

    async def _choose(self) -> None:
        menu = MenuPage(
            leaving=self._leaving(), can_end=self._is_alone, ascii=self._shared.theme.ascii
        )
        choice = await self._ui.run(menu)
        if isinstance(choice, Leaving):
            self._page.finish(choice)
        elif choice is not None:
            await self._open(choice)


def help_page(*, ascii: bool) -> TextPage:
    """All that can be typed and clicked."""
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
