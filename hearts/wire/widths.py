"""The number of columns of a terminal that a text takes."""

from __future__ import annotations

from functools import lru_cache

from .text import has_no_width


def text_width(text: str, *, ambiguous: int = 1) -> int:
    """Columns of a text.

    Terminals do not agree about characters that Unicode calls ambiguous, nor about marks that take
    a place of their own. With ``ambiguous`` 2 it is the most that the text may take.
    """
    if text.isascii():
        return len(text)
    return sum(character_width(character, ambiguous) for character in text)


@lru_cache(maxsize=4096)
def character_width(character: str, ambiguous: int = 1) -> int:
    """Columns of one character; the same for each in a text."""
    if has_no_width(character):
        return 0
    # It takes a fifth of what trio takes to import, and most texts are ASCII.
    from wcwidth import wcwidth

    # Only what has_no_width knows is bounded in texts of others, so nothing else may count as none.
    width = wcwidth(character, ambiguous_width=ambiguous)
    return width if width > 0 else ambiguous


def first_columns(text: str, width: int, *, ambiguous: int = 1) -> str:
    """Return the longest beginning of a text that takes at most ``width`` columns."""
    taken = 0
    for place, character in enumerate(text):
        taken += character_width(character, ambiguous)
        if taken > width:
            return text[:place]
    return text


def cut(text: str, width: int, sign: str, *, ambiguous: int = 1) -> str:
    """Return a text in at most ``width`` columns; ``sign`` says that something is left out."""
    if text_width(text, ambiguous=ambiguous) <= width:
        return text
    room = width - text_width(sign, ambiguous=ambiguous)
    return first_columns(text, room, ambiguous=ambiguous) + sign if room >= 0 else ""
