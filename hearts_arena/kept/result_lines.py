"""The result of a match as one line of JSON, and back.

::

    {"match":0,"points":[[4,0,22,0]],"scores":[4,0,22,0],"winners":[1,3],
     "conduct":[[14,0,0,0,0],...],"pace":[[81375,9120],...],"moves":"0XQW...","took":"20-23"}

Everything is by seats. The numbers of a conduct and of a pace stand in the order of the fields of
:class:`Conduct` and :class:`TimeTaken`; times are in nanoseconds. ``moves`` is there where records
are kept (:mod:`hearts_arena.kept.moves`), ``took`` in all but old folders (:mod:`.captures`).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.json import encode
from msgspec.structs import astuple

from hearts.errors import CorruptRecord
from hearts.game.scoring import Four
from hearts.wire.json_values import InvalidJson, from_json
from hearts_arena.plan.results import Conduct, MatchResult, TimeTaken

from .captures import read_captures

_NANOSECONDS = 1_000_000_000
_MOST = 1 << 53
"""Counts and nanoseconds are below: a float holds each of them."""


class CorruptLine(CorruptRecord):
    """A line that holds no result; the text says why."""


_Count = Annotated[int, Meta(ge=0, lt=_MOST)]
_Conduct = tuple[_Count, _Count, _Count, _Count, _Count]
_Pace = tuple[_Count, _Count]


class _ResultLine(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    match: int
    points: Annotated[tuple[Four, ...], Meta(min_length=1)]
    scores: Four
    winners: Annotated[tuple[Annotated[int, Meta(ge=0, le=3)], ...], Meta(min_length=1)]
    conduct: tuple[_Conduct, _Conduct, _Conduct, _Conduct]
    pace: tuple[_Pace, _Pace, _Pace, _Pace]
    moves: str = ""
    took: str = ""


def result_line(result: MatchResult) -> bytes:
    data: dict[str, object] = {
        "match": result.number,
        "points": result.points,
        "scores": result.scores,
        "winners": result.winners,
        "conduct": [astuple(conduct) for conduct in result.conduct],
        "pace": [
            [round(seconds * _NANOSECONDS) for seconds in astuple(pace)] for pace in result.pace
        ],
    }
    if result.moves:
        data["moves"] = result.moves
    if result.took:
        data["took"] = result.took
    return encode(data) + b"\n"


def parse_line(line: bytes) -> MatchResult:
    """The result of a line. Raises CorruptLine."""
    try:
        kept = from_json(line, _ResultLine)
    except InvalidJson as error:
        raise CorruptLine(str(error)) from None
    if len(set(kept.winners)) != len(kept.winners):
        raise CorruptLine("a player wins twice")
    _check_took(kept)
    a, b, c, d = [Conduct(*row) for row in kept.conduct]
    e, f, g, h = [TimeTaken(*[count / _NANOSECONDS for count in row]) for row in kept.pace]
    return MatchResult(
        *(kept.match, kept.points, kept.scores, kept.winners, (a, b, c, d), (e, f, g, h)),
        *(kept.moves, kept.took),
    )


def _check_took(kept: _ResultLine) -> None:
    if not kept.took:
        return
    hands = kept.took.split(" ")
    if len(hands) != len(kept.points):
        raise CorruptLine(f"who took what in {len(hands)} hands, and there were {len(kept.points)}")
    try:
        for hand in hands:
            read_captures(hand)
    except ValueError as error:
        raise CorruptLine(str(error)) from None
