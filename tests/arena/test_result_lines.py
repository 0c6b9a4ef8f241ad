"""The result of a match as a line: everything comes back, and no other line passes for one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts_arena.kept.result_lines import CorruptLine, parse_line, result_line
from hearts_arena.plan.results import Conduct, MatchResult, TimeTaken

from .sittings import plan_of, play

PLAYED = play(plan_of(), 0)
LINE = result_line(PLAYED)

small = st.integers(-60, 600)
fours = st.tuples(small, small, small, small)
counts = st.integers(0, 10_000)
nanoseconds = st.integers(0, 10**15)
conducts = st.builds(Conduct, counts, counts, counts, counts, counts)
paces = st.builds(TimeTaken, nanoseconds, nanoseconds)
results = st.builds(
    MatchResult,
    number=st.integers(0, 10**14),
    points=st.lists(fours, min_size=1, max_size=20).map(tuple),
    scores=fours,
    winners=st.lists(st.integers(0, 3), min_size=1, unique=True).map(tuple),
    conduct=st.tuples(conducts, conducts, conducts, conducts),
    pace=st.tuples(paces, paces, paces, paces),
    moves=st.text("ABab01!*~ +-"),
).flatmap(
    lambda result: st.lists(
        st.from_regex(r"[0-3][0-3](\+[0-3]|-[0-3][0-3])?", fullmatch=True),
        min_size=len(result.points),
        max_size=len(result.points),
    ).map(lambda hands: replace(result, took=" ".join(hands)))
)


@given(results)
def test_a_result_reads_back_from_its_line(result: MatchResult) -> None:
    line = result_line(result)
    assert parse_line(line) == result
    assert line.count(b"\n") == 1


@given(st.binary(max_size=40), st.integers(0, len(LINE) - 1), st.integers(0, 40))
def test_any_bytes_are_a_result_or_an_error(data: bytes, place: int, size: int) -> None:
    line = LINE[:place] + data + LINE[place + size :]
    try:
        kept = parse_line(line)
    except CorruptLine:
        return
    assert parse_line(result_line(kept)) == kept
