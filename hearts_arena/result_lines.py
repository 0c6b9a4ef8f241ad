"""The result of a match as one line of JSON, and back.

::

    {"match":0,"points":[[4,0,22,0]],"scores":[4,0,22,0],"winners":[1,3],
     "conduct":[[14,0,0,0,0],...],"pace":[[81375,9120],...],"moves":"0XQW..."}

Everything is by seats. The numbers of a conduct and of a pace stand in the order of the fields of
:class:`Conduct` and :class:`Pace`; times are in nanoseconds. ``moves`` is there where records are
kept (:mod:`hearts_arena.moves`).
"""

from __future__ import annotations

import json
import re
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import fields

from hearts.errors import CorruptRecord
from hearts.game.scoring import Four

from .moves import moves_of
from .results import Conduct, MatchResult, Pace

_NANOSECONDS = 1_000_000_000
_MOST = 1 << 53
"""Counts and nanoseconds are below: a float holds each of them."""
_KEYS = {"match", "points", "scores", "winners", "conduct", "pace", "moves"}
_NUMBER = re.compile(rb'\{"match":([0-9]{1,15}),"points":')
_CONDUCT = attrgetter(*(field.name for field in fields(Conduct)))
_PACE = attrgetter(*(field.name for field in fields(Pace)))
_encode = json.JSONEncoder(separators=(",", ":")).encode


class CorruptLine(CorruptRecord):
    """A line that holds no result; the text says why."""


class KeptResult(Struct, frozen=True, gc=False):
    """What a line holds."""

    result: MatchResult
    """Without its record."""
    moves: str
    """The choices of its record; empty where none is kept."""


def result_line(result: MatchResult) -> bytes:
    """The line of a result, with its line break. Raises CorruptRecord for a record that is none."""
    data: dict[str, object] = {
        "match": result.number,
        "points": result.points,
        "scores": result.scores,
        "winners": result.winners,
        "conduct": [_CONDUCT(conduct) for conduct in result.conduct],
        "pace": [
            [round(seconds * _NANOSECONDS) for seconds in _PACE(pace)] for pace in result.pace
        ],
    }
    if result.record:
        data["moves"] = moves_of(result.record)
    return _encode(data).encode() + b"\n"


def number_of(line: bytes) -> int:
    """The number of the match of a line, without a look at the rest. Raises CorruptLine."""
    found = _NUMBER.match(line)
    if found is None or not line.endswith(b"}\n"):
        raise CorruptLine("this is no result of a match")
    return int(found[1])


def parse_line(line: bytes) -> KeptResult:
    """What a line holds. Raises CorruptLine."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise CorruptLine("this is no JSON") from None
    if not isinstance(data, dict) or set(data) | {"moves"} != _KEYS:
        raise CorruptLine("this is no result of a match")
    moves = data.get("moves", "")
    if not isinstance(moves, str):
        raise CorruptLine("the moves are no text")
    return KeptResult(
        MatchResult(
            number=_whole(data["match"]),
            points=tuple(map(_four, _list(data["points"]))),
            scores=_four(data["scores"]),
            winners=_winners(data["winners"]),
            conduct=_conduct(data["conduct"]),
            pace=_pace(data["pace"]),
        ),
        moves,
    )


def _list(value: object, size: int | None = None) -> list[object]:
    if not isinstance(value, list) or (len(value) != size if size is not None else not value):
        raise CorruptLine(f"this is no list of {size or 'something'}: {value!r:.80}")
    return value


def _whole(value: object) -> int:
    if type(value) is not int:
        raise CorruptLine(f"this is no whole number: {value!r:.80}")
    return value


def _count(value: object) -> int:
    number = _whole(value)
    if not 0 <= number < _MOST:
        raise CorruptLine(f"nothing is counted to {number}")
    return number


def _four(value: object) -> Four:
    a, b, c, d = map(_whole, _list(value, 4))
    return (a, b, c, d)


def _winners(value: object) -> tuple[int, ...]:
    winners = tuple(map(_whole, _list(value)))
    if len(set(winners)) != len(winners) or not set(winners) <= {0, 1, 2, 3}:
        raise CorruptLine(f"these are no winners: {value!r:.80}")
    return winners


def _conduct(value: object) -> tuple[Conduct, Conduct, Conduct, Conduct]:
    size = len(fields(Conduct))
    a, b, c, d = (Conduct(*map(_count, _list(row, size))) for row in _list(value, 4))
    return (a, b, c, d)


def _pace(value: object) -> tuple[Pace, Pace, Pace, Pace]:
    size = len(fields(Pace))
    a, b, c, d = (Pace(*map(_seconds, _list(row, size))) for row in _list(value, 4))
    return (a, b, c, d)


def _seconds(value: object) -> float:
    return _count(value) / _NANOSECONDS
