"""The dealer dialect: its conversation, and its scenarios."""

from functools import partial

from hearts_conformance.kit import Scenario
from hearts_conformance.scenarios import room

from .scenario_run import DealerScenarioRun, WatchRun

ROOM = room(
    "dealer",
    DealerScenarioRun,
    Scenario("watch", "a table that plays, for a client that watches it (block -9)", WatchRun),
    Scenario("watch-over", "block -9 is refused with -104", partial(WatchRun, watched_game=0)),
)
"""All that the kit has for the dealer dialect."""

__all__ = ["ROOM"]
