"""The defined shuffle, the codes that name a deal, and the notices about it (SocketSpec.md 7).

A deal follows from a secret of 16 bytes and the cuts of the players alone, so the same code gives
the same four hands on any machine and in any language.

The game server tells a promise before each deal and its secret after it, over the taunt server as
player -1 (SocketSpec.md section 7.6). Unlike other notices these are for programs, so their text is
exact.
"""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from hearts.errors import InvalidDealCode

from .cards import CARDS
from .cuts import NO_HASHES, FourHashes, ShownCuts
from .rules import Rules, parse_rules

SECRET_BYTES = 16
NO_CUT = bytes(8)
"""The bytes that stand for the cut of a player who does not cut."""
NO_CUTS = 4 * NO_CUT

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LOOKALIKES = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})
_CODE_CHARACTERS = 28
_CUTS = re.compile("[0-9a-f]{64}")
_NOTICE = re.compile(
    r"deal (?P<deal>[1-9][0-9]{0,8}) "
    r"(?:commitment (?P<digest>[0-9a-f]{64})"
    r"|was (?P<code>[0-9A-Z-]{34})(?: cuts (?P<cuts>[0-9a-f]{64}))?)"
)
_WORDS = struct.Struct(">8I")
_DECK = [1 << card for card in sorted(CARDS, key=lambda card: card.wire)]
_SHUFFLE = [(i, i + 1, 0x1_0000_0000 - 0x1_0000_0000 % (i + 1)) for i in range(51, 0, -1)]

Hands = tuple[int, int, int, int]
"""The hands of players 0-3 as masks of card indexes."""


@lru_cache(maxsize=64)  # A deal is proposed, and read again when it is durable.
def deal_hands(secret: bytes, cuts: bytes = NO_CUTS) -> Hands:
    """Return the four hands that a secret of 16 bytes (and 4 cuts of 8 bytes) gives, as masks.

    SocketSpec.md section 7: a Fisher-Yates shuffle of the wire numbers 1-52, driven by a stream of
    SHA-256 blocks without modulo bias. Raises ValueError for sizes that are wrong.
    """
    if len(secret) != SECRET_BYTES or len(cuts) != len(NO_CUTS):
        raise ValueError(f"a deal takes 16 and 32 bytes, not {len(secret)} and {len(cuts)}")
    words = _words(hashlib.sha256(b"hearts deal 1" + secret + cuts).digest())
    deck = _DECK.copy()
    for i, size, limit in _SHUFFLE:
        word = next(words)
        while word >= limit:
            word = next(words)
        j = word % size
        deck[i], deck[j] = deck[j], deck[i]
    return (sum(deck[:13]), sum(deck[13:26]), sum(deck[26:39]), sum(deck[39:]))


def _words(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(key + block.to_bytes(4, "big")).digest()
        yield from _WORDS.unpack(digest)
        block += 1


def commitment(secret: bytes) -> bytes:
    """Hash a secret, to promise it before its deal: SHA-256, 32 bytes.

    SocketSpec.md section 7.6. Raises ValueError for a secret that has not 16 bytes.
    """
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
    return hashlib.sha256(secret).digest()


def deal_code(secret: bytes) -> str:
    """Return the printable name of a deal: seven groups of four characters, the last two a
    check.
    """
    number = int.from_bytes(secret, "big") << 10 | _check(secret)
    places = reversed(range(_CODE_CHARACTERS))
    text = "".join(_ALPHABET[number >> 5 * place & 0x1F] for place in places)
    return "-".join(text[i : i + 4] for i in range(0, _CODE_CHARACTERS, 4))


def parse_deal_code(text: str) -> bytes:
    """Return the secret that a deal code names; case, dashes, spaces and look-alikes do not matter.

    Raises InvalidDealCode, saying what is wrong with the text.
    """
    strange = next((character for character in text if not character.isascii()), None)
    if strange is not None:
        raise InvalidDealCode(f"{strange!r} does not occur in a deal code")
    tidy = text.strip().upper().translate(_LOOKALIKES)
    if len(tidy) != _CODE_CHARACTERS:
        raise InvalidDealCode(
            f"a deal code has {_CODE_CHARACTERS} letters and digits, this one has {len(tidy)}"
        )
    number = 0
    for character in tidy:
        if character not in _ALPHABET:
            raise InvalidDealCode(f"{character!r} does not occur in a deal code")
        number = number << 5 | _ALPHABET.index(character)
    if number >> 138:
        raise InvalidDealCode("a deal code begins with a digit from 0 to 7")
    secret = (number >> 10).to_bytes(SECRET_BYTES, "big")
    if number & 0x3FF != _check(secret):
        raise InvalidDealCode("the last two characters do not fit: is there a typing error?")
    return secret


def deal_text(secret: bytes, cuts: bytes = NO_CUTS) -> str:
    """Return the printable name of a deal that may be cut: its code, and ``+`` and the cuts if
    it is.
    """
    code = deal_code(secret)
    return code if cuts == NO_CUTS else f"{code}+{cuts.hex()}"


def parse_deal_text(text: str) -> tuple[bytes, bytes]:
    """Return the secret and the cuts that such a text names; case and spaces do not matter.

    Raises InvalidDealCode, saying what is wrong with the text.
    """
    code, plus, rest = text.partition("+")
    secret = parse_deal_code(code)
    if not plus:
        return secret, NO_CUTS
    try:
        return secret, parse_cuts(rest.strip().lower())
    except ValueError as error:
        raise InvalidDealCode(f"what stands behind '+' is no cut: {error}") from None


def parse_cuts(text: str) -> bytes:
    """Cuts that are not all zero, from 64 hexadecimal digits in lower case. Raises ValueError."""
    if _CUTS.fullmatch(text) is None or not int(text, 16):
        raise ValueError("cuts are 64 hexadecimal digits, not all of them 0")
    return bytes.fromhex(text)


def _check(secret: bytes) -> int:
    digest = hashlib.sha256(b"hearts deal code" + secret).digest()
    return int.from_bytes(digest[:2], "big") >> 6


# The notices that make a deal checkable


class DealPromised(Struct, frozen=True, gc=False):
    """The promise of the next deal; deals are counted from 1 within a session."""

    deal: int
    digest: bytes
    """SHA-256 of the secret, 32 bytes."""
    hashes: FourHashes = NO_HASHES
    """The commitments of those who cut; no notice contains them."""

    def format(self) -> str:
        return f"deal {self.deal} commitment {self.digest.hex()}"


class DealDisclosed(Struct, frozen=True, gc=False):
    """The secret and the cuts of a deal, told when its hand is over."""

    deal: int
    secret: bytes
    """16 bytes."""
    cuts: bytes = NO_CUTS
    """32 bytes, 8 of each player."""
    shown: ShownCuts | None = None
    """The hashes and values behind the cuts, which no notice contains; None if nobody was to
    cut."""

    def format(self) -> str:
        text = f"deal {self.deal} was {deal_code(self.secret)}"
        return text if self.cuts == NO_CUTS else f"{text} cuts {self.cuts.hex()}"


def commitment_notice(number: int, secret: bytes) -> str:
    """Return the notice before a deal; ``number`` counts the deals of a session from 1."""
    return DealPromised(number, commitment(secret)).format()


def disclosure_notice(number: int, secret: bytes, cuts: bytes = NO_CUTS) -> str:
    """Return the notice after the hand of a deal; ``number`` counts the deals of a session from
    1.
    """
    return DealDisclosed(number, secret, cuts).format()


def parse_notice(text: str) -> DealPromised | DealDisclosed | None:
    """Read a notice about a deal; None for every other text."""
    match = _NOTICE.fullmatch(text)
    if match is None:
        return None
    deal = int(match["deal"])
    if match["digest"] is not None:
        return DealPromised(deal, bytes.fromhex(match["digest"]))
    try:
        secret = parse_deal_code(match["code"])
        cuts = NO_CUTS if match["cuts"] is None else parse_cuts(match["cuts"])
    except ValueError:
        return None
    # A deal code can be typed in many ways and is written in one.
    return DealDisclosed(deal, secret, cuts) if deal_code(secret) == match["code"] else None


# A deal as a person types it


class NamedDeal(Struct, frozen=True, gc=False):
    """A deal, and the rules that were typed with it."""

    secret: bytes
    cuts: bytes
    rules: Rules | None = None
    """None if no rules were typed."""

    @property
    def text(self) -> str:
        """The deal alone (:func:`hearts.game.deal.deal_text`)."""
        return deal_text(self.secret, self.cuts)

    def __str__(self) -> str:
        return self.text if self.rules is None else f"{self.rules}#{self.text}"


def parse_named_deal(text: str) -> NamedDeal:
    """Return the deal of ``CODE``, ``CODE+CUTS``, ``RULES#CODE`` or ``RULES#CODE+CUTS``.

    Raises InvalidDealCode or InvalidRules, saying what is wrong with the text.
    """
    before, hash_sign, deal = text.rpartition("#")
    secret, cuts = parse_deal_text(deal)
    return NamedDeal(secret, cuts, parse_rules(before) if hash_sign else None)
