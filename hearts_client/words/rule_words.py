"""The rules of a table in words, and numbers with the word for what they count."""

from __future__ import annotations

from hearts.game.rules import Rules
from hearts.game.scoring import points_by
from hearts.wire.text import count_of


def in_words(rules: Rules) -> list[str]:
    """Say what differs from the standard game; empty for the standard game itself."""
    moon = points_by(rules).moon
    return [value.words.format(moon=moon) for value in rules.differences]


def clock_in_words(turn_limit: int) -> str:
    """Say how long each choice may take; ``turn_limit`` is in seconds, 0 for no clock."""
    return f"{count_of(turn_limit, 'second')} for each choice" if turn_limit else "no clock"


def computers_line(level: str) -> str:
    return f"The computers play at the level {level}."


def points_in_words(number: int) -> str:
    """Return words such as "1 point", "13 points" or "no points"."""
    return f"{number} point" if number in (1, -1) else f"{number or 'no'} points"
