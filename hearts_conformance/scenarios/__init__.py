"""The table of all scenarios, in the order in which they are played."""

from __future__ import annotations

from msgspec.structs import replace

from hearts_conformance.checks import requirements
from hearts_conformance.kit import Room
from hearts_conformance.session.scenario_run import ScenarioRun

from .hands import HANDS, RULES
from .kinds import DEALER
from .registrations import CHATS, NAMES, REFUSALS, WATCHERS
from .returns import RETURNS
from .steps import BESIDE, CUTS, STEPS

_ALL = (
    *(*HANDS, *RULES, *STEPS, *BESIDE),
    *(*RETURNS, *CUTS, *REFUSALS, *NAMES, *CHATS, *WATCHERS),
)


def room(dialect: str, run: type[ScenarioRun]) -> Room:
    """Return all that the kit has for a dialect, whose scripts are played by ``run``."""
    scripts = [
        replace(script, title=script.dealer_title)
        if dialect == DEALER and script.dealer_title
        else script
        for script in _ALL
        if script.dialect in ("", dialect)
    ]
    return Room(dialect, requirements(dialect), scripts, run)
