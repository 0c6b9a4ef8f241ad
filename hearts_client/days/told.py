"""The words of a server about its days, read for the visitor who asked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import takewhile

from msgspec import Struct

from hearts.errors import HeartsError
from hearts.wire.day_chain import HANDS, day_number, is_of_chain


class DayResult(Struct, frozen=True):
    """A person's four hands of a day, played in time."""

    day: str
    place: int
    """From 1 among those who have played so far; 0 for the host, who is not counted."""
    count: int
    """Those who have played so far."""
    points: tuple[int, ...]


class ListedTry(Struct, frozen=True):
    """The try of somebody who wants their name in the list of a day."""

    place: int
    points: int
    name: str


class ToldDay(Struct, frozen=True):
    """The texts of a server about its days (SocketSpec.md 3.5)."""

    day: str
    state: str
    anchor: str
    over: str
    value: str
    results: Sequence[DayResult]
    links: Sequence[str]
    """Those of the person's hands of the day that is over, as they stand behind ``#hand=``."""
    names: Sequence[ListedTry]
    """The best names of the day that is over."""
    lines: Sequence[str]
    """Words for people."""

    @property
    def is_of_chain(self) -> bool:
        """True if the value of the day that is over fits the anchor."""
        number = day_number(date.fromisoformat(self.over))
        return is_of_chain(bytes.fromhex(self.value), number, bytes.fromhex(self.anchor))


def read_day(texts: Sequence[str]) -> ToldDay:
    """Read the texts. Raises HeartsError if they tell of no day."""
    try:
        (_, day, state, anchor), (_, over, value) = (text.split(" ") for text in texts[:2])
        words = [text.split(" ") for text in texts[2:]]
        results = [_result(each) for each in takewhile(lambda each: each[0] == "result", words)]
        del words[: len(results)]
        links = [link for _, _, _, link in takewhile(lambda each: each[0] == "hand", words)]
        del words[: len(links)]
        names = [_listed(each) for each in takewhile(lambda each: each[0] == "listed", words)]
        lines = texts[2 + len(results) + len(links) + len(names) :]
        return ToldDay(day, state, anchor, over, value, results, links, names, lines)
    except ValueError:
        raise HeartsError("the server has no deal of the day") from None


def _result(words: Sequence[str]) -> DayResult:
    _, day, place, count, *points = words
    if len(points) != HANDS:
        raise ValueError("a day has four hands")
    date.fromisoformat(day)
    return DayResult(day, int(place), int(count), tuple(map(int, points)))


def _listed(words: Sequence[str]) -> ListedTry:
    _, _, place, points, *name = words
    return ListedTry(int(place), int(points), " ".join(name))
