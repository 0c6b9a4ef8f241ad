"""The passes of a search: what the others are taken to pass is what the rule passes."""

from __future__ import annotations

import random

from hearts.bots.passing import by_trouble, trouble
from hearts.bots.search import passes
from hearts.game.cards import cards_of, mask_of
from hearts.game.rules import STANDARD, Rules
from tests.game.games import deal_by

HANDS = 300
JACK = Rules(jack=True)


def test_what_a_card_troubles_is_that_of_the_rule() -> None:
    source = random.Random(1)
    for _ in range(HANDS):
        for hand in deal_by(source).hands:
            for rules in (STANDARD, JACK):
                for card in cards_of(hand):
                    figure = passes.trouble(hand, card, rules.jack)
                    assert abs(figure - trouble(card, hand, rules)) < 1e-9


def test_most_trouble_is_what_the_rule_passes_first() -> None:
    source = random.Random(2)
    for _ in range(HANDS):
        for hand in deal_by(source).hands:
            for rules in (STANDARD, JACK):
                ranked = by_trouble(hand, rules)
                for many in (3, 7):
                    assert passes.most_trouble(hand, many, rules.jack) == mask_of(ranked[:many])
