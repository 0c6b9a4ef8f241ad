"""A deal whose player 0 can claim the rest, if they play their highest card again and again."""

from __future__ import annotations

from hearts.game.cards import Card
from hearts.game.rules import parse_rules
from hearts.game.view import View
from hearts.session.messages import Options

CODE = "0000-0000-0000-0000-0000-0002-0SGY"
RULES = Options(frozenset({1, 2, 3}), parse_rules("rotate,pass=never"))
CARDS = 7
"""Their hand then."""


def highest(view: View) -> Card:
    return max(view.legal_cards, key=lambda card: (card.rank, card))
