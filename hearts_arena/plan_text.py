"""A plan as text, in one way only: what a tournament's folder is checked against.

It is JSON with one key for each field of :class:`Plan`; rules stand as their text.
"""

from __future__ import annotations

import hashlib
import json

from msgspec.structs import fields

from hearts.errors import InvalidRules
from hearts.game.rules import Rules, parse_rules

from .plan import Entrant, InvalidPlan, Plan, Schedule

_FORMAT = "hearts-arena plan 1"
_KEYS = ["format", *(field.name for field in fields(Plan))]

Data = dict[str, object]


def plan_data(plan: Plan) -> Data:
    """A plan as a value of JSON, with the format first."""
    return {
        "format": _FORMAT,
        "entrants": [{"name": entrant.name, "spec": entrant.spec} for entrant in plan.entrants],
        "schedule": plan.schedule.value,
        "deals": plan.deals,
        "seed": plan.seed,
        "rules": str(plan.rules),
        "hands": plan.hands,
        "end_score": plan.end_score,
        "directions": plan.directions,
        "duplicate": plan.duplicate,
        "move_limit": float(plan.move_limit),
        "hand_limit": float(plan.hand_limit),
        "records": plan.records,
    }


def plan_text(plan: Plan) -> str:
    """The text of a plan, which :func:`parse_plan` reads back. Equal plans have the same text."""
    return json.dumps(plan_data(plan), indent=2, ensure_ascii=False) + "\n"


def plan_digest(plan: Plan) -> str:
    """A name for exactly this plan: SHA-256 of its text, 64 hexadecimal digits."""
    return hashlib.sha256(plan_text(plan).encode()).hexdigest()


def parse_plan(text: str) -> Plan:
    """The plan of a text. Raises InvalidPlan, saying what is wrong with it."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidPlan("a plan is JSON, and this is none") from None
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        raise InvalidPlan(f"a plan is a JSON object whose format is {_FORMAT!r}")
    if set(data) != set(_KEYS):
        raise InvalidPlan(f"a plan has the keys {', '.join(_KEYS)}, not {', '.join(data)}")
    hands = data["hands"]
    return Plan(
        entrants=_entrants(data["entrants"]),
        schedule=_schedule(data["schedule"]),
        deals=_whole(data, "deals"),
        seed=_whole(data, "seed"),
        rules=_rules(_string(data, "rules")),
        hands=None if hands is None else _whole(data, "hands"),
        end_score=_whole(data, "end_score"),
        directions=_flag(data, "directions"),
        duplicate=_flag(data, "duplicate"),
        move_limit=_seconds(data, "move_limit"),
        hand_limit=_seconds(data, "hand_limit"),
        records=_flag(data, "records"),
    )


def differences(kept: Plan, wanted: Plan) -> list[str]:
    """In what two plans differ, a line for each key: what is kept, and what is wanted."""
    old, new = plan_data(kept), plan_data(wanted)
    return [
        f"{key} is {_shown(old[key])}, not {_shown(new[key])}"
        for key in _KEYS
        if old[key] != new[key]
    ]


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _entrants(value: object) -> tuple[Entrant, ...]:
    if not isinstance(value, list):
        raise InvalidPlan("entrants are a list")
    return tuple(map(_entrant, value))


def _entrant(value: object) -> Entrant:
    match value:
        case {"name": str(name), "spec": str(spec), **rest} if not rest:
            return Entrant(name, spec)
        case _:
            raise InvalidPlan("an entrant has a name and a spec, both text, and nothing else")


def _schedule(value: object) -> Schedule:
    try:
        return Schedule(value)
    except ValueError:
        words = ", ".join(schedule.value for schedule in Schedule)
        raise InvalidPlan(f"there is no schedule {value!r}, only {words}") from None


def _rules(text: str) -> Rules:
    try:
        return parse_rules(text)
    except InvalidRules as error:
        raise InvalidPlan(str(error)) from None


def _string(data: Data, key: str) -> str:
    value = data[key]
    if not isinstance(value, str):
        raise InvalidPlan(f"{key} is no text")
    return value


def _whole(data: Data, key: str) -> int:
    value = data[key]
    if type(value) is not int:
        raise InvalidPlan(f"{key} is no whole number")
    return value


def _flag(data: Data, key: str) -> bool:
    value = data[key]
    if not isinstance(value, bool):
        raise InvalidPlan(f"{key} is neither true nor false")
    return value


def _seconds(data: Data, key: str) -> float:
    value = data[key]
    if type(value) is not float and type(value) is not int:
        raise InvalidPlan(f"{key} is no number of seconds")
    try:
        return float(value)
    except OverflowError:
        raise InvalidPlan(f"{key} is too large") from None
