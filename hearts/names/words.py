"""Twelve words that a master secret is written down as, by the English list of BIP-39.

The list is that of the npm package ``@scure/bip39`` 2.4.0 (``wordlists/english.js``), one word a
line. Its words differ in their first four letters.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.resources import files

from hearts.errors import HeartsError

SECRET_BYTES = 16
WORD_COUNT = 12
CHECKED = (3, 9)
"""The numbers of the words that are typed to show that all are written down."""
_BITS = 11
"""Of a word; those of all words but the last 4 are the secret."""
_CHECK_BITS = 4
_TELLING = 4
"""Letters by which a word is known."""
_TYPED = re.compile(r"[^\W\d_]+")


class WrongWords(HeartsError):
    """Words that give no secret."""

    def __init__(self, said: str, place: int | None = None, near: tuple[str, ...] = ()) -> None:
        super().__init__(said)
        self.place = place
        """The number of the word that is not in the list, from 1; None if it is not one word."""
        self.near = near
        """Words of the list that may be meant."""


@cache
def word_list() -> tuple[str, ...]:
    return tuple((files(__package__) / "english.txt").read_text("ascii").split())


def words_of(secret: bytes) -> tuple[str, ...]:
    """Return the twelve words of a secret of 16 bytes."""
    check = hashlib.sha256(secret).digest()[0] >> 8 - _CHECK_BITS
    number = int.from_bytes(secret, "big") << _CHECK_BITS | check
    places = (number >> _BITS * each & (1 << _BITS) - 1 for each in reversed(range(WORD_COUNT)))
    return tuple(word_list()[place] for place in places)


def secret_of(typed: str) -> bytes:
    """Return the secret of twelve words as somebody types them.

    Case and what stands between words do not count, and four letters are enough for a word.
    Raises WrongWords.
    """
    given = _TYPED.findall(typed.lower())
    places = [_place_of(word, number) for number, word in enumerate(given, 1)]
    if len(places) != WORD_COUNT:
        raise WrongWords(f"twelve words are needed, and these are {len(places)}")
    number = 0
    for place in places:
        number = number << _BITS | place
    secret = (number >> _CHECK_BITS).to_bytes(SECRET_BYTES, "big")
    if words_of(secret)[-1] != word_list()[places[-1]]:
        raise WrongWords(
            "each word is in the list, but together they are no secret: one is another word, or "
            "two have changed places"
        )
    return secret


def is_word(typed: str, word: str) -> bool:
    """Tell whether somebody has typed a word of the list, or its first four letters."""
    said = typed.strip().lower()
    return said[:_TELLING] == word[:_TELLING] and word.startswith(said)


def _place_of(word: str, number: int) -> int:
    known = _places().get(word[:_TELLING])
    if known is not None and is_word(word, word_list()[known]):
        return known
    from difflib import get_close_matches  # 30 ms, for who has mistyped a word

    near = tuple(get_close_matches(word, word_list(), 3))
    perhaps = f"; perhaps {' or '.join(near)}" if near else ""
    raise WrongWords(f"word {number}, {word!r}, is not in the list{perhaps}", number, near)


@cache
def _places() -> dict[str, int]:
    return {word[:_TELLING]: place for place, word in enumerate(word_list())}
