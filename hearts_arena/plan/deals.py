"""Which cards are dealt in a tournament, so that anybody can deal them again.

The secret of a hand (SocketSpec.md section 7) is the first 16 bytes of the SHA-256 of a line of
ASCII without a line break::

    hearts-arena 1 seed 5 block 7 hand 0

The seed is that of the plan. Blocks, and the hands of a match, are counted from 0. All matches of
a block have the same deals: for every seating, and for every direction of the pass. If the plan
wants deals of its own for each match, ``match`` and the number of the match, from 0, stand in the
place of ``block 7``. Nothing else goes in: neither rules nor players, so tournaments of the same
seed have the same deals. Nobody cuts. A plan may have codes of deals instead.
"""

from __future__ import annotations

import hashlib

from hearts.game.deal import SECRET_BYTES, parse_deal_code

from .plan import Plan
from .results import Match


def secret(plan: Plan, match: Match, hand: int) -> bytes:
    """Return the 16 bytes from which a hand is dealt: of the plan's own codes, or of its seed.

    ``hand`` counts the hands of the match from 0, whatever its first hand is.
    """
    if plan.codes:
        return parse_deal_code(plan.codes[match.block * (plan.hands or 1) + hand])
    return hashlib.sha256(secret_text(plan, match, hand).encode()).digest()[:SECRET_BYTES]


def secret_text(plan: Plan, match: Match, hand: int) -> str:
    where = f"block {match.block}" if plan.duplicate else f"match {match.number}"
    return f"hearts-arena 1 seed {plan.seed} {where} hand {hand}"
