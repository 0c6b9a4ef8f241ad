"""Numbers with the word for what they count."""

from __future__ import annotations


def seconds(number: int) -> str:
    """Such as "1 second" or "20 seconds"."""
    return f"{number} second{'' if number == 1 else 's'}"
