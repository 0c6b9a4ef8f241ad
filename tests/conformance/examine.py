"""A client of this process before the conformance kit, in virtual time."""

from __future__ import annotations

from collections.abc import Sequence, Set

from hearts_conformance.checks import CheckOutcome, Marks
from hearts_conformance.kit import Kit, Room
from hearts_conformance.line import WaitTimes
from hearts_conformance.report import report_lines

from .clients import ClientProgram, start

_PATIENCE = 10.0
_HUSH = 0.15
_WAIT = 60.0


async def examine(
    room: Room,
    program: type[ClientProgram],
    only: Sequence[str] = (),
    *,
    fails: Set[str] | None = frozenset(),
    shows: Set[str] = frozenset(),
) -> Marks:
    """The marks of a client after these scenarios, or all, of which these checks fail or pass."""
    kit = Kit(room, WaitTimes(_PATIENCE, _HUSH), _WAIT)
    scenarios = [scenario for scenario in room.scenarios if not only or scenario.id in only]
    assert len(scenarios) == (len(only) or len(room.scenarios))
    await kit.run(scenarios, start(kit, program), lambda played: None)
    failed = {mark.check.id for mark in kit.marks.values() if mark.outcome is CheckOutcome.FAILED}
    assert fails is None or failed == fails, "\n".join(report_lines(kit.marks, color=False))
    assert shows <= {mark.check.id for mark in kit.marks.values() if mark.shown}
    return kit.marks
