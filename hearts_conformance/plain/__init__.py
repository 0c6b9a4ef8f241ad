"""The plain dialect: its conversation, and its scenarios."""

from hearts_conformance.scenarios import room

from .scenario_run import PlainScenarioRun

ROOM = room("plain", PlainScenarioRun)
"""All that the kit has for the plain dialect."""

__all__ = ["ROOM"]
