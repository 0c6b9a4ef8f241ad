"""Words of others, as a terminal shows them: no name and no line of chat looks like ours."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from hearts.names.guests import MARK
from hearts.wire.text import MARKS_LIMIT, essence, has_no_width
from hearts.wire.widths import text_width

_IN_NAMES = frozenset(" _-.'")
_INDENT = "    "
_NARROWEST = 20


def shown_name(name: str) -> str:
    """Return a name in a line of the game: in quotation marks if it could be taken for more.

    ``You`` is what the terminal calls its own player, ``*`` begins its notices, ``(player 2)``
    tells two players of one name apart. ``~`` marks a guest.
    """
    calm = _calm(name)
    bare = calm.removeprefix(MARK)
    plain = all(
        character.isalnum() or character in _IN_NAMES or has_no_width(character)
        for character in bare
    )
    if plain and bare[:1].isalnum() and essence(bare) != "you":
        return calm
    return '"' + calm.replace('"', "'") + '"'


def shown_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of a table, each different from the others to the eye."""
    seen = [essence(name) for name in names]
    return tuple(
        shown_name(name) if seen.count(each) == 1 else f"{shown_name(name)} (player {player})"
        for player, (name, each) in enumerate(zip(names, seen, strict=True))
    )


def chat_lines(head: str, text: str, width: int) -> list[str]:
    """``head`` and a text, in lines of at most ``width`` columns, all but the first indented.

    A terminal that breaks a line itself begins the next one at its left edge, if the author
    could make it look like a line of the game.
    """
    # The last column stays free: some terminals go on to the next line when it is filled.
    room = max(width, _NARROWEST) - 1
    lines: list[str] = []
    line = head
    for word in _calm(text).split():
        gap = "" if line in (head, _INDENT) else " "
        if gap and columns(line + gap + word) > room:
            lines.append(line)
            line, gap = _INDENT, ""
        line += gap
        for character in word:
            if columns(line + character) > room and columns(character):
                lines.append(line)
                line = _INDENT
            line += character
    return [*lines, line]


def chat_lines_of(head: str, text: str) -> list[str]:
    """Return the lines of :func:`chat_lines` for the terminal that we are in."""
    return chat_lines(head, text, shutil.get_terminal_size().columns)


def columns(text: str) -> int:
    """Columns that a text takes at most; terminals do not agree about some characters."""
    return text_width(text, ambiguous=2)


def _calm(text: str) -> str:
    kept = []
    marks = 0
    for character in text:
        marks = marks + 1 if has_no_width(character) else 0
        if marks <= MARKS_LIMIT:
            kept.append(character)
    return "".join(kept)
