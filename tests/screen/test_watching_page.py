"""Who watches a table sees it at a pace that can be followed, and chooses nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio
import trio.testing

from hearts.game.events import CardPlayed, TrickTaken
from hearts.session.client_events import CaughtUp, ConnectionLost, SessionEnded, Watching
from hearts.session.table_words import ServerNotice, Waiting
from hearts.table.inputs import Question
from hearts_client.screen.pictures.pen import Theme
from hearts_client.screen.pictures.sights import OnButton, OnTable, Stage, TableSight
from hearts_client.screen.settings.settings import Settings
from hearts_client.screen.sound import Sound
from hearts_client.screen.table.keys import WATCH_KEYS, WantedPage
from hearts_client.screen.table.shown_table import ShownTable
from hearts_client.screen.table.table_page import TablePage
from tests.dealer.loopback import Loopback

from .seats import click, drawn


class Beside:
    """Somebody who watches a session that is told at once."""

    def __init__(self, trick_stays: float | None = 1.5) -> None:
        self.loop = Loopback(end_score=5, seed=2)
        self.heard: list[Sound] = []
        theme = Theme(Settings(trick_stays=trick_stays, bell=True, key_waits=0), ascii=True)
        self.page = TablePage(ShownTable(theme.style, watching=True), theme, self.heard.append)

    def tell(self) -> None:
        """All that has not been told yet."""
        told, self.loop.watched = self.loop.watched, []
        for event in told:
            self.page.hear(event)

    async def after(self, seconds: float = 0.0) -> TableSight:
        await trio.sleep(seconds)
        await trio.testing.wait_all_tasks_blocked()
        drawn(self.page)
        return self.page.sight()

    @property
    def notices(self) -> list[str]:
        return [text for text, _ in self.page.ticker.history]


@asynccontextmanager
async def beside(trick_stays: float | None = 1.5) -> AsyncIterator[Beside]:
    made = Beside(trick_stays)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(made.page.run)
        yield made
        nursery.cancel_scope.cancel()


async def test_what_is_past_is_shown_at_once(autojump_clock: object) -> None:
    async with beside() as made:
        made.loop.run(110)
        watched = made.loop.watched
        tricks = sum(isinstance(event, TrickTaken) for event in watched)
        assert tricks > 5
        # As for who comes now, and not at the beginning.
        watched.append(watched.pop(watched.index(CaughtUp())))
        made.tell()
        sight = await made.after()
        assert sight.trick_number == tricks + 1
        assert sight.is_watching
        assert sum(seat.tricks for seat in sight.seats) == tricks
        assert not made.page.is_held
        assert (made.notices, made.heard) == ([], [])


async def test_what_happens_now_is_shown_in_its_time(autojump_clock: object) -> None:
    async with beside() as made:
        made.loop.run(55)
        watched = made.loop.watched
        first = next(n for n, event in enumerate(watched) if isinstance(event, TrickTaken))
        del watched[first + 3 :]
        lies = [event.card for event in watched if isinstance(event, CardPlayed)][:4]
        made.tell()
        for _ in range(2):
            sight = await made.after(0.7)
            assert {seat.played for seat in sight.seats} == set(lies)
            assert made.page.is_held
        assert (await made.after(0.2)).trick_number == 2


async def test_a_trick_stays_until_it_was_seen(autojump_clock: object) -> None:
    async with beside(None) as made:
        made.loop.run(110)
        del made.loop.watched[60:]
        made.tell()
        for number, key in enumerate(("enter", " ", "esc"), 1):
            sight = await made.after(100)
            assert (sight.trick_number, made.page.is_held) == (number, True)
            assert made.page.press(key)
        sight = await made.after(100)
        click(made.page, OnTable())
        assert (await made.after()).trick_number == sight.trick_number + 1


async def test_a_watcher_chooses_nothing(autojump_clock: object) -> None:
    async with beside(0.0) as made:
        made.loop.run(60)
        made.tell()
        sight = await made.after()
        assert sight.hand == ()
        assert (sight.chat.is_news, sight.chat.typing) == (True, None)
        for key in ("q", "s", "f", "i", "/", "tab", "!", "y", "left", " ", "enter", "begin paste"):
            assert not made.page.press(key), key
        assert await made.after() == sight
        assert made.page.press("l")
        assert (await made.after()).stage is Stage.LAST_TRICK
        made.page.press("x")
        pages = {row.key: row.opens for row in WATCH_KEYS if row.opens is not None}
        assert {"?", "b", "r", "v", "o", "w", "m", "esc"} <= set(pages)
        for key, page in pages.items():
            assert made.page.press(key)
            assert made.page.wanted.receive_nowait() is page
        click(made.page, OnButton("b"))
        assert made.page.wanted.receive_nowait() is WantedPage.SCORES


async def test_for_whom_the_table_waits(autojump_clock: object) -> None:
    async with beside(0.0) as made:
        made.loop.players[2].is_silent = True
        made.loop.run()
        made.tell()
        assert (await made.after(1)).prompt == "Waiting for the players."
        made.page.hear(Waiting(Question.PASS, (2,), 4000, 50_000))
        sight = await made.after(1)
        assert sight.prompt == "Waiting for Cleo."
        assert (sight.left, sight.waited) == (None, 5)
        assert [seat.name for seat in sight.seats if seat.on_turn] == ["Cleo"]


async def test_to_the_end(autojump_clock: object) -> None:
    async with beside() as made:
        made.loop.run()
        assert isinstance(made.loop.watched[-1], SessionEnded)
        made.tell()
        made.page.hear(ServerNotice("see you\nsoon"))
        sight = await made.after(200)
        assert sight.stage is Stage.GAME_OVER
        winners = [seat.name for seat in sight.seats if seat.player in sight.winners]
        assert sight.middle == ("The game is over.", f"Won by {' and '.join(winners)}.")
        assert sight.prompt == "Nothing more happens here: Esc leaves."
        assert made.notices[-1] == "see you soon"
        assert Sound.QUEEN in made.heard


async def test_who_comes_back_is_told_the_table_anew(autojump_clock: object) -> None:
    async with beside() as made:
        made.loop.run(110)
        told = made.loop.watched
        told.append(told.pop(told.index(CaughtUp())))
        assert isinstance(told[0], Watching)
        made.tell()
        before = await made.after()
        for _ in range(2):
            made.page.hear(ConnectionLost("it broke", 0.2))
        await made.after(5)
        made.loop.watched = told
        made.tell()
        sight = await made.after(5)
        assert [seat.tricks for seat in sight.seats] == [seat.tricks for seat in before.seats]
        assert sight.trick_number == before.trick_number
        assert made.notices == [
            "Connection lost (it broke); trying again.",
            "The connection is back.",
        ]
