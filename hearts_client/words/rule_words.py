"""The rules of a table in words, for a person."""

from __future__ import annotations

from hearts.game.rules import Rules
from hearts.game.scoring import points_by

from .amounts import seconds


def in_words(rules: Rules) -> list[str]:
    """What differs from the standard game; empty for the standard game itself."""
    moon = points_by(rules).moon
    return [value.words.format(moon=moon) for value in rules.differences]


def clock_in_words(turn_limit: int) -> str:
    """How long each choice may take; ``turn_limit`` is in seconds, 0 for no clock."""
    return f"{seconds(turn_limit)} for each choice" if turn_limit else "no clock"


def computers_line(level: str) -> str:
    """A sentence on how well the computers of a game alone play."""
    return f"The computers play at the level {level}."
