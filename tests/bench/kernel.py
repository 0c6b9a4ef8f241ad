"""Random hands a second and core, for the rules kernel alone and for what stands on it.

Run it with ``python -m tests.bench.kernel``. The aim is 20,000 for the kernel alone.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

from hearts.bots import RandomBot
from hearts.game.cards import TWO_OF_CLUBS
from hearts.game.deal import Hands, deal_hands
from hearts.game.events import Deal
from hearts.game.game import Game
from hearts.game.kernel import HandPlay
from hearts.game.rules import PRESETS, STANDARD, Rules

from .bots import play_hand

ROUNDS = 5
"""The best of so many rounds counts: other load can only slow one down."""


def random_deal(shuffle: Callable[[list[int]], None]) -> Hands:
    """Four hands by Python's own shuffle."""
    deck = list(range(52))
    shuffle(deck)
    a, b, c, d = (sum(1 << card for card in deck[i : i + 13]) for i in range(0, 52, 13))
    return (a, b, c, d)


def play_random(hands: Hands, rules: Rules, draw: Callable[[], float]) -> HandPlay:
    """Play the tricks of one hand by chance, in the kernel alone."""
    two = 1 << TWO_OF_CLUBS
    leader = 0 if rules.rotating_lead else next(p for p in range(4) if hands[p] & two)
    play = HandPlay(list(hands), rules, leader)
    for _ in range(52):
        mask = play.legal()
        choices = mask.bit_count()
        if choices > 1:
            skip = int(draw() * choices)
            while skip:
                mask &= mask - 1
                skip -= 1
            mask &= -mask
        play.play(mask.bit_length() - 1)
    return play


def rate(hands: int, one: Callable[[int], object]) -> float:
    """Calls a second of ``one``, which gets the number of the call."""
    best = 0.0
    for _ in range(ROUNDS):
        begin = time.process_time()
        for number in range(hands):
            one(number)
        best = max(best, hands / (time.process_time() - begin))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=4000, help="hands in each round (4000)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    count = options.hands
    source = random.Random(options.seed)
    draw = source.random
    deals = [random_deal(source.shuffle) for _ in range(count)]
    secrets = [source.randbytes(16) for _ in range(count)]
    bots = [RandomBot(draw)] * 4

    def play_in_game(deal: Deal) -> None:
        game = Game()
        game.apply(deal)
        play_hand(game, bots)

    rows: list[tuple[str, Callable[[int], object]]] = [
        ("kernel, standard", lambda i: play_random(deals[i], STANDARD, draw)),
        *(
            (f"kernel, {name}", lambda i, rules=rules: play_random(deals[i], rules, draw))
            for name, rules in PRESETS.items()
            if rules != STANDARD
        ),
        (
            "kernel and a shuffle",
            lambda i: play_random(random_deal(source.shuffle), STANDARD, draw),
        ),
        (
            "kernel and the defined deal",
            lambda i: play_random(deal_hands(secrets[i]), STANDARD, draw),
        ),
        ("game, views, checks", lambda i: play_in_game(Deal(deals[i]))),
    ]
    print(f"{'random hands':<30}{'a second':>10}{'us a hand':>12}")
    for name, one in rows:
        speed = rate(count, one)
        print(f"{name:<30}{speed:>10,.0f}{1e6 / speed:>12.1f}")


if __name__ == "__main__":
    main()
