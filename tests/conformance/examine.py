"""A client of this process before the conformance kit, in virtual time."""

from __future__ import annotations

from collections.abc import Sequence

from hearts_conformance.checks import CheckOutcome, Marks
from hearts_conformance.kit import Kit, Room
from hearts_conformance.line import WaitTimes

from .clients import ClientProgram, start

_PATIENCE = 10.0
_HUSH = 0.15
_WAIT = 60.0


async def examine(room: Room, program: type[ClientProgram], only: Sequence[str] = ()) -> Marks:
    """The marks of a client after these scenarios, or all."""
    kit = Kit(room.checks, WaitTimes(_PATIENCE, _HUSH), _WAIT)
    scenarios = [scenario for scenario in room.scenarios if not only or scenario.id in only]
    assert len(scenarios) == (len(only) or len(room.scenarios))
    await kit.run(scenarios, start(kit, program), lambda played: None)
    return kit.marks


def failed(marks: Marks) -> set[str]:
    """The checks that failed."""
    return {mark.check.id for mark in marks if mark.outcome is CheckOutcome.FAILED}
