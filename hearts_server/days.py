"""The deal of the day: four hands for everybody, against three computers, once for each visitor.

A visitor has a token, which their client keeps. The table of their try has the day and a
digest of the token in its name, so the journal knows by itself who has played which day.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b32encode, urlsafe_b64decode
from bisect import bisect_left, insort_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from itertools import chain, islice

import trio
from msgspec import Struct, field

from hearts.errors import HeartsError
from hearts.game.events import Action, ChooseMoon, Deal, Pass, Play
from hearts.game.game import Game
from hearts.game.record import PlayedHand, hands_of
from hearts.game.rules import STANDARD
from hearts.hosting.store import Session
from hearts.limits.networks import HERE, is_near
from hearts.session.hand_link import LinkChoice, LinkedHand, format_link
from hearts.session.messages import NO_CLOCK_ALONE, Options
from hearts.table.inputs import Setting
from hearts.table.steps import SeatChange, Step, parse_step
from hearts.wire.day_chain import (
    HANDS,
    OVER_AFTER,
    chain_value,
    day_number,
    day_of,
    hand_secret,
    over_since,
)

from .journal.store import StoredSession
from .lobby.awaited import PART, Read
from .lobby.sessions import Sessions

END_SCORE = 10_000
"""Beyond what four hands can come to, so that all four are played."""
DAY_OPTIONS = Options(frozenset({1, 2, 3}), STANDARD, END_SCORE, NO_CLOCK_ALONE)
DAY_LEVEL = "swift"
"""The bot whose choices follow from what it sees alone."""
MOST_RESULTS = 10_000
"""Results of one day that are kept; who comes later has none."""
KEPT_DAYS = 3
_SAID = {
    "open": (
        "The deal of the day: four hands, the same for everybody here, against three computers, "
        "without a clock. You have one try; the first card that you see begins it.",
        "Who comes from another folder or browser is another visitor.",
    ),
    "playing": ("Your try at the deal of the day is under way.",),
    "played": (),
}
_ENDED_SINCE = 86_400 * KEPT_DAYS
OF_DAYS = "WHERE substr(table_name, 1, 4) = ? AND ended >= ? ORDER BY ended DESC LIMIT ?"
"""The end of the statement that finds what :func:`of_days` says."""
MOST_NAMES = 10
"""Names of a day that are told."""
Wants = Callable[[str, int], bool]
"""True if a name was somebody's own at a Unix time, and its owner wants it to be listed."""
_WANTED = re.compile(r"day ([A-Za-z0-9_-]{22})")


class DayTry(Struct, frozen=True):
    """The try of a visitor, which is over."""

    game_number: int
    points: tuple[int, ...] = ()
    """Those of the four hands; none if the try does not count."""
    is_listed: bool = True
    """False for somebody at the host's own machine."""
    name: str = ""
    begun: int = 0
    """The Unix time at which it began."""

    @property
    def total(self) -> int:
        return sum(self.points)


class _PlayedDay(Struct):
    """The tries of one day that are over, by the names of their tables."""

    unread: dict[str, int] = field(default_factory=dict)
    """Those that an earlier server has left, with the numbers of their games."""
    results: dict[str, DayTry] = field(default_factory=dict)
    listed: list[DayTry] = field(default_factory=list)
    """Those that have a place, the best first."""
    first: dict[str, int] = field(default_factory=dict)
    """The first game of each name: it counts for the list of names, whatever came of it."""

    def add(self, table: str, result: DayTry) -> None:
        self.unread.pop(table, None)
        if table in self.results or len(self.results) >= MOST_RESULTS:
            return
        self.results[table] = result
        number = result.game_number
        self.first[result.name] = min(number, self.first.get(result.name, number))
        if result.points and result.is_listed:
            insort_right(self.listed, result, key=lambda each: each.total)

    def place(self, result: DayTry) -> int:
        """Return the place from 1; 0 if the result has none."""
        if not result.is_listed:
            return 0
        return 1 + bisect_left(self.listed, result.total, key=lambda each: each.total)

    def names(self, wants: Wants) -> Iterator[DayTry]:
        """Yield the first try of each name that wants to be listed, the best first."""
        for each in self.listed:
            if self.first[each.name] == each.game_number and wants(each.name, each.begun):
                yield each


async def _nothing(numbers: Sequence[int]) -> Sequence[StoredSession]:  # noqa: ASYNC124
    return ()


def token_of(name: str) -> bytes | None:
    """Return the token of the visitor who wants the table of this name; None for another table."""
    found = _WANTED.fullmatch(name)
    return None if found is None else urlsafe_b64decode(found[1] + "==")


def is_day_table(name: str) -> bool:
    return day_of(name) is not None


def day_setting(grace: float) -> Setting:
    """Return the setting of a table of a day: it waits for its player, and nobody changes it."""
    return Setting(STANDARD, END_SCORE, 0, grace, float(OVER_AFTER), is_fixed=True)


def of_days(now: float) -> tuple[str, int, int]:
    """Return the values for :data:`OF_DAYS`: tables of days that may still be asked for."""
    return "day ", int(now) - _ENDED_SINCE, MOST_RESULTS


class Days:
    """The days of a server: their deals, and who has played them."""

    def __init__(self, secret: bytes, sessions: Sessions, clock: Callable[[], float]) -> None:
        """``clock`` gives the time in seconds since 1970."""
        self._secret = secret
        self._sessions = sessions
        self._clock = clock
        self.wants_listed: Wants = lambda name, begun: False
        self._read: Read = _nothing
        self._days: dict[str, _PlayedDay] = {}

    def _today(self) -> date:
        return datetime.fromtimestamp(self._clock(), UTC).date()

    def _is_over(self, day: date, now: float | None = None) -> bool:
        return (self._clock() if now is None else now) >= over_since(day)

    def _value(self, day: date) -> bytes:
        return chain_value(self._secret, day_number(day))

    def table_name(self, token: bytes, day: date | None = None) -> str:
        """Return the name of a visitor's table; today's if no day is given."""
        named = (day or self._today()).isoformat()
        digest = hashlib.sha256(token + named.encode()).digest()[:9]
        return f"day {named} {b32encode(digest).decode().rstrip('=')}"

    def state(self, name: str) -> str:
        """Tell whether the day of a table is open to its visitor, under way or played."""
        day = self._day(name)
        if name in day.results or name in day.unread:
            return "played"
        sessions = self._sessions
        is_there = name in sessions.by_name or name in sessions.awaited.names
        return "playing" if is_there else "open"

    def _day(self, name: str) -> _PlayedDay:
        return self._days.get(_date(name), _PlayedDay())

    def deals(self, name: str) -> Iterator[Deal]:
        """Yield the deals of a table, each when it is dealt."""
        value = self._value(date.fromisoformat(_date(name)))
        for hand in range(1, HANDS + 1):
            yield Deal.from_secret(hand_secret(value, hand))

    def expect(self, left: Iterable[Session], read: Read) -> None:
        """Know of tables that ended before this server began; ``read`` reads their lines, and those
        of tables that end from now on.
        """
        self._read = read
        for session in left:
            self._kept(session.table_name).unread[session.table_name] = session.game_number

    async def take_in(self) -> bool:
        """Read a part of the tables that are expected, 1 ms each; False if none was left."""
        unread = chain.from_iterable(day.unread.items() for day in self._days.values())
        part = dict(islice(unread, PART))
        await self._take_in(part)
        return bool(part)

    async def _take_in(self, tables: dict[str, int]) -> None:
        for stored in await self._read(list(tables.values())) if tables else ():
            with suppress(HeartsError):
                self.add(stored.session, map(parse_step, stored.lines), stored.ended)
            await trio.lowlevel.checkpoint()
        for name, number in tables.items():
            # One that cannot be read was a try all the same.
            self._kept(name).add(name, DayTry(number))

    def add(self, session: Session, steps: Iterable[Step], ended: float | None = None) -> None:
        """Take in a table of a day that has ended, now if nothing is said; one that was left, or
        ends when its day is over, has no points.
        """
        name = session.table_name
        steps = list(steps)
        hands = _hands(steps)
        is_whole = len(hands) == HANDS and not any(isinstance(each, SeatChange) for each in steps)
        is_late = self._is_over(date.fromisoformat(_date(name)), ended)
        points = tuple(_points(hand) for hand in hands) if is_whole and not is_late else ()
        is_listed = not is_near(session.seats[0].network, HERE)
        who, begun = session.seats[0].name, session.begun
        self._kept(name).add(name, DayTry(session.game_number, points, is_listed, who, begun))

    def _kept(self, name: str) -> _PlayedDay:
        """Return the day of a table, and forget one that is too long ago."""
        day = self._days.setdefault(_date(name), _PlayedDay())
        while len(self._days) > KEPT_DAYS:
            del self._days[min(self._days)]
        return day

    async def texts(self, token: bytes) -> Sequence[str]:
        """Return what a visitor is told of the days (SocketSpec.md 3.5): nothing of hands that they
        have not played, and of a day that is not over no cards.

        Values for programs come first, and then lines for people.
        """
        today = self._today()
        over = next(day for n in range(1, 4) if self._is_over(day := today - timedelta(n)))
        names = [self.table_name(token, today - timedelta(n)) for n in range(KEPT_DAYS)]
        unread = {name: n for name in names if (n := self._day(name).unread.get(name))}
        await self._take_in(unread)
        state = self.state(names[0])
        return [
            f"day {today} {state} {chain_value(self._secret, 0).hex()}",
            f"over {over} {self._value(over).hex()}",
            *(line for name in names for line in self._result(name)),
            *await self._links(self.table_name(token, over)),
            *self._names(str(over)),
            *_SAID[state],
        ]

    def _result(self, name: str) -> Iterator[str]:
        day = self._day(name)
        result = day.results.get(name)
        if result is not None and result.points:
            points = " ".join(map(str, result.points))
            yield f"result {_date(name)} {day.place(result)} {len(day.listed)} {points}"

    def _names(self, over: str) -> Iterator[str]:
        day = self._days.get(over, _PlayedDay())
        for each in islice(day.names(self.wants_listed), MOST_NAMES):
            yield f"listed {over} {day.place(each)} {each.total} {each.name}"

    async def _links(self, name: str) -> Sequence[str]:
        result = self._day(name).results.get(name)
        if result is None:
            return ()
        stored = await self._read([result.game_number])
        links = (link for each in stored for link in _links(map(parse_step, each.lines)))
        return [f"hand {_date(name)} {number} {link}" for number, link in enumerate(links, 1)]


def _date(name: str) -> str:
    return name.split(" ")[1]


def _hands(steps: Iterable[Step]) -> list[PlayedHand]:
    """Return the hands that are over; none if they are damaged."""
    game = Game(STANDARD, END_SCORE)
    try:
        actions: list[Action] = [s for s in steps if isinstance(s, Deal | Pass | Play | ChooseMoon)]
        return [hand for hand in hands_of(game, actions) if hand.scored is not None]
    except HeartsError:
        return []


def _points(hand: PlayedHand) -> int:
    assert hand.scored is not None
    return hand.scored.points[0]


def _links(steps: Iterable[Step]) -> Iterator[str]:
    for number, hand in enumerate(_hands(steps), 1):
        passes = sorted(hand.passes, key=lambda choice: choice.player)
        choices: tuple[LinkChoice, ...] = (*passes, *hand.plays)
        yield format_link(
            LinkedHand(STANDARD, END_SCORE, number, hand.deal, choices, hand.before, own=0)
        )
