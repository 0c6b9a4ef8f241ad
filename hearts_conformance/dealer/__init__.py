"""The dealer dialect: its conversation, and its scenarios."""

from hearts_conformance.scenarios import room

from .scenario_run import DealerScenarioRun

ROOM = room("dealer", DealerScenarioRun)
