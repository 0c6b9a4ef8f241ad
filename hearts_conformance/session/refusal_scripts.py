"""The scenarios about refusals and the list of tables, which are the same in both dialects."""

from __future__ import annotations

from typing import TypeVar

from hearts.session.messages import ListedTable, Refusal

from . import checks
from .script import Script

ScriptT = TypeVar("ScriptT", bound=Script)

_AT_ONCE = (
    ("full", Refusal.SERVER_FULL),
    ("busy", Refusal.TOO_MANY_FROM_ADDRESS),
    ("closing", Refusal.SHUTTING_DOWN),
)
_LATE = (
    ("late-full", Refusal.SERVER_FULL),
    ("late-busy", Refusal.TOO_MANY_FROM_ADDRESS),
    ("late-closing", Refusal.SHUTTING_DOWN),
    ("bad-name", Refusal.BAD_NAME),
    ("bad-option", Refusal.BAD_OPTION),
    ("taken", Refusal.TABLE_TAKEN),
    ("no-password", Refusal.BAD_PASSWORD),
    ("too-slow", Refusal.TOO_SLOW),
)
_MANY = tuple(
    ListedTable(f"Table {number}", 0 if number <= 2 else number, number % 3, names)
    for number, names in enumerate(
        [("Zoë", "", "Moe", ""), ("", "", "", ""), ("Kit", "Moe", "Larry", "Curly")] * 33, start=1
    )
)
"""Forming and playing, with and without open seats, and with seats that nobody has."""


def refusal_scripts(script: type[ScriptT]) -> tuple[ScriptT, ...]:
    """A registration that is refused, for each reason and at each place."""
    return (
        *(
            script(
                id,
                f"{int(refusal)} in place of the Player ID",
                seat,
                refusal=refusal,
                at_once=True,
            )
            for seat, (id, refusal) in enumerate(_AT_ONCE)
        ),
        *(
            script(id, f"{int(refusal)} behind the Process ID", place % 4, refusal=refusal)
            for place, (id, refusal) in enumerate(_LATE)
        ),
        script(
            "refused-reply",
            "-105 in place of the reply of a block",
            2,
            refused_block=Refusal.BAD_PASSWORD,
        ),
    )


def list_scripts(script: type[ScriptT]) -> tuple[ScriptT, ...]:
    """Lists of tables, for a client that asks for one."""
    return (
        script("list", "a list of 99 tables", 1, tables=_MANY, own=checks.LISTED),
        script("list-empty", "a list of no tables", 2, tables=(), own=checks.LISTED),
    )
