"""The dealer dialect: its conversation, and its scenarios."""

from hearts_conformance.checks import Marks
from hearts_conformance.clients import Calls
from hearts_conformance.kit import ScenarioPlay
from hearts_conformance.scenarios import room
from hearts_conformance.session.script import Script

from .scenario_run import DealerScenarioRun, WatchRun


def _open(script: Script, calls: Calls, marks: Marks) -> ScenarioPlay:
    run = DealerScenarioRun if script.watched is None else WatchRun
    return run(script, calls, marks)


ROOM = room("dealer", _open)

__all__ = ["ROOM"]
