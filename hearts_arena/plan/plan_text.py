"""A plan as text, in one way only, to compare it with the plan in the folder of a tournament.

It is JSON with one key for each field of :class:`Plan`; rules stand as their text. A field that
came later than the first plans has a key only if it says something.
"""

from __future__ import annotations

import hashlib
import json
from functools import partial
from typing import Literal

from msgspec import defstruct, to_builtins
from msgspec.structs import asdict, fields

from hearts.errors import InvalidRules
from hearts.game.rules import Rules, parse_rules
from hearts.wire.json_values import InvalidJson, from_json

from .plan import InvalidPlan, Plan

_FORMAT = "hearts-arena plan 1"
_KEYS = ["format", *Plan.__struct_fields__]
_LATER = {"bounds", "codes", "limits", "keeps_players"}
"""Keys that the first plans did not have."""
_PlanFile = defstruct(
    "_PlanFile",
    [
        ("format", Literal[_FORMAT]),
        *(
            (field.name, str if field.type is Rules else field.type)
            for field in fields(Plan)
            if field.name not in _LATER
        ),
        *(
            (field.name, field.type, field.default)
            for field in fields(Plan)
            if field.name in _LATER
        ),
    ],
    forbid_unknown_fields=True,
)
"""A plan as its file has it: every key, and rules as text."""

Data = dict[str, object]


def plan_data(plan: Plan) -> Data:
    """Return a plan as a value of JSON, with the format first."""
    data: Data = {
        "format": _FORMAT,
        **to_builtins(plan),
        "rules": str(plan.rules),
        "move_limit": float(plan.move_limit),
        "hand_limit": float(plan.hand_limit),
        "bounds": plan.bounds and {key: float(n) for key, n in asdict(plan.bounds).items()},
        "limits": [
            {"name": own.name, "move": float(own.move), "hand": float(own.hand)}
            for own in plan.limits
        ],
    }
    for key in _LATER:
        if not data[key]:
            del data[key]
    return data


def plan_text(plan: Plan) -> str:
    """Return the text of a plan, which :func:`parse_plan` reads back. Equal plans have the same
    text.
    """
    return json.dumps(plan_data(plan), indent=2, ensure_ascii=False) + "\n"


def plan_digest(plan: Plan) -> str:
    """Return a name for exactly this plan: SHA-256 of its text, 64 hexadecimal digits."""
    return hashlib.sha256(plan_text(plan).encode()).hexdigest()


def parse_plan(text: str) -> Plan:
    """Return the plan of a text. Raises InvalidPlan, saying what is wrong with it."""
    try:
        file = from_json(text, _PlanFile)
    except InvalidJson as error:
        raise InvalidPlan(str(error)) from None
    told = asdict(file)
    del told["format"]
    try:
        return Plan(**{**told, "rules": parse_rules(told["rules"])})
    except InvalidRules as error:
        raise InvalidPlan(str(error)) from None


def differences(kept: Plan, wanted: Plan) -> list[str]:
    """Return the differences of two plans, a line for each key: the kept value, and the wanted
    one.
    """
    old, new = plan_data(kept), plan_data(wanted)
    pairs = ((key, old.get(key), new.get(key)) for key in _KEYS)
    shown = partial(json.dumps, ensure_ascii=False)
    return [
        f"{key} is {shown(mine)}, not {shown(theirs)}"
        for key, mine, theirs in pairs
        if mine != theirs
    ]
