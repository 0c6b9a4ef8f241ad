"""Rules for a text from somebody else, so that it paints nothing but itself.

SocketSpec.md section 1.4. The first rule holds for every text on the wire and is a fixed list. The
others hold for texts that a server takes from players. They depend on the version of Unicode, so no
program may refuse by them a text that another program has let pass.
"""

from __future__ import annotations

import re
import unicodedata

MARKS_LIMIT = 4
"""Characters without width (combining marks, joiners) that may stand behind each other."""

NOTICE_NAMES = ("*", "Table")
"""The names under which clients show notices (SocketSpec.md section 9.4); no player has one."""

# Control characters, separators, surrogates; what changes the direction of writing; what nobody
# sees. The joiners U+200C and U+200D are left, as scripts and emoji need them.
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f"
    "\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)
_JOINERS = "\u200c\u200d"
_UNSEEN = _JOINERS + "\ufe0f"
_OF_NOTICES = frozenset(name.casefold() for name in NOTICE_NAMES)
# Format controls of hieroglyphs, in a list because many programs know a Unicode that is older than
# some of them. Between them lie blanks and signs of lost hieroglyphs, which have a width.
_HIEROGLYPH_CONTROLS = frozenset(map(chr, (*range(0x13430, 0x13441), *range(0x13447, 0x13456))))
# The empty pattern of Braille, two hieroglyphs, and the head of a note that is not there.
_BLANKS = "\u2800\U00013441\U00013442\U0001d159"
# The beginnings of a formula of a spreadsheet.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def is_printable(text: str) -> bool:
    """Tell whether a text has no control, separator, direction or hidden character."""
    return (text.isascii() and text.isprintable()) or _UNPRINTABLE.search(text) is None


def is_legible(text: str) -> bool:
    """Tell whether a text is printable, without piles of marks that paint over other lines."""
    if text.isascii():
        return text.isprintable()
    if not is_printable(text):
        return False
    marks = 0
    for character in text:
        marks = marks + 1 if has_no_width(character) else 0
        if marks > MARKS_LIMIT:
            return False
    return True


def is_visible(text: str) -> bool:
    """Tell whether there is anything to be seen in a text."""
    return any(
        not (character.isspace() or character in _BLANKS or has_no_width(character))
        for character in text
    )


def has_no_width(character: str) -> bool:
    """Tell whether a character is drawn over the one before it, or joins two."""
    return (
        character in _JOINERS
        or character in _HIEROGLYPH_CONTROLS
        or unicodedata.category(character) in ("Mn", "Me")
    )


def essence(name: str) -> str:
    """Return the part of a name that the eye takes: the same for "Ann", "ann" and "Ann "."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join("".join(c for c in folded if c not in _UNSEEN).split())


def is_of_notices(name: str) -> bool:
    """Return True for a name that looks like one under which notices are shown."""
    return essence(name) in _OF_NOTICES


def quoted(name: str) -> str:
    """Return a name for the middle of a sentence: in quotation marks unless it is one plain word.

    So no name can go on with the sentence, or begin another.
    """
    plain = name.replace("-", "").replace("_", "")
    return name if plain.isalnum() else '"' + name.replace('"', "'") + '"'


def count_of(number: int, thing: str) -> str:
    """Return a number with its noun, such as "1 point" or "3 points"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def text_cell(text: str) -> str:
    """Return a text for a cell of CSV, with an apostrophe in front if a spreadsheet would run
    it.
    """
    return f"'{text}" if text.startswith(_FORMULAS) else text
