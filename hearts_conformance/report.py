"""The findings of the kit, for people and for programs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from msgspec import to_builtins

from .checks import CheckOutcome, Level, Mark, Marks

_SHOWN = {
    CheckOutcome.PASSED: ("ok", 32),
    CheckOutcome.FAILED: ("FAILED", 31),
    CheckOutcome.NOT_SHOWN: ("not shown", 33),
}
"""The word of each outcome, and its colour on a terminal."""


def report_lines(marks: Marks, *, color: bool) -> Iterator[str]:
    """Return the report: a line for each check, then what failed, then the verdict."""
    for mark in marks.values():
        word, number = _SHOWN[mark.outcome]
        word = word.ljust(9)
        if color:
            word = f"\x1b[{number}m{word}\x1b[0m"
        check = mark.check
        yield f"{word} {check.level.value.ljust(6)} {check.section.rjust(4)}  {check.asks}"
    for mark in marks.values():
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
    count = Counter(mark.outcome for mark in marks.values())
    levels = Counter((mark.outcome, mark.check.level) for mark in marks.values())
    advised = levels[CheckOutcome.FAILED, Level.SHOULD]
    text = (
        f"{count[CheckOutcome.PASSED]} ok, {count[CheckOutcome.FAILED]} failed"
        f"{f' ({advised} of them SHOULD)' if advised else ''}, {count[CheckOutcome.NOT_SHOWN]} "
        f"not shown ({levels[CheckOutcome.NOT_SHOWN, Level.MUST]} of them MUST)"
    )
    if not marks.good:
        return f"DOES NOT CONFORM: {text}"
    if marks.is_partial:
        names = ", ".join(played.id for played in marks.played)
        return f"GREEN as far as it was played ({names}): {text}"
    return f"CONFORMS: {text}"


def write_json(marks: Marks, file: Path) -> None:
    """Write the same as JSON. Raises OSError."""
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
                "failures": to_builtins(mark.failures),
                "advice": mark.check.advice,
            }
            for mark in marks.values()
        ],
        "scenarios": to_builtins(marks.played),
    }
    file.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
