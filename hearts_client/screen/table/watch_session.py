"""Watching a table at the screen."""

from __future__ import annotations

from collections.abc import Callable

import trio

from hearts.dealer.client_events import DealerEvent
from hearts.errors import HeartsError
from hearts.session.client_events import SessionEnded
from hearts.session.table_words import ServerNotice
from hearts_client.library.watching import Watcher
from hearts_client.screen.pictures.theme import Theme
from hearts_client.screen.shared import Shared
from hearts_client.screen.sound.notes import Sound
from hearts_client.words.others import chat_lines

from .pages_above import PagesAbove
from .shown_table import ShownTable
from .table_page import Leaving, TablePage

_WIDTH = 1000
"""Columns of a notice in one piece."""


class WatchPage(TablePage):
    """A table that is watched."""

    def __init__(self, theme: Theme, ring: Callable[[Sound], None]) -> None:
        super().__init__(ShownTable(theme.style, watching=True), theme, ring)

    def shown(self, event: DealerEvent) -> None:
        match event:
            case ServerNotice(text):
                self.notice(" ".join(chat_lines("", text, _WIDTH)))
            case SessionEnded():
                self.is_over = True


async def watch_table(shared: Shared, watcher: Watcher) -> None:
    """Watch until the person is done. Raises RegistrationRefused and RemoteProtocolError."""
    page = WatchPage(shared.theme, shared.ring)
    pages_above = PagesAbove(shared, page, tuple, lambda: "The players do not notice.")
    problems: list[HeartsError] = []

    async def follow() -> None:
        try:
            async for event in watcher:
                page.hear(event)
        except HeartsError as error:
            problems.append(error)
            page.finish(Leaving.LEFT)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(page.run)
        nursery.start_soon(pages_above.run)
        nursery.start_soon(follow)
        await shared.ui.run(page)
        nursery.cancel_scope.cancel()
    if problems:
        raise problems[0]
