"""The deal of the day: four hands for everybody, against three computers, once for each visitor.

A visitor has a token, which their client keeps. The table of their try has the day and a
digest of the token in its name, so the journal knows by itself who has played which day.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b32encode, urlsafe_b64decode
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from ipaddress import ip_network

from msgspec import Struct

from hearts.errors import HeartsError
from hearts.game.events import Action, ChooseMoon, Deal, Pass, Play
from hearts.game.game import Game
from hearts.game.record import PlayedHand, hands_of
from hearts.game.rules import STANDARD
from hearts.hosting.store import Session
from hearts.session.hand_link import LinkChoice, LinkedHand, format_link
from hearts.session.messages import NO_CLOCK_ALONE, Options
from hearts.table.inputs import Setting
from hearts.table.steps import SeatChange, Step, parse_step
from hearts.wire.day_chain import HANDS, OVER_AFTER, chain_value, day_number, hand_secret
from hearts.wire.text import quoted

from .journal.store import StoredSession
from .lobby.sessions import Sessions

END_SCORE = 10_000
"""Beyond what four hands can come to, so that all four are played."""
DAY_OPTIONS = Options(frozenset({1, 2, 3}), STANDARD, END_SCORE, NO_CLOCK_ALONE)
DAY_LEVEL = "swift"
"""The bot whose choices follow from what it sees alone."""
MOST_LISTED = 8
MOST_RESULTS = 10_000
"""Results of one day that are kept; who comes later has a place among these."""
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
OF_DAYS = "WHERE substr(table_name, 1, 4) = ? AND ended >= ? ORDER BY ended LIMIT ?"
"""The end of the statement that finds what :func:`of_days` says."""
_WANTED = re.compile(r"day ([A-Za-z0-9_-]{22})")
_NAME = re.compile(r"day (\d{4}-\d\d-\d\d) ([A-Z2-7]{15})")


class DayResult(Struct, frozen=True):
    """The four hands of a visitor."""

    name: str
    points: tuple[int, ...]
    links: tuple[str, ...]
    is_listed: bool
    """False for somebody at the host's own machine."""

    @property
    def total(self) -> int:
        return sum(self.points)


def token_of(name: str) -> bytes | None:
    """Return the token of the visitor who wants the table of this name; None for another table."""
    found = _WANTED.fullmatch(name)
    return None if found is None else urlsafe_b64decode(found[1] + "==")


def is_day_table(name: str) -> bool:
    return _NAME.fullmatch(name) is not None


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
        self._results: dict[str, dict[str, DayResult]] = {}
        """By day, and by the name of the table."""

    def _today(self) -> date:
        return datetime.fromtimestamp(self._clock(), UTC).date()

    def _is_over(self, day: date, now: float | None = None) -> bool:
        begin = datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
        return (self._clock() if now is None else now) >= begin + OVER_AFTER

    def _value(self, day: date) -> bytes:
        return chain_value(self._secret, day_number(day))

    def table_name(self, token: bytes, day: date | None = None) -> str:
        """Return the name of a visitor's table; today's if no day is given."""
        named = (day or self._today()).isoformat()
        digest = hashlib.sha256(token + named.encode()).digest()[:9]
        return f"day {named} {b32encode(digest).decode().rstrip('=')}"

    def state(self, name: str) -> str:
        """Tell whether the day of a table is open to its visitor, under way or played."""
        if self._result(name) is not None:
            return "played"
        sessions = self._sessions
        is_there = name in sessions.by_name or name in sessions.awaited.names
        return "playing" if is_there else "open"

    def _result(self, name: str) -> DayResult | None:
        return self._results.get(name.split(" ")[1], {}).get(name)

    def deals(self, name: str) -> Iterator[Deal]:
        """Yield the deals of a table, each when it is dealt."""
        value = self._value(date.fromisoformat(name.split(" ")[1]))
        for hand in range(1, HANDS + 1):
            yield Deal.from_secret(hand_secret(value, hand))

    def read(self, stored: Iterable[StoredSession]) -> None:
        """Take in tables that ended before this server began."""
        for each in stored:
            with suppress(HeartsError):
                self.add(each.session, map(parse_step, each.lines), each.ended)

    def add(self, session: Session, steps: Iterable[Step], ended: float | None = None) -> None:
        """Take in a table of a day that has ended, now if nothing is said; one that was left, or
        ends when its day is over, has no points.
        """
        name = session.table_name
        day = name.split(" ")[1]
        results = self._results.setdefault(day, {})
        while len(self._results) > KEPT_DAYS:
            del self._results[min(self._results)]
        steps = list(steps)
        hands = _hands(steps)
        is_whole = len(hands) == HANDS and not any(isinstance(each, SeatChange) for each in steps)
        seat = session.seats[0]
        is_late = self._is_over(date.fromisoformat(day), ended)
        if len(results) < MOST_RESULTS:
            results[name] = DayResult(
                seat.name,
                tuple(points for points, _ in hands) if is_whole and not is_late else (),
                tuple(link for _, link in hands),
                not _is_near(seat.network),
            )

    def texts(self, token: bytes) -> Sequence[str]:
        """Return what a visitor is told of the days: nothing of hands that they have not played.

        The first two are for programs: the state of today with the anchor, and the value of the
        day that is over everywhere. Then come lines for people; of a day that is not over they
        tell no cards.
        """
        today = self._today()
        name = self.table_name(token, today)
        over = next(day for n in range(1, 4) if self._is_over(day := today - timedelta(n)))
        result = self._result(self.table_name(token, over))
        links = () if result is None else result.links
        state = self.state(name)
        return [
            f"day {today} {state} {chain_value(self._secret, 0).hex()}",
            f"over {over} {self._value(over).hex()}",
            *_SAID[state],
            *self._list(name, today),
            *(f"Your hand {n} of {over}: #hand={link}" for n, link in enumerate(links, 1)),
        ]

    def _list(self, name: str, day: date) -> Iterator[str]:
        own = self._result(name)
        if own is None:
            return
        if not own.points:
            yield "You have left your try, so it does not count."
            return
        everyone = [one for one in self._results[day.isoformat()].values() if one.points]
        listed = sorted((one for one in everyone if one.is_listed), key=lambda one: one.total)
        place = 1 + sum(one.total < own.total for one in listed)
        yield f"Hearts, the deal of the day {day}"
        yield f"{' + '.join(map(str, own.points))} = {own.total} points in four hands"
        yield f"Place {place} of {len(listed)}" if own.is_listed else "Played by the host"
        for one in listed[:MOST_LISTED]:
            yield f"{one.total:4} {quoted(one.name)}"


def _hands(steps: Sequence[Step]) -> list[tuple[int, str]]:
    """Return the points of player 0 in each hand, and the link to it."""
    actions: list[Action] = [s for s in steps if isinstance(s, Deal | Pass | Play | ChooseMoon)]
    game = Game(STANDARD, END_SCORE)
    try:
        return [
            (hand.scored.points[0], _link(game, hand))
            for hand in hands_of(game, actions)
            if hand.scored is not None
        ]
    except HeartsError:
        return []


def _link(game: Game, hand: PlayedHand) -> str:
    passes = sorted(hand.passes, key=lambda choice: choice.player)
    number = game.hand_number + 1
    choices: tuple[LinkChoice, ...] = (*passes, *hand.plays)
    return format_link(
        LinkedHand(STANDARD, END_SCORE, number, hand.deal, choices, hand.before, own=0)
    )


def _is_near(network: str) -> bool:
    try:
        return ip_network(network, strict=False).is_loopback
    except ValueError:
        return False
