"""How rollouts play by what was learned: every card has odds, and is drawn by them."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from hearts.bots.search.learned import (
    ODDS,
    PLACES,
    choose,
    hidden_from,
    moon_place,
    odds_of,
    places,
    queen_place,
)
from hearts.bots.search.playing import HANDS, LEARNED, TAKEN, TRICK, TURN
from hearts.bots.search.position import state_of
from hearts.game.cards import FULL_DECK, cards_of
from hearts.game.rules import parse_rules

from .positions import late_view, views_by


def test_every_legal_card_has_its_places() -> None:
    assert len(ODDS) == PLACES
    source = random.Random(6)
    seen: set[int] = set()
    for _ in range(60):
        for view, _ in views_by(source):
            if not view.legal:
                continue
            state = state_of(view, learned=True)
            out = hidden_from(state)
            assert out == FULL_DECK & ~(view.hand | sum(state[TAKEN : TAKEN + 4]) | state[TRICK])
            queen, moon = queen_place(view.hand, out), moon_place(state)
            for card in cards_of(view.legal):
                found = places(state, view.legal, card, view.hand, out, queen, moon)
                # Four tables, so that no number counts twice.
                assert len(set(found)) == 4
                assert 0 <= min(found) <= max(found) < PLACES
                seen.update(found)
    assert len(seen) > 1_000


@pytest.mark.parametrize("played", [0, 5, 18, 30])
def test_a_card_comes_as_often_as_its_odds_say(played: int) -> None:
    view = late_view(3, played, parse_rules("rotate"))
    state = state_of(view, 12345, learned=True)
    hand = state[HANDS + state[TURN]]
    out = hidden_from(state)
    odds = {
        card: odds_of(state, view.legal, card, hand, out, queen_place(hand, out), moon_place(state))
        for card in cards_of(view.legal)
    }
    draws = 5_000
    found = Counter(choose(state, view.legal) for _ in range(draws))
    assert sum(found.values()) == draws
    for card, one in odds.items():
        share = one / sum(odds.values())
        assert found[card] / draws == pytest.approx(share, abs=0.03)


def test_the_jack_of_diamonds_is_left_to_habits() -> None:
    for rules, learned in (("standard", 1), ("jack", 0)):
        state = state_of(late_view(1, 10, parse_rules(rules)), learned=True)
        assert state[LEARNED] == learned
