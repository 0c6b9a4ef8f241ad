"""A person at the screen of a real server, in virtual time: keys, clicks and what is to be seen."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import trio
import trio.testing
from msgspec.structs import replace

from hearts.errors import HeartsError, leaves
from hearts.game.events import CardPlayed, ChosenBy
from hearts.session.client_events import DealerEvent
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Options
from hearts.session.resume_token import ResumeToken
from hearts.session.table_words import Introduction, PlayerKind
from hearts_client.library.dialects import Dialect
from hearts_client.screen.input.drawn_page import LEFT_BUTTON
from hearts_client.screen.pictures.canvas import Theme
from hearts_client.screen.pictures.sights import HandCard, TableSight
from hearts_client.screen.pictures.table_picture import draw_table
from hearts_client.screen.settings.settings import Settings
from hearts_client.screen.sound import Sound
from hearts_client.screen.table.keys import WantedPage
from hearts_client.screen.table.seat_page import SeatPage
from hearts_client.screen.table.table_page import TablePage
from hearts_client.session.player_session import PlayerSession
from hearts_client.session.saved import SessionPlace
from hearts_client.session.visit import TakenSeat
from tests.client.client_house import ClientHouse, house

CODE = "0004-1061-050R-3GG2-8A1C-60T3-GFQG"
ALONE = Options(frozenset({1, 2, 3}))
SIZE = (80, 23)
QUICK = Settings(trick_stays=0.0)
HUMAN = Introduction(PlayerKind.PERSON)


class At:
    """Somebody with a page; what it sends goes to the server, what is said in the chat is kept."""

    def __init__(
        self,
        made: ClientHouse,
        nursery: trio.Nursery,
        *,
        name: str = "Ann",
        options: Options | None = ALONE,
        settings: Settings | None = None,
        dialect: Dialect = Dialect.DEALER,
        table: str = "",
        life: Callable[[], int] | None = None,
        come_back: ResumeToken | None = None,
        key_waits: float = 0.0,
        asks: bool = False,
        alone: bool = False,
        page: type[SeatPage] = SeatPage,
    ) -> None:
        """``key_waits`` is for how long a question has to be seen; the settings' own counts not."""
        self.heard: list[Sound] = []
        self.said: list[str] = []
        self.commanded: list[str] = []
        self.told: list[str] = []
        self.events: list[DealerEvent] = []
        self.problem: BaseException | None = None
        request = RegistrationRequest(name, 1, table=table, options=options)
        if come_back is not None:
            request = RegistrationRequest.to_come_back(come_back)
        introduction = HUMAN if dialect is Dialect.DEALER else None
        self.client = made.client(request, life, dialect, introduction)
        settings = replace(settings or Settings(), key_waits=key_waits, asks_to_finish=asks)
        self.theme = Theme(settings, ascii=True)
        place = SessionPlace("hearts.example", 7626, 0, None, dialect, "a" if alone else "")
        seat = TakenSeat(self.client, place)
        self.page = page(
            seat,
            self.theme,
            self.heard.append,
            say=self.said.append,
            command=self.commanded.append,
        )
        self.player_session = PlayerSession(seat, self, self.told.append)
        for task in (self.page.run, self.page.choosing.send, self._follow):
            nursery.start_soon(task)

    async def _follow(self) -> None:
        try:
            await self.player_session.play()
        except* HeartsError as errors:
            self.problem = next(leaves(errors))

    # What the servers say

    def receive(self, event: DealerEvent) -> None:
        self.events.append(event)
        self.page.receive(event)

    def receive_chat(self, player: int, text: str) -> None:
        self.page.chat.receive(player, text)

    def receive_notice(self, text: str) -> None:
        self.page.chat.receive(-1, text)

    # What the person does and sees

    def press(self, *keys: str) -> TableSight:
        """Press keys; what is to be seen when nothing has come from the server yet."""
        for key in keys:
            self.page.press(key)
        return self.sight

    def pass_first(self) -> TableSight:
        """Pass the first three cards; Enter counts once it is to be seen that it passes."""
        self.press("home", "enter", "right", "enter", "right", "enter")
        return self.press("enter")

    async def after(self, seconds: float = 0.0) -> TableSight:
        """What is to be seen after some time, when all is quiet."""
        await trio.sleep(seconds)
        await trio.testing.wait_all_tasks_blocked()
        return self.sight

    async def until(self, is_so: Callable[[TableSight], object], limit: float = 600) -> TableSight:
        """Wait until something is to be seen; the server may have something to store before."""
        end = trio.current_time() + limit
        await trio.testing.wait_all_tasks_blocked()
        while not is_so(self.page.sight()):
            assert trio.current_time() < end, drawn(self.page)
            await trio.sleep(0.1)
            await trio.testing.wait_all_tasks_blocked()
        return self.sight

    async def asked(self, words: str = "") -> TableSight:
        """Wait until the person has something to choose whose question has some words."""
        return await self.until(lambda sight: self.page.is_asked and words in sight.prompt)

    @property
    def sight(self) -> TableSight:
        self.page.draw(SIZE)
        return self.page.sight()

    @property
    def history(self) -> list[str]:
        return [text for text, _ in self.page.ticker.history]

    @property
    def notices(self) -> list[str]:
        return [text for (text, _), _ in self.page.ticker.said]

    def click(self, target: object, button: int = LEFT_BUTTON) -> TableSight:
        """Click something that can be seen."""
        click(self.page, target, button)
        return self.sight


def drawn(page: TablePage) -> str:
    return "\n".join(text.decode() for text in page.widget.render(SIZE, True).text)


def click(page: TablePage, target: object, button: int = LEFT_BUTTON) -> None:
    """Click something that can be seen; None is a place that stands for nothing."""
    page.widget.render(SIZE, True)
    canvas = draw_table(page.sight(), page.theme, SIZE)
    for row in range(SIZE[1]):
        for column in range(SIZE[0]):
            if canvas.hit(column, row) == target:
                page.widget.mouse_event(SIZE, "mouse press", button, column, row, True)
                return
    raise AssertionError(f"{target!r} cannot be seen")


def names(cards: tuple[HandCard, ...]) -> str:
    """Such as "2C 3C"."""
    return " ".join(str(held.card) for held in cards)


def cursor(sight: TableSight) -> str:
    """The card that Enter would take; empty for none."""
    return names(tuple(held for held in sight.hand if held.cursor))


def marked(sight: TableSight) -> str:
    return names(tuple(held for held in sight.hand if held.marked))


def playable(sight: TableSight) -> str:
    return names(tuple(held for held in sight.hand if held.playable))


def wanted(at: At) -> list[WantedPage]:
    """The pages that are wanted above the table."""
    given = []
    while True:
        try:
            given.append(at.page.wanted.receive_nowait())
        except trio.WouldBlock:
            return given


PASS = ("k", "c", "q", "c", "j", "d", "enter")
"""The keys that pass of the hand of CODE."""


@asynccontextmanager
async def seated(folder: Path, *arguments: str, **more: object) -> AsyncIterator[At]:
    """A person who is asked for their first choice, alone with computers that take no time."""
    async with house(folder, *arguments) as made, trio.open_nursery() as nursery:
        at = At(made, nursery, **{"settings": QUICK, **more})  # type: ignore[arg-type]
        await at.asked()
        yield at
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def dealt(folder: Path, *arguments: str, **more: object) -> AsyncIterator[At]:
    """A person who is asked for the pass of a known hand; computers take a second each."""
    more = {"settings": None, **more}
    async with seated(folder, "--deal", CODE, "--bot-pause", "1", *arguments, **more) as at:
        yield at


@asynccontextmanager
async def leading(folder: Path, *arguments: str, **more: object) -> AsyncIterator[At]:
    """The same person, who has passed and leads the first trick."""
    async with dealt(folder, *arguments, **more) as at:
        at.press(*PASS)
        await at.asked("you lead")
        yield at


def choices(at: At, *, by: ChosenBy = ChosenBy.PLAYER) -> list[str]:
    """The cards that the person has played, as the server says."""
    me = at.client.player
    return [
        str(event.card)
        for event in at.events
        if isinstance(event, CardPlayed) and (event.player, event.by) == (me, by)
    ]
