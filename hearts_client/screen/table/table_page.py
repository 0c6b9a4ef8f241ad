"""A table on the screen: shows its events at a pace that can be followed.

Events are taken in at once and shown one after the other: a trick that is over stays for a while,
and later events wait. A watcher needs no more than this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from enum import Enum, auto
from math import inf
from typing import Any

import trio

from hearts.game.events import CardPlayed, HandBegun, TrickBegun, TrickTaken, YourHand
from hearts.game.rules import rules_name
from hearts.session.client_events import DealerEvent, SessionEnded, YourChoice
from hearts.session.messages import Scores
from hearts.session.table_words import ServerNotice, Waiting
from hearts.table.effects import TakenBack
from hearts_client.screen.input.drawn_page import DrawnPage
from hearts_client.screen.pictures.canvas import Canvas, Ink, LabelledKey, Piece, Theme
from hearts_client.screen.pictures.sights import ChatSight, Flash, HandCard, Stage, TableSight
from hearts_client.screen.pictures.table_picture import draw_table
from hearts_client.screen.sound import Sound
from hearts_client.screen.table.timing import KeyGuard
from hearts_client.session.own_limit import SHORT
from hearts_client.words.others import chat_lines

from .keys import WATCH_KEYS, Key, WantedPage, bar, pressed
from .shown_table import ShownTable
from .table_words import middle_lines, result_of, to_read, waiting_line
from .timing import PacedQueue, TableClocks, Ticker

_TICK = 0.25
"""Seconds between two looks at the clock."""
_IN_TIME = 5.0
"""Seconds of the person's own time that are left when a trick is cleared away unasked."""
_HAND_STAYS = 8.0
"""Seconds for which the scores of a hand stay, unless somebody goes on."""
_NEWS_LINES = 40
_NOTICE_WIDTH = 1000
"""Columns of a notice in one piece."""
_SOUNDS = {Flash.QUEEN: Sound.QUEEN, Flash.MOON: Sound.MOON}


class Leaving(Enum):
    """The reason why a person leaves the page of a table."""

    OVER = auto()
    """The session has ended, and the person has seen it."""
    LEFT = auto()
    AGAIN = auto()
    """The person wants a deal again, alone."""
    ENDED = auto()


class TablePage(DrawnPage[Leaving]):
    """The page of a table for a watcher, and the base of the page for a player."""

    rows: Sequence[Key[Any]] = WATCH_KEYS

    def __init__(
        self, table: ShownTable, theme: Theme, ring: Callable[[Sound], None], *, alone: bool = False
    ) -> None:
        """``ring`` lets something be heard; ``alone`` says that nobody else waits."""
        super().__init__({})
        self.table: ShownTable = table
        self.theme = theme
        self._ring = ring
        self.ticker = Ticker()
        self.is_over = False
        self.clocks = TableClocks()
        self._want, self.wanted = trio.open_memory_channel[WantedPage](1)
        self._alone = alone
        self.is_auto = False
        """True if a computer plays the person's hand out."""
        self._queue: PacedQueue[DealerEvent | Piece] = PacedQueue(self._show, self._stays)
        self._latest: DealerEvent | Piece | None = None
        self.looks_back: bool = False
        self._guard = KeyGuard(lambda: theme.settings.key_waits)
        self._clicks = KeyGuard(lambda: theme.settings.key_waits)

    # What happens

    def receive(self, event: DealerEvent) -> None:
        """Something has happened; it is shown in its turn."""
        self.clocks.receive(event, self.table.roster.me)
        # Such messages come all the time, and only the last of them is true.
        is_waiting = isinstance(event, Waiting)
        self._queue.put(event, lambda last: is_waiting and isinstance(last, Waiting))
        if isinstance(event, TakenBack):
            self._queue.catch_up()
        if isinstance(event, YourChoice) and self.clocks.own.is_short:
            self.show_notice(f"Time is short. {SHORT}", Ink.ALARM)

    def show_notice(self, text: str, ink: Ink = Ink.NOTICE) -> None:
        """Say something in its turn."""
        self._queue.put((text, ink))

    async def run(self) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._queue.run)
            nursery.start_soon(self._tick)
            nursery.start_soon(self._guard.run, self.changed)

    @property
    def is_held(self) -> bool:
        """True if a trick or a hand that is over is there to be looked at."""
        return self._queue.is_held and isinstance(self._latest, TrickTaken | Scores)

    def dismiss(self) -> None:
        self._queue.dismiss()

    def _show(self, item: DealerEvent | Piece) -> None:
        self._latest = item
        if isinstance(item, tuple):
            self.notice(*item)
            return
        turn = self.table.picture.turn
        for text, ink in self.table.receive(item):
            of_trick = isinstance(item, CardPlayed | TrickTaken) and self._trick_stays
            kept = " ".join(self.table.story.last_trick()) if isinstance(item, TrickTaken) else ""
            self.notice(text, ink, self._trick_moment() if of_trick else None, kept)
        for line in to_read(self.table, item):
            self.ticker.note(line, Ink.TEXT)
        if isinstance(item, Waiting):
            self.clocks.asked(item.waited / 1000)
        elif self.table.picture.turn != turn:
            self.clocks.asked()
        if isinstance(item, YourHand | HandBegun):
            self.ticker.darken()
            self.looks_back = False
        elif isinstance(item, TrickBegun) and self._trick_stays:
            self.ticker.darken()
        if self.table.flash is not None:
            self.ticker.light(self.table.flash, trio.current_time())
            self.ring(_SOUNDS.get(self.table.flash, Sound.NEWS))
        self.shown(item)
        self.changed()

    def shown(self, event: DealerEvent) -> None:
        """Note that an event is on the screen now."""
        match event:
            case ServerNotice(text) if self.table.is_watching:
                self.notice(" ".join(chat_lines("", text, _NOTICE_WIDTH)))
            case SessionEnded():
                self.is_over = True

    def notice(
        self,
        text: str,
        ink: Ink = Ink.NOTICE,
        about: object = None,
        kept: str = "",
        has_happened: bool = True,
    ) -> None:
        """Say something at once; ``about`` is the moment with which it is out of date, and ``kept``
        what is read later in its place, if it has happened at the table."""
        until = trio.current_time() + self.theme.settings.notice_stays
        self.ticker.note(kept or text, ink, has_happened)
        self.ticker.show(text, ink, until, about)
        self.changed()

    def refuse(self, text: str) -> None:
        """Say that what a key asks for cannot be."""
        self.notice(text, Ink.DIM, has_happened=False)

    def _trick_moment(self) -> object:
        hand = self.table.picture.hand
        return "trick", hand.number, hand.begun

    def moments(self) -> tuple[object, ...]:
        """Give the moments that are not over, which notices may be about."""
        return (self._trick_moment(),)

    def ring(self, sound: Sound) -> None:
        if self.theme.settings.bell:
            self._ring(sound)

    def restyle(self) -> None:
        self.changed()

    async def _tick(self) -> None:
        seen: TableSight | None = None
        while True:
            await trio.sleep(_TICK)
            if self._queue.is_held and self.clocks.ends_within(_IN_TIME):
                self.dismiss()
            sight = self.sight()
            if sight != seen:
                seen = sight
                self.changed()

    # The pace

    @property
    def hurries(self) -> bool:
        """True if the hand is played out, so that nobody needs to see each trick."""
        is_claimed = self.table.picture.hand.claimed is not None
        return (self.is_auto or is_claimed) and not self.theme.settings.finishes_slowly

    @property
    def _trick_stays(self) -> float:
        stays = self.theme.settings.trick_stays
        if self.hurries:
            return 0.0
        return inf if stays is None else stays

    def _stays(self, item: DealerEvent | Piece) -> float:
        """Give for how many seconds something stays on the screen before what follows it."""
        if self.table.picture.is_past:
            return 0.0
        match item:
            case TrickTaken():
                return self._trick_stays
            case CardPlayed() | TrickBegun() if self._alone and not self.hurries:
                # A computer chooses next, and its server makes no pause.
                is_next = self.table.picture.turn not in (None, self.table.roster.me)
                return self.theme.settings.bot_pause * is_next
            case Scores(winners=()):
                return inf if self._alone else _HAND_STAYS
            case _:
                return 0.0

    # Keys and clicks

    def offer(self) -> object:
        """Identify the thing that the guarded keys answer now; None if there is nothing."""
        hand = self.table.picture.hand
        return (self.table.stage, hand.number, len(hand.taken)) if self.is_held else None

    def offer_to_keys(self) -> object:
        """Return what :meth:`offer` gives, or that the person looks back, which has the keys
        then.
        """
        return "look back" if self.looks_back else self.offer()

    def is_too_soon(self, row: Key[Any]) -> bool:
        """Refuse a key that may have been meant for what was shown before."""
        if not row.guarded or self.looks_back or self.offer() is None:
            return False
        if self._guard.counts(self.offer_to_keys()):
            return False
        self._guard.refuse()
        return True

    def uncovered(self) -> None:
        """Note that the table is seen again after a page above it."""
        self._guard.forget()
        self._clicks.forget()
        self.changed()

    def press(self, key: str) -> bool:
        """Do what a key means here; give False if it means nothing."""
        row = pressed(self.rows, self, key)
        if row is not None and not self.is_too_soon(row):
            row.do(self)
        return row is not None

    def want(self, wanted: WantedPage) -> None:
        with suppress(trio.WouldBlock):
            self._want.send_nowait(wanted)

    def hit(self, target: object | None) -> None:
        if self.looks_back:
            self.look_back(False)
        elif self.offer() is not None and not self._clicks.counts(self.offer()):
            self._clicks.refuse()
        elif self.is_held:
            self.dismiss()
        else:
            self.click(target)

    def click(self, target: object | None) -> None:
        """Handle a click on something that is no button."""

    def look_back(self, wanted: bool) -> None:
        """Show the last trick, or show it no longer."""
        if wanted and self.table.picture.hand.last_trick is None:
            self.refuse("No trick of this hand is over yet.")
            return
        self.looks_back = wanted
        self.uncovered()

    # What there is to be seen

    def draw(self, size: tuple[int, int]) -> Canvas:
        self._guard.draw(self.offer_to_keys())
        self._clicks.draw(None if self.looks_back else self.offer())
        return draw_table(self.sight(), self.theme, size)

    def sight(self) -> TableSight:
        table, picture = self.table, self.table.picture
        now = trio.current_time()
        trick, stage = table.trick, table.stage
        if self.looks_back:
            trick, stage = picture.hand.last_trick, Stage.LAST_TRICK
        someone = picture.turn is not None or table.waited_for
        return TableSight(
            seats=table.seats(trick),
            hand=self.hand(),
            is_watching=table.is_watching,
            stage=stage,
            hand_number=picture.hand.number + 1,
            trick_number=0 if trick is None else trick.number,
            direction=picture.hand.direction,
            rules="" if picture.table is None else rules_name(picture.rules),
            end_score=table.end_score,
            hearts_broken=picture.hand.broken_by is not None,
            left=self.clocks.left if self.is_asked else None,
            bank=self.clocks.bank if self.is_asked else None,
            waited=self.clocks.waited if someone and not self.is_asked else None,
            prompt=self.prompt()[0],
            prompt_ink=self.prompt()[1],
            notices=self.ticker.notices(now, self.moments()),
            flash=self.ticker.flash(now),
            chat=self.chat_sight(),
            rows=table.rows,
            totals=table.from_here(picture.board.totals),
            winners=frozenset(picture.board.winners),
            middle=middle_lines(table, self.clocks.until_it_begins),
            forming_words=self.forming_words(),
            result=None if self.looks_back else result_of(table),
            buttons=tuple(self.bar(self._guard.counts(self.offer_to_keys()))),
            auto=self.is_auto,
        )

    def forming_words(self) -> tuple[Piece, ...]:
        """Give the lines in place of a table that forms."""
        return ()

    # What a seat has more of

    @property
    def is_asked(self) -> bool:
        return False

    def hand(self) -> tuple[HandCard, ...]:
        return ()

    def chat_sight(self) -> ChatSight:
        """Return the chat; a watcher has none, and reads what has happened in its place."""
        lines = self.ticker.history[-_NEWS_LINES:]
        return ChatSight(tuple(("", text, False) for text, _ in lines), is_news=True)

    def prompt(self) -> Piece:
        """Tell the person what to do, or which players the table waits for."""
        if self.is_over:
            return "Nothing more happens here: Esc leaves.", Ink.STRONG
        return waiting_line(self.table), Ink.TEXT

    def bar(self, counts: bool) -> Iterable[LabelledKey]:
        """Give what can be pressed now; ``counts`` says if guarded keys do something."""
        return bar(self.rows, self, counts)
