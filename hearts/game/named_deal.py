"""A deal as a person types it, perhaps with the rules it is played by: ``mac2000#CODE``."""

from __future__ import annotations

from msgspec import Struct

from .deal import deal_text, parse_deal_text
from .rules import Rules, parse_rules


class NamedDeal(Struct, frozen=True, gc=False):
    """A deal, and the rules that were typed with it."""

    secret: bytes
    cuts: bytes
    rules: Rules | None = None
    """None where none were typed."""

    @property
    def text(self) -> str:
        """The deal alone (:func:`hearts.game.deal.deal_text`)."""
        return deal_text(self.secret, self.cuts)

    def __str__(self) -> str:
        return self.text if self.rules is None else f"{self.rules}#{self.text}"


def parse_named_deal(text: str) -> NamedDeal:
    """The deal of ``CODE``, ``CODE+CUTS``, ``RULES#CODE`` or ``RULES#CODE+CUTS``.

    Raises InvalidDealCode or InvalidRules, saying what is wrong with the text.
    """
    before, hash_sign, deal = text.rpartition("#")
    secret, cuts = parse_deal_text(deal)
    return NamedDeal(secret, cuts, parse_rules(before) if hash_sign else None)
