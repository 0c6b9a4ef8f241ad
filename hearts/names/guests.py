"""The mark of a guest: a player who has not proved that their name is theirs.

SocketSpec.md, annex E.
"""

from __future__ import annotations

from hearts.wire.codec import NAME_LIMIT
from hearts.wire.text import has_no_width

MARK = "~"
"""It stands in front of a guest's name."""
_JOINER = "\u200d"


def without_mark(name: str) -> str:
    """Return a name without marks in front, nor what would be drawn over one."""
    while name and (name[0] == MARK or has_no_width(name[0])):
        name = name[1:]
    return name


def as_guest(name: str) -> str:
    """Return a name as that of a guest, in at most 30 bytes; no character is cut in two."""
    marked = MARK + without_mark(name)
    if len(marked.encode()) <= NAME_LIMIT:
        return marked
    kept = marked.encode()[:NAME_LIMIT].decode(errors="ignore")
    # A letter without its accents is another one, and so is half of an emoji.
    while len(kept) > 1 and (has_no_width(marked[len(kept)]) or kept[-1] == _JOINER):
        kept = kept[:-1]
    return kept.rstrip()
