"""Hands played by chance under random rules, and views of them, for the tests of the search."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hearts.bots import RandomBot
from hearts.bots.search.playing import BEST, SIZE, SUIT, TURN, WINNER
from hearts.bots.search.position import put_rules
from hearts.game.cards import cards_of
from hearts.game.game import Game, Phase
from hearts.game.kernel import HandPlay, first_leader
from hearts.game.rules import Rules
from hearts.game.view import View
from tests.game.games import deal_by, rules_by, views_in


def begun_by(source: random.Random) -> tuple[HandPlay, Rules]:
    """A hand before its first card, by the kernel, and its rules."""
    rules = rules_by(source)
    hands = deal_by(source).hands
    return HandPlay(list(hands), rules, first_leader(hands, rules, source.randrange(4))), rules


def state_of_play(play: HandPlay, rules: Rules) -> list[int]:
    """A hand before its first card as a row of ints, all hands known."""
    state = [0] * SIZE
    state[:4] = play.hands
    state[SUIT] = state[BEST] = state[WINNER] = -1
    state[TURN] = play.turn
    put_rules(state, rules)
    return state


def views_by(source: random.Random, rules: Rules | None = None) -> Iterator[tuple[View, Game]]:
    """Each choice of a hand that is played by chance: the view of who is on turn, and the game."""
    game = Game(rules_by(source) if rules is None else rules, 100)
    game.hand_number = source.randrange(4) - 1
    game.apply(deal_by(source))
    for view in views_in(game, [RandomBot(source.random)] * 4):
        if game.phase is not Phase.MOON:
            yield view, game


def late_view(seed: int, played: int, rules: Rules | None = None) -> View:
    """The view of who is on turn when so many cards have been played, with a choice."""
    source = random.Random(seed)
    while True:
        for view, _ in views_by(source, rules):
            if len(view.history) == played and len(list(cards_of(view.legal))) > 1:
                return view
