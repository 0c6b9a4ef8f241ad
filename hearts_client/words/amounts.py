"""Numbers with the word for what they count."""

from __future__ import annotations


def seconds(number: int) -> str:
    """Such as "1 second" or "20 seconds"."""
    return f"{number} second{'' if number == 1 else 's'}"


def points_in_words(number: int) -> str:
    """Such as "1 point", "13 points" or "no points"."""
    return f"{number} point" if number in (1, -1) else f"{number or 'no'} points"
