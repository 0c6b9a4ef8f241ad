"""How much better one bot is than another, two against two, in points per hand.

Each deal is played six times, with every seating of two and two, so that luck of the deal counts
little.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import combinations

from hearts.bots import Bot, Draw, choose_moon
from hearts.game.events import ChooseMoon, Deal, Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.rules import Rules
from hearts.game.scoring import Four
from hearts.game.view import view_of

SEATINGS = tuple(combinations(range(4), 2))
"""The seats of the first bot."""
Maker = Callable[[Draw], Bot]


def play_hand(game: Game, bots: Sequence[Bot]) -> Four:
    """Play the hand that was dealt to its end; return the points that it gave."""
    before = game.scores
    while game.phase in (Phase.PASS, Phase.PLAY, Phase.MOON):
        player = game.waiting_for()[0]
        view, bot = view_of(game, player), bots[player]
        action: Pass | Play | ChooseMoon
        if game.phase is Phase.PLAY:
            action = Play(player, bot.choose_card(view))
        elif game.phase is Phase.PASS:
            action = Pass(player, tuple(bot.choose_pass(view)))
        else:
            action = ChooseMoon(player, choose_moon(bot, view))
        game.check(action)
        game.apply(action)
    a, b, c, d = (after - score for after, score in zip(game.scores, before, strict=True))
    return (a, b, c, d)


def difference(one: Maker, other: Maker, deals: int, rules: Rules, seed: int) -> list[float]:
    """Return for each deal by how many points a hand the bots of ``one`` were better."""
    source = random.Random(seed)
    differences = []
    for number in range(deals):
        deal = Deal.from_secret(source.randbytes(16))
        total = 0
        for seats in SEATINGS:
            bots = [(one if seat in seats else other)(source.random) for seat in range(4)]
            game = Game(rules, 10_000)
            game.hand_number = number % 4 - 1
            game.apply(deal)
            points = play_hand(game, bots)
            total += sum(points) - 2 * sum(points[seat] for seat in seats)
        differences.append(total / 2 / len(SEATINGS))
    return differences
