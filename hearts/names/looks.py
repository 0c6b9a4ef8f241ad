"""The looks of a name: which names an eye may take for each other.

SocketSpec.md, annex E. The table of characters is pinned (:data:`UNICODE_VERSION`); a claim of
earlier stands when it changes.
"""

from __future__ import annotations

import unicodedata

from hearts.errors import InvalidName
from hearts.wire.text import essence

from .confusables import LIKE
from .confusables import UNICODE_VERSION as UNICODE_VERSION

_WORDS = iter(LIKE.split())
_STANDS = str.maketrans({each: stands for stands in _WORDS for each in next(_WORDS)})
_TOGETHER = (
    frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"}),
    frozenset({"CJK", "HANGUL"}),
    frozenset({"CJK", "BOPOMOFO"}),
)
"""Scripts in which one language is written."""


def looks(name: str) -> frozenset[str]:
    """Return the looks of a name; two names that share one may be taken for each other.

    Case makes no difference, but some letters look like others in one case alone: so the looks
    are those of the name as it is, and of its small letters.
    """
    return frozenset(_folded(_skeleton(each)) for each in (name, essence(name)))


def _folded(skeleton: str) -> str:
    # In the table 0 is like a capital O alone.
    return _skeleton(skeleton.casefold()).replace("0", "o")


def _skeleton(name: str) -> str:
    # As UTS 39 has it, but for compatibility: 𝐀 and A are the same from the start.
    seen = unicodedata.normalize("NFKD", " ".join(name.split()))
    return unicodedata.normalize("NFKD", seen.translate(_STANDS))


def check_claimable(name: str) -> None:
    """Raise InvalidName, with the reason, for a name that nobody may claim, whatever others have.

    It has letters of one script, all of them known to this program, and begins with a letter or
    digit: many signs look like the mark of a guest.
    """
    if not name[:1].isalnum() or name != name.strip():
        raise InvalidName("a name begins with a letter or a digit, and ends without a space")
    if any(unicodedata.category(each) == "Cn" for each in name):
        raise InvalidName("a name has no characters that the server does not know")
    scripts = frozenset(map(_script, filter(str.isalpha, unicodedata.normalize("NFKC", name))))
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        raise InvalidName("the letters of a name are of one script")


def _script(letter: str) -> str:
    # Python knows no scripts; the names of letters begin with theirs.
    return unicodedata.name(letter, letter).split()[0]
