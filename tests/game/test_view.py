"""What a seat may know: nothing in it depends on a card that is hidden from it."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hearts.game.cards import CARDS, TWO_OF_CLUBS, Card, by_wire, mask_of
from hearts.game.events import (
    AbortHand,
    Action,
    CardPlayed,
    CardsReceived,
    ChooseMoon,
    Deal,
    HandDealt,
    Pass,
    PassesExchanged,
    PassMade,
    Play,
    SeenEvent,
    YourHand,
)
from hearts.game.game import Game, Phase
from hearts.game.rules import Direction, Rules, parse_rules
from hearts.game.view import View, seen_by, view_of
from tests.game.games import ALL_RULES, SEEDS, deal_by, game_by_chance, play_by_chance


def _exchange(action: Action, x: Card, y: Card) -> Action:
    """The same action in a deal where two cards have changed places."""

    def other(card: Card) -> Card:
        return y if card == x else x if card == y else card

    match action:
        case Deal(hands):
            both = 1 << x | 1 << y
            a, b, c, d = (hand ^ both if (hand & both).bit_count() == 1 else hand for hand in hands)
            return Deal((a, b, c, d))
        case Pass(player, cards, by):
            return Pass(player, tuple(map(other, cards)), by)
        case Play(player, card, by):
            return Play(player, other(card), by)
        case ChooseMoon() | AbortHand():
            return action


def _watch(rules: Rules, actions: list[Action], player: int) -> tuple[list[SeenEvent], list[View]]:
    """What a player sees of a game: the events, and his view after each action."""
    game = Game(rules)
    events, views = [], []
    for action in actions:
        for event in game.apply(action):
            seen = seen_by(event, player)
            if seen is not None:
                events.append(seen)
        views.append(view_of(game, player))
    return events, views


@given(ALL_RULES, SEEDS, st.integers(0, 3), st.integers(1, 57))
def test_nothing_seen_depends_on_a_hidden_card(
    rules: Rules, seed: int, player: int, moves: int
) -> None:
    source = random.Random(seed)
    actions = game_by_chance(rules, seed, 1)[:moves]
    game = Game(rules)
    for action in actions:
        game.apply(action)
    known = game.dealt[player] | mask_of(game.received[player]) | mask_of(game.history)
    hidden = [card for card in CARDS if not known >> card & 1 and card != TWO_OF_CLUBS]
    assume(len(hidden) >= 2)
    x, y = source.sample(hidden, 2)
    exchanged = [_exchange(action, x, y) for action in actions]
    assert _watch(rules, actions, player) == _watch(rules, exchanged, player)


def test_an_exchange_of_seen_cards_is_seen() -> None:
    actions = game_by_chance(parse_rules("pass=never"), 1, 1)[:9]
    player = 0
    assert isinstance(actions[0], Deal)
    mine = by_wire(actions[0].hands[player])[0]
    other = by_wire(actions[0].hands[1])[0]
    exchanged = [_exchange(action, mine, other) for action in actions]
    rules = parse_rules("pass=never")
    assert _watch(rules, actions, player) != _watch(rules, exchanged, player)


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
