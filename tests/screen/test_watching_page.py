"""Who watches a table sees it at a pace that can be followed, and chooses nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import trio
import trio.testing

from hearts.game.events import CardPlayed, TrickTaken
from hearts.session.client_events import CaughtUp, ConnectionLost, SessionEnded, Watching
from hearts.session.table_words import ServerNotice, Waiting
from hearts.table.inputs import Question
from hearts_client.screen.pictures.canvas import OnButton, Theme
from hearts_client.screen.pictures.sights import OnTable, Stage, TableSight
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
        told, self.loop.watched = self.loop.watched, []
        for event in told:
            self.page.receive(event)

    async def after(self, seconds: float = 0.0) -> TableSight:
        await trio.sleep(seconds)
        await trio.testing.wait_all_tasks_blocked()
        drawn(self.page)
        return self.page.sight()

    @property
    def notices(self) -> list[str]:
        return [text for text, _ in self.page.ticker.history]


@pytest.fixture
async def at(request: pytest.FixtureRequest) -> AsyncIterator[Beside]:
    """Somebody in virtual time; the mark ``seat`` says how long a trick stays."""
    mark = request.node.get_closest_marker("seat")
    made = Beside(*mark.args) if mark else Beside()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(made.page.run)
        yield made
        nursery.cancel_scope.cancel()


async def test_what_is_past_is_shown_at_once(at: Beside) -> None:
    at.loop.run(110)
    watched = at.loop.watched
    tricks = sum(isinstance(event, TrickTaken) for event in watched)
    assert tricks > 5
    # As for who comes now, and not at the beginning.
    watched.append(watched.pop(watched.index(CaughtUp())))
    at.tell()
    sight = await at.after()
    assert sight.trick_number == tricks + 1
    assert sight.is_watching
    assert sum(seat.tricks for seat in sight.seats) == tricks
    assert not at.page.is_held
    assert (at.notices, at.heard) == ([], [])


async def test_what_happens_now_is_shown_in_its_time(at: Beside) -> None:
    at.loop.run(55)
    watched = at.loop.watched
    first = next(n for n, event in enumerate(watched) if isinstance(event, TrickTaken))
    del watched[first + 3 :]
    lies = [event.card for event in watched if isinstance(event, CardPlayed)][:4]
    at.tell()
    for _ in range(2):
        sight = await at.after(0.7)
        assert {seat.played for seat in sight.seats} == set(lies)
        assert at.page.is_held
    assert (await at.after(0.2)).trick_number == 2


@pytest.mark.seat(None)
async def test_a_trick_stays_until_it_was_seen(at: Beside) -> None:
    at.loop.run(110)
    del at.loop.watched[60:]
    at.tell()
    for number, key in enumerate(("enter", " ", "esc"), 1):
        sight = await at.after(100)
        assert (sight.trick_number, at.page.is_held) == (number, True)
        assert at.page.press(key)
    sight = await at.after(100)
    click(at.page, OnTable())
    assert (await at.after()).trick_number == sight.trick_number + 1


@pytest.mark.seat(0.0)
async def test_a_watcher_chooses_nothing(at: Beside) -> None:
    at.loop.run(60)
    at.tell()
    sight = await at.after()
    assert sight.hand == ()
    assert (sight.chat.is_news, sight.chat.typing) == (True, None)
    for key in ("q", "s", "f", "i", "/", "tab", "!", "y", "left", " ", "enter", "begin paste"):
        assert not at.page.press(key), key
    assert await at.after() == sight
    assert at.page.press("l")
    assert (await at.after()).stage is Stage.LAST_TRICK
    at.page.press("x")
    pages = {row.key: row.opens for row in WATCH_KEYS if row.opens is not None}
    assert {"?", "b", "r", "v", "o", "w", "m", "esc"} <= set(pages)
    for key, page in pages.items():
        assert at.page.press(key)
        assert at.page.wanted.receive_nowait() is page
    click(at.page, OnButton("b"))
    assert at.page.wanted.receive_nowait() is WantedPage.SCORES


@pytest.mark.seat(0.0)
async def test_for_whom_the_table_waits(at: Beside) -> None:
    at.loop.players[2].is_silent = True
    at.loop.run()
    at.tell()
    assert (await at.after(1)).prompt == "Waiting for the players."
    at.page.receive(Waiting(Question.PASS, (2,), 4000, 50_000))
    sight = await at.after(1)
    assert sight.prompt == "Waiting for Cleo."
    assert (sight.left, sight.waited) == (None, 5)
    assert [seat.name for seat in sight.seats if seat.on_turn] == ["Cleo"]


async def test_to_the_end(at: Beside) -> None:
    at.loop.run()
    assert isinstance(at.loop.watched[-1], SessionEnded)
    at.tell()
    at.page.receive(ServerNotice("see you\nsoon"))
    sight = await at.after(200)
    assert sight.stage is Stage.GAME_OVER
    winners = [seat.name for seat in sight.seats if seat.player in sight.winners]
    assert sight.middle == ("The game is over.", f"Won by {' and '.join(winners)}.")
    assert sight.prompt == "Nothing more happens here: Esc leaves."
    assert at.notices[-1] == "see you soon"
    assert Sound.QUEEN in at.heard


async def test_who_comes_back_is_told_the_table_anew(at: Beside) -> None:
    at.loop.run(110)
    told = at.loop.watched
    told.append(told.pop(told.index(CaughtUp())))
    assert isinstance(told[0], Watching)
    at.tell()
    before = await at.after()
    for _ in range(2):
        at.page.receive(ConnectionLost("it broke", 0.2))
    await at.after(5)
    at.loop.watched = told
    at.tell()
    sight = await at.after(5)
    assert [seat.tricks for seat in sight.seats] == [seat.tricks for seat in before.seats]
    assert sight.trick_number == before.trick_number
    assert at.notices == [
        "Connection lost (it broke); trying again.",
        "The connection is back.",
    ]
