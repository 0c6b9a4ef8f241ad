"""The times of a table on the screen: its clocks, its pace, its notices, and when a key counts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container
from math import ceil, inf
from typing import Generic, TypeVar

import trio

from hearts.session.client_events import ChoiceTerms, ConnectionLost, DealerEvent, YourChoice
from hearts.session.table_words import Waiting
from hearts_client.screen.pictures.canvas import Ink, Piece
from hearts_client.screen.pictures.sights import Flash
from hearts_client.session.own_limit import OwnLimit

_PATIENCE = 3.0
"""Seconds after which it is shown for how long somebody has been waited for."""


class TableClocks:
    """Hears events as they come, and knows the times that follow from them, in whole seconds."""

    def __init__(self) -> None:
        self.own = OwnLimit()
        self._deadline = inf
        self._forms_by = inf
        self._asked_at = 0.0

    def receive(self, event: DealerEvent, me: int) -> None:
        """Something has happened; ``me`` is the person's seat."""
        now = trio.current_time()
        self.own.receive(event, me)
        match event:
            case ChoiceTerms(left=left):
                self._deadline = inf if left is None else now + left / 1000
            case YourChoice() if self._deadline == inf and self.own.seconds:
                # The plain dialect does not tell what is left.
                self._deadline = now + self.own.seconds
            case ConnectionLost():
                self._deadline = inf
            case Waiting(None, _, _, left):
                self._forms_by = inf if left is None else now + left / 1000

    def asked(self, ago: float = 0.0) -> None:
        """Note that somebody else is waited for now, and was asked some seconds ago."""
        self._asked_at = trio.current_time() - ago

    def chosen(self) -> None:
        self._deadline = inf

    def ends_within(self, seconds: float) -> bool:
        return self._deadline - trio.current_time() < seconds

    @property
    def left(self) -> int | None:
        """Seconds that the person has left; None without a limit."""
        return _until(self._deadline)

    @property
    def bank(self) -> int | None:
        """Seconds in the bank of the hand, while the person uses it."""
        bank = self.own.bank
        return None if bank is None else ceil(bank)

    @property
    def waited(self) -> int | None:
        """Seconds for which somebody has been waited for; None while it is not worth a word."""
        waited = int(trio.current_time() - self._asked_at)
        return waited if waited >= _PATIENCE else None

    @property
    def until_it_begins(self) -> int | None:
        """Seconds until computers take the free seats; None if they do not."""
        return _until(self._forms_by)


def _until(deadline: float) -> int | None:
    return None if deadline == inf else max(ceil(deadline - trio.current_time()), 0)


_BACKLOG = 60
"""Items by which what is shown may be behind; with more it catches up at once."""

Item = TypeVar("Item")


class PacedQueue(Generic[Item]):
    """A queue of items to show. Some items stay for a while, and later ones wait."""

    def __init__(self, show: Callable[[Item], None], stays: Callable[[Item], float]) -> None:
        """``show`` puts an item on the screen; ``stays`` then gives for how many seconds."""
        self._show = show
        self._stays = stays
        self._pending: deque[Item] = deque()
        self._arrived = trio.Event()
        self._dismissed: trio.Event | None = None

    @property
    def is_held(self) -> bool:
        """True if something stays on the screen at the moment."""
        return self._dismissed is not None

    def put(self, item: Item, supersedes: Callable[[Item], bool] = lambda item: False) -> None:
        """Something is to be shown in its turn; it takes the place of the last item that waits if
        it supersedes that."""
        if self._pending and supersedes(self._pending[-1]):
            self._pending.pop()
        self._pending.append(item)
        self._arrived.set()
        if len(self._pending) > _BACKLOG:
            self.catch_up()

    def catch_up(self) -> None:
        """Show all that waits, because it is too much or is over."""
        self.dismiss()
        while self._pending:
            self._show(self._pending.popleft())

    def dismiss(self) -> None:
        if self._dismissed is not None:
            self._dismissed.set()

    async def run(self) -> None:
        while True:
            while self._pending:
                item = self._pending.popleft()
                self._show(item)
                seconds = self._stays(item)
                if seconds > 0:
                    self._dismissed = trio.Event()
                    with trio.move_on_after(seconds):
                        await self._dismissed.wait()
                    self._dismissed = None
            self._arrived = trio.Event()
            await self._arrived.wait()


_REPEAT = 0.15
"""Seconds without a key, after one that did not count; a key that is held down comes more often."""


class KeyGuard:
    """Knows what was drawn last that a key can answer, and since when it is to be seen.

    An *offer* is any value that identifies what a key would do now. A key counts if the offer that
    it would answer is on the screen, and has been there for a while.
    """

    def __init__(self, seconds: Callable[[], float]) -> None:
        """``seconds`` gives how long an offer has to be seen before keys count."""
        self._seconds = seconds
        self._seen: object = None
        self._counts_at = inf
        self._news = trio.Event()

    def draw(self, offer: object) -> None:
        """Note that an offer is drawn; None if there is nothing to answer."""
        if offer != self._seen or self._counts_at == inf:
            self._seen = offer
            self._counts_at = trio.current_time() + self._seconds()
            self._news.set()

    def forget(self) -> None:
        """Note that something else had the keys, so that the next picture counts as new."""
        self._counts_at = inf

    def counts(self, offer: object) -> bool:
        """Say if a key may answer this offer now."""
        return offer == self._seen and trio.current_time() >= self._counts_at

    def refuse(self) -> None:
        """Note that a key did not count; neither does the next one if it comes at once."""
        pause = min(_REPEAT, self._seconds())
        self._counts_at = max(self._counts_at, trio.current_time() + pause)
        self._news.set()

    async def run(self, changed: Callable[[], None]) -> None:
        """Call ``changed`` when keys count again, until cancelled."""
        while True:
            await self._news.wait()
            self._news = trio.Event()
            with trio.move_on_at(self._counts_at) as wait:
                await self._news.wait()
            if wait.cancelled_caught:
                changed()


_KEPT = 200
_FLASH_STAYS = 2.5


class Ticker:
    """The news of a table. Times are in seconds, of any clock."""

    def __init__(self) -> None:
        self.said: deque[tuple[Piece, bool]] = deque(maxlen=_KEPT)
        """All that was said, and if it has happened at the table; a refusal has not."""
        self._fresh: deque[tuple[Piece, float, object]] = deque(maxlen=_KEPT)
        self._flash: tuple[Flash, float] | None = None

    @property
    def history(self) -> list[Piece]:
        """The news that can be read later."""
        return [piece for piece, has_happened in self.said if has_happened]

    def note(self, text: str, ink: Ink, has_happened: bool = True) -> None:
        """Keep a text that can be read later, but need not be seen now."""
        self.said.append(((text, ink), has_happened))

    def show(self, text: str, ink: Ink, until: float, about: object = None) -> None:
        """Show a notice until a time; if it comes twice in a row, the later time counts.

        ``about`` is the moment that it is about, if nobody wants to see it after that moment.
        """
        notice = (text, ink)
        if self._fresh and self._fresh[-1][0] == notice:
            self._fresh.pop()
        self._fresh.append((notice, until, about))

    def light(self, flash: Flash, now: float) -> None:
        self._flash = (flash, now + _FLASH_STAYS)

    def darken(self) -> None:
        """End the flash, because its moment is over."""
        self._flash = None

    def notices(self, now: float, moments: Container[object] = ()) -> tuple[Piece, ...]:
        """Give the notices worth seeing, the latest last; ``moments`` are those not yet over."""
        return tuple(
            notice
            for notice, until, about in self._fresh
            if until > now and (about is None or about in moments)
        )

    def flash(self, now: float) -> Flash | None:
        return self._flash[0] if self._flash is not None and self._flash[1] > now else None
