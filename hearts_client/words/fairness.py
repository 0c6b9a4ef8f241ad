"""Who can have chosen a deal, in words (DealerSpec.md section 14.8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from hearts.dealer.deal_verifier import DealChecked, Fairness
from hearts.wire.text import quoted


def fairness_in_words(checked: DealChecked, names: Sequence[str]) -> str | None:
    """A sentence about a deal, without its first word's capital; None if nobody has cut it."""
    missing = [
        f"{quoted(names[player])}: {gone} of {of} numbers missing"
        for player in checked.missing
        for gone, of in (checked.counts[player],)
    ]
    match checked.fairness:
        case Fairness.NOBODY:
            said = "nobody chose it"
        case Fairness.WITHHOLDERS:
            who = " and ".join(quoted(names[player]) for player in checked.missing)
            said = f"nobody chose it, but for whether {who} showed a number or not"
        case Fairness.ANYBODY:
            said = "your number was left out: this deal may have been chosen"
        case Fairness.NOT_CUT:
            if not any(of for _, of in checked.counts):
                return None
            said = "you did not cut it"
        case _:
            assert_never(checked.fairness)
    return "; ".join([said, *missing])
