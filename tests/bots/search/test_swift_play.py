"""The functions that play on as swift does see what it sees, and choose as it does."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from hearts.bots.search.playing import HANDS, POINTS, TURN
from hearts.bots.search.position import state_of
from hearts.bots.search.settling import settle
from hearts.bots.search.swift_play import (
    MOST_ROWS,
    PASSED,
    RECEIVED,
    play_until,
    rows_at,
    seen_of,
    swift_pass,
)
from hearts.bots.swift.bot import SwiftBot, shipped_network
from hearts.bots.swift.rows import rows_of
from hearts.game.cards import mask_of
from hearts.game.events import Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.rules import PRESETS, Rules, parse_rules
from hearts.game.view import View, view_of
from tests.game.games import deal_by

SWIFT = SwiftBot(shipped_network())


def views_of_hand(source: random.Random, rules: Rules) -> Iterator[View]:
    """Those of a hand in which chance chooses every third card."""
    game = Game(rules, hands=source.randrange(4))
    game.apply(deal_by(source))
    while game.phase in (Phase.PASS, Phase.PLAY):
        player = game.waiting_for()[0]
        view = view_of(game, player)
        yield view
        if game.phase is Phase.PASS:
            game.apply(Pass(player, SWIFT.choose_pass(view)))
        else:
            chosen = SWIFT.choose_card(view), source.choice(view.legal_cards)
            game.apply(Play(player, chosen[source.random() < 1 / 3]))


@pytest.mark.parametrize("rules", [*PRESETS, "queen-keeps,notrick", "spot,rotate"])
def test_it_sees_what_swift_sees(rules: str) -> None:
    source, room = random.Random(rules), [0] * MOST_ROWS
    for view in views_of_hand(source, parse_rules(rules)):
        state, seen = state_of(view), seen_of(view)
        if view.legal:
            many = rows_at(state, seen, 0, 0, room)
            assert sorted(room[:many]) == sorted(rows_of(view))
        else:
            state[TURN] = view.player
            many = rows_at(state, seen, 0, 1, room)
            assert sorted(room[:many]) == sorted(rows_of(view, []))
            passed = swift_pass(state, seen, room, shipped_network())
            assert passed == mask_of(SWIFT.choose_pass(view))


@pytest.mark.parametrize("rules", ["standard", "jack,notrick", "spot", "rotate,dump,moon=minus"])
def test_it_plays_as_four_swifts_do(rules: str) -> None:
    source = random.Random(rules)
    for number in (1, 3):  # a pass, and none
        game = Game(parse_rules(rules), hands=number)
        game.apply(deal_by(source))
        state: list[int] = []
        while game.phase in (Phase.PASS, Phase.PLAY):
            player = game.waiting_for()[0]
            view = view_of(game, player)
            if game.phase is Phase.PASS:
                game.apply(Pass(player, SWIFT.choose_pass(view)))
                continue
            if not state:
                state, seen = state_of(view), seen_of(view)
                for seat in range(4):
                    state[HANDS + seat] = game.hand(seat)
                    seen[PASSED + seat] = mask_of(game.passes[seat] or ())
                    seen[RECEIVED + seat] = mask_of(game.received[seat])
                play_until(state, seen, [0] * MOST_ROWS, shipped_network(), 52)
                settle(state)
            game.apply(Play(player, SWIFT.choose_card(view)))
        assert tuple(state[POINTS : POINTS + 4]) == game.points
