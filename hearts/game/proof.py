"""The two notices that make a deal checkable: a promise before it, its secret after it.

The game server sends them over the taunt server as player -1 (SocketSpec.md section 7.6). Unlike
other notices they are for programs, so their text is exact.
"""

from __future__ import annotations

import re

from msgspec import Struct

from .cuts import ShownCuts
from .deal import NO_CUTS, commitment, deal_code, parse_cuts, parse_deal_code

_NOTICE = re.compile(
    r"deal (?P<deal>[1-9][0-9]{0,8}) "
    r"(?:commitment (?P<digest>[0-9a-f]{64})"
    r"|was (?P<code>[0-9A-Z-]{34})(?: cuts (?P<cuts>[0-9a-f]{64}))?)"
)


class Commitment(Struct, frozen=True, gc=False):
    """The promise of a deal, made before its cards are dealt."""

    deal: int
    """Deals are counted from 1 within a session."""
    digest: bytes
    """SHA-256 of the secret, 32 bytes."""

    def format(self) -> str:
        """The text of the notice."""
        return f"deal {self.deal} commitment {self.digest.hex()}"


class Disclosure(Struct, frozen=True, gc=False):
    """The secret of a deal, told when its hand is over."""

    deal: int
    """Deals are counted from 1 within a session."""
    secret: bytes
    """16 bytes."""
    cuts: bytes = NO_CUTS
    """32 bytes, 8 of each player."""
    shown: ShownCuts | None = None
    """Where the cuts are from; no notice says it."""

    def format(self) -> str:
        """The text of the notice."""
        text = f"deal {self.deal} was {deal_code(self.secret)}"
        return text if self.cuts == NO_CUTS else f"{text} cuts {self.cuts.hex()}"


def commitment_notice(number: int, secret: bytes) -> str:
    """The notice before a deal; ``number`` counts the deals of a session from 1."""
    return Commitment(number, commitment(secret)).format()


def disclosure_notice(number: int, secret: bytes, cuts: bytes = NO_CUTS) -> str:
    """The notice after the hand of a deal; ``number`` counts the deals of a session from 1."""
    return Disclosure(number, secret, cuts).format()


def parse_notice(text: str) -> Commitment | Disclosure | None:
    """What a notice says about a deal; None for every other text."""
    match = _NOTICE.fullmatch(text)
    if match is None:
        return None
    deal = int(match["deal"])
    if match["digest"] is not None:
        return Commitment(deal, bytes.fromhex(match["digest"]))
    try:
        secret = parse_deal_code(match["code"])
        cuts = NO_CUTS if match["cuts"] is None else parse_cuts(match["cuts"])
    except ValueError:
        return None
    # A deal code can be typed in many ways and is written in one.
    return Disclosure(deal, secret, cuts) if deal_code(secret) == match["code"] else None
