"""The rules of a table in words, for a person."""

from __future__ import annotations

from hearts.game.rules import Rules

from .amounts import seconds

_WORDS = {
    "jack": "the jack of diamonds counts 10 off your score",
    "moon=minus": "who shoots the moon gets 26 points off",
    "moon=choice": "who shoots the moon chooses: 26 points off, or 26 on each of the others",
    "exact=zero": "a score of exactly the end goes back to 0",
    "exact=wins": "a score of exactly the end wins",
    "dump": "the queen of spades must be played at the first chance",
    "bleed": "points may be played on the first trick",
    "rotate": "the first lead goes round, with any card, instead of the two of clubs",
    "pass=cycle3": "cards are passed left, right and across, never kept",
    "pass=left": "cards are always passed to the left",
    "pass=never": "no cards are passed",
    "notrick": "who takes no trick gets 5 points off",
    "queen-keeps": "the queen of spades does not break hearts",
}


def in_words(rules: Rules) -> list[str]:
    """What differs from the standard game; empty for the standard game itself."""
    if rules == Rules():
        return []
    return [_WORDS[token] for token in str(rules).split(",")]


def clock_in_words(turn_limit: int) -> str:
    """How long each choice may take; ``turn_limit`` is in seconds, 0 for no clock."""
    return f"{seconds(turn_limit)} for each choice" if turn_limit else "no clock"


def computers_line(level: str) -> str:
    """A sentence on how well the computers of a game alone play."""
    return f"The computers play at the level {level}."
