"""The view of a seat; that nothing in it depends on a hidden card is in tests/table."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

from hearts.game.cards import CARDS, by_wire, mask_of
from hearts.game.events import (
    CardPlayed,
    CardsReceived,
    HandDealt,
    Pass,
    PassesExchanged,
    PassMade,
    YourHand,
)
from hearts.game.game import Game, Phase
from hearts.game.rules import Direction, Rules, parse_rules
from hearts.game.view import seen_by, view_of
from tests.game.games import ALL_RULES, SEEDS, deal_by, play_by_chance


@given(ALL_RULES, SEEDS)
def test_a_view_agrees_with_the_game(rules: Rules, seed: int) -> None:
    game = Game(rules, 60)
    for _ in play_by_chance(game, random.Random(seed), 2):
        views = [view_of(game, player) for player in range(4)]
        on_turn = game.waiting_for() if game.phase is Phase.PLAY else ()
        for player, view in enumerate(views):
            assert view.player == player
            assert view.hand == game.hand(player)
            assert (view.legal != 0) == (player in on_turn)
            assert view.legal & ~view.hand == 0
            assert view.cards == by_wire(view.hand)
            assert view.legal_cards == by_wire(view.legal)
            assert view.scores == game.scores
            assert mask_of(view.trick) | sum(view.taken) == mask_of(view.history)
        open_cards = mask_of(game.history)
        if game.play is not None:
            assert open_cards | sum(view.hand for view in views) == 2**52 - 1


def test_views_of_a_hand_with_a_pass() -> None:
    game = Game()
    deal = deal_by(random.Random(8))
    game.apply(deal)
    before = view_of(game, 2)
    assert (before.hand, before.legal, before.passed, before.received) == (deal.hands[2], 0, (), ())
    assert (before.direction, before.hand_number, before.history) == (Direction.LEFT, 0, ())
    passes = [by_wire(hand)[:3] for hand in deal.hands]
    game.apply(Pass(2, passes[2]))
    after = view_of(game, 2)
    assert after.passed == passes[2]
    assert after.hand == deal.hands[2] & ~mask_of(passes[2])
    assert view_of(game, 1).passed == ()
    for player in (0, 1, 3):
        game.apply(Pass(player, passes[player]))
    assert view_of(game, 2).received == passes[1]
    assert sum(view_of(game, player).legal != 0 for player in range(4)) == 1


def test_points_of_a_view_count_the_jack() -> None:
    game = Game(parse_rules("jack,pass=never"))
    for _ in play_by_chance(game, random.Random(2), 1):
        pass
    assert sum(view_of(game, 0).points) == 16


@pytest.mark.parametrize("player", range(4))
def test_what_is_left_of_an_event(player: int) -> None:
    deal = deal_by(random.Random(1))
    three = (CARDS[3], CARDS[1], CARDS[2])
    seen = seen_by(HandDealt(4, Direction.RIGHT, deal.hands), player)
    assert seen == YourHand(4, Direction.RIGHT, by_wire(deal.hands[player]))
    made = PassMade(2, three, Pass(2, three).by)
    assert seen_by(made, player) == (made if player == 2 else None)
    received = tuple(by_wire(hand)[:3] for hand in deal.hands)
    assert seen_by(PassesExchanged(received), player) == CardsReceived(received[player])
    played = CardPlayed(1, CARDS[7], made.by)
    assert seen_by(played, player) is played
