"""The share of mistakes that are found, and of those that get a reason in words.

``python -m tests.bench.mistakes asked --hands 200`` judges the hands of a novice among novices, and
looks at all that would be asked again in 1,000 other deals. ``python -m tests.bench.mistakes
blunders --hands 200`` puts a card by chance into hands of four swifts, one in each, and says how
many of those that cost 2 points or more for sure are found.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator

from hearts.bots import Bot, NoviceBot
from hearts.bots.swift.bot import SwiftBot, shipped_network
from hearts.game.events import Deal, Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.rules import STANDARD
from hearts.game.view import View, view_of
from hearts.judging.judge import SwiftJudge
from hearts.judging.outlook import Cards, ChoiceOutlook
from hearts_client.words.opinions import reasons
from hearts_client.words.style import Style

Figures = dict[str, int]
TRUTH_DEALS = 1000
BLUNDER = 2.0
"""Points that a blunder costs at least, and four standard errors."""


def hand_of(bot: Bot, chance: random.Random, number: int) -> Iterator[tuple[View, Cards]]:
    """Give the choices of one player in a hand that four alike play."""
    game = Game(STANDARD, hands=number % 4)
    game.apply(Deal.from_secret(chance.randbytes(16)))
    while game.phase in (Phase.PASS, Phase.PLAY):
        player = game.waiting_for()[0]
        view = view_of(game, player)
        if game.phase is Phase.PASS:
            passed = tuple(sorted(bot.choose_pass(view)))
            game.apply(Pass(player, passed))
            chosen: Cards = passed
        else:
            chosen = (bot.choose_card(view),)
            game.apply(Play(player, chosen[0]))
        if player == number // 4 % 4 and (len(chosen) == 3 or len(view.legal_cards) > 1):
            yield view, chosen


def asked(hands: int, chance: random.Random, judge: SwiftJudge, truth: SwiftJudge) -> Figures:
    novice, style = NoviceBot(chance.random), Style(ascii=True)
    choices, found = 0, []
    for number in range(hands):
        for view, chosen in hand_of(novice, chance, number):
            choices += 1
            outlook = judge.judge(view, chosen)
            if outlook is None:
                continue
            better = outlook.best.cards
            again = truth.look(view, [better, chosen])
            why = reasons(view, outlook.best, outlook.of(*chosen), style, str)
            found.append((_difference(again.of(*chosen), again.of(*better)), len(why)))
    return {
        "hands": hands,
        "choices": choices,
        "asked": len(found),
        "cost something for sure": sum(loss > 2 * error for (loss, error), _ in found),
        "cost a point or more": sum(loss >= 1 for (loss, _), _ in found),
        "cost nothing or less": sum(loss <= 0 for (loss, _), _ in found),
        "with a reason in words": sum(bool(why) for _, why in found),
    }


def blunders(hands: int, chance: random.Random, judge: SwiftJudge, truth: SwiftJudge) -> Figures:
    swift = SwiftBot(shipped_network())
    made = found = good = wrong = 0
    for number in range(hands):
        choices = [one for one in hand_of(swift, chance, number) if one[0].legal]
        view, best = chance.choice(choices)
        card = chance.choice([one for one in view.legal_cards if one != best[0]])
        again = truth.look(view, [best, (card,)])
        loss, error = _difference(again.of(card), again.of(*best))
        if loss >= max(BLUNDER, 4 * error):
            made += 1
            found += judge.judge(view, (card,)) is not None
        elif loss + 2 * error < 0.5:
            good += 1
            wrong += judge.judge(view, (card,)) is not None
    return {"hands": hands, "blunders": made, "found": found, "no blunders": good, "asked": wrong}


def _difference(one: ChoiceOutlook, other: ChoiceOutlook) -> tuple[float, float]:
    return one.loss - other.loss, max(one.error, other.error)


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.mistakes", description=__doc__)
    parser.add_argument("what", choices=("asked", "blunders"))
    parser.add_argument("--hands", type=int, default=200)
    parser.add_argument("--deals", type=int, default=0)
    parser.add_argument("--truth", type=int, default=TRUTH_DEALS)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    judge, truth = SwiftJudge(given.deals, given.seed), SwiftJudge(given.truth, given.seed + 1)
    measure = asked if given.what == "asked" else blunders
    print(json.dumps(measure(given.hands, random.Random(given.seed), judge, truth), indent=1))


if __name__ == "__main__":
    main()
