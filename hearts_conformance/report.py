"""The findings of the kit, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from .checks import CheckOutcome, Level, Mark, Marks

_WORDS = {
    CheckOutcome.PASSED: "ok",
    CheckOutcome.FAILED: "FAILED",
    CheckOutcome.NOT_SHOWN: "not shown",
}
_COLORS = {
    CheckOutcome.PASSED: "\x1b[32m",
    CheckOutcome.FAILED: "\x1b[31m",
    CheckOutcome.NOT_SHOWN: "\x1b[33m",
}
_PLAIN = "\x1b[0m"


def report_lines(marks: Marks, *, color: bool) -> Iterator[str]:
    """The report: a line for each check, then what failed, then the verdict."""
    for mark in marks:
        word = _WORDS[mark.outcome].ljust(9)
        if color:
            word = f"{_COLORS[mark.outcome]}{word}{_PLAIN}"
        check = mark.check
        yield f"{word} {check.level.value.ljust(6)} {check.section.rjust(4)}  {check.asks}"
    for mark in marks:
        if mark.failed:
            yield ""
            yield from _failure_lines(mark)
    yield ""
    for gap in marks.gaps:
        yield f"not complete: {gap}"
    yield _verdict(marks)


def _failure_lines(mark: Mark) -> Iterator[str]:
    check = mark.check
    yield f"{check.id} ({check.place}): {check.asks}"
    for failure in mark.failures:
        yield f"  in {failure.scenario!r}: {failure.came}"
    more = mark.failed - len(mark.failures)
    if more:
        yield f"  and {more} more"
    yield f"  what to do: {check.advice}"


def _verdict(marks: Marks) -> str:
    count = dict.fromkeys(CheckOutcome, 0)
    open_musts = advised = 0
    for mark in marks:
        count[mark.outcome] += 1
        advised += mark.outcome is CheckOutcome.FAILED and mark.check.level is Level.SHOULD
        open_musts += mark.outcome is CheckOutcome.NOT_SHOWN and mark.check.level is Level.MUST
    failed = f"{count[CheckOutcome.FAILED]} failed"
    if advised:
        failed += f" ({advised} of them SHOULD)"
    text = (
        f"{count[CheckOutcome.PASSED]} ok, {failed}, "
        f"{count[CheckOutcome.NOT_SHOWN]} not shown ({open_musts} of them MUST)"
    )
    if not marks.good:
        return f"DOES NOT CONFORM: {text}"
    if marks.is_partial:
        names = ", ".join(played.id for played in marks.played)
        return f"GREEN as far as it was played ({names}): {text}"
    return f"CONFORMS: {text}"


def write_json(marks: Marks, file: Path) -> None:
    """The same as JSON. Raises OSError."""
    data = {
        "conforms": marks.good and not marks.is_partial,
        "green": marks.good,
        "gaps": marks.gaps,
        "checks": [
            {
                "id": mark.check.id,
                "section": mark.check.section,
                "level": mark.check.level.value,
                "asks": mark.check.asks,
                "outcome": mark.outcome.value,
                "shown": mark.shown,
                "failed": mark.failed,
                "failures": [
                    {"scenario": failure.scenario, "came": failure.came}
                    for failure in mark.failures
                ],
                "advice": mark.check.advice,
            }
            for mark in marks
        ],
        "scenarios": [
            {
                "id": played.id,
                "title": played.title,
                "ending": played.ending,
                "faults": played.faults,
            }
            for played in marks.played
        ],
    }
    file.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
