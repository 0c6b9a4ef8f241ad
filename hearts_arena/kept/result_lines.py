"""The result of a match as one line of JSON, and back.

::

    {"match":0,"points":[[4,0,22,0]],"scores":[4,0,22,0],"winners":[1,3],
     "conduct":[[14,0,0,0,0],...],"pace":[[81375,9120],...],"moves":"0XQW...","took":"20-23",
     "info":[[2,0,"the queen is in 31% of worlds mine"],...]}

Everything is by seats, as in :class:`MatchResult`; times are in nanoseconds. ``moves`` is there
where records are kept (:mod:`hearts_arena.kept.moves`), ``took`` in all but old folders
(:mod:`.captures`), ``info`` where a program has said something: its seat, which of its choices, and
its words.
"""

from __future__ import annotations

from msgspec.json import encode

from hearts.errors import CorruptRecord
from hearts.wire.json_values import InvalidJson, from_json
from hearts.wire.text import is_printable
from hearts_arena.plan.results import MatchResult

from .captures import read_captures


class CorruptLine(CorruptRecord):
    """A line that holds no result; the text says why."""


def result_line(result: MatchResult) -> bytes:
    return encode(result) + b"\n"


def parse_line(line: bytes) -> MatchResult:
    """Return the result of a line. Raises CorruptLine."""
    try:
        result = from_json(line, MatchResult)
    except InvalidJson as error:
        raise CorruptLine(str(error)) from None
    if len(set(result.winners)) != len(result.winners):
        raise CorruptLine("a player wins twice")
    if not all(is_printable(each.text) for each in result.info):
        raise CorruptLine("what is said of a choice is no line of text")
    if result.took:
        _check_took(result.took.split(" "), len(result.points))
    return result


def _check_took(hands: list[str], played: int) -> None:
    if len(hands) != played:
        raise CorruptLine(f"who took what in {len(hands)} hands, and there were {played}")
    try:
        for hand in hands:
            read_captures(hand)
    except ValueError as error:
        raise CorruptLine(str(error)) from None
