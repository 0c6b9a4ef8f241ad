"""The share of mistakes that are found, and of those that get a reason in words.

``python -m tests.bench.mistakes asked --hands 200`` judges the hands of a novice among novices, and
looks at all that would be asked again in 1,000 other deals. ``python -m tests.bench.mistakes
blunders --hands 200`` puts a card by chance into hands of four swifts, one in each, and says how
many of those that cost 2 points or more for sure are found; ``page`` says how many the page finds.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from hearts.bots import Bot, NoviceBot
from hearts.bots.swift.bot import SwiftBot, shipped_network
from hearts.game.cards import Card
from hearts.game.events import Deal, Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.rules import STANDARD
from hearts.game.view import View, view_of
from hearts.judging.judge import SwiftJudge
from hearts.judging.outlook import Cards, ChoiceOutlook
from hearts.session.hand_link import LinkedHand, format_link
from hearts_client.words.opinions import reasons
from hearts_client.words.style import Style

Figures = dict[str, int]
PAGE_TEST = Path(__file__).parents[1] / "page" / "mistakes.test.mjs"
TRUTH_DEALS = 1000
BLUNDER = 2.0
"""Points that a blunder costs at least, and four standard errors."""


def hand_of(bot: Bot, secret: bytes, number: int) -> Iterator[tuple[View, Cards]]:
    """Give the choices of one player in a hand that four alike play."""
    game = Game(STANDARD, hands=number % 4)
    game.apply(Deal.from_secret(secret))
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
        for view, chosen in hand_of(novice, chance.randbytes(16), number):
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


class Constructed(Struct, frozen=True):
    """A card by chance in a hand of four swifts, in place of what swift would have played."""

    secret: bytes
    number: int
    """That of the hand, from 0; it says the direction of the pass, and whose the card is."""
    view: View
    card: Card
    is_blunder: bool
    """True if it costs two points or more for sure; else it costs less than half a point."""

    def link(self) -> str:
        """Return the hand with that card, which swifts play on, as a link."""
        swift, game = SwiftBot(shipped_network()), Game(STANDARD, hands=self.number % 4)
        deal = Deal.from_secret(self.secret)
        choices: list[Pass | Play] = []
        game.apply(deal)
        while game.phase in (Phase.PASS, Phase.PLAY):
            player = game.waiting_for()[0]
            view = view_of(game, player)
            choice: Pass | Play
            if game.phase is Phase.PASS:
                choice = Pass(player, tuple(sorted(swift.choose_pass(view))))
            else:
                is_it = view.history == self.view.history
                choice = Play(player, self.card if is_it else swift.choose_card(view))
            choices.append(choice)
            game.apply(choice)
        own, number = self.number // 4 % 4, self.number % 4 + 1
        zero = (0, 0, 0, 0)
        return format_link(LinkedHand(STANDARD, 100, number, deal, tuple(choices), zero, own=own))


def constructed(hands: int, chance: random.Random, truth: SwiftJudge) -> Iterator[Constructed]:
    """Yield a card for each hand in which it is a blunder for sure, or surely none."""
    swift = SwiftBot(shipped_network())
    for number in range(hands):
        secret = chance.randbytes(16)
        choices = [one for one in hand_of(swift, secret, number) if one[0].legal]
        view, best = chance.choice(choices)
        card = chance.choice([one for one in view.legal_cards if one != best[0]])
        again = truth.look(view, [best, (card,)])
        loss, error = _difference(again.of(card), again.of(*best))
        is_blunder = loss >= max(BLUNDER, 4 * error)
        if is_blunder or loss + 2 * error < 0.5:
            yield Constructed(secret, number, view, card, is_blunder)


def blunders(hands: int, chance: random.Random, judge: SwiftJudge, truth: SwiftJudge) -> Figures:
    made = [*constructed(hands, chance, truth)]
    return _figures(hands, made, [judge.judge(one.view, (one.card,)) is not None for one in made])


def page_blunders(hands: int, chance: random.Random, truth: SwiftJudge) -> Figures:
    """Count the same as the page judges, in node. Raises OSError without node."""
    made = [*constructed(hands, chance, truth)]
    given = [{"link": one.link(), "count": len(one.view.history)} for one in made]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "given.json")
        file.write_text(json.dumps(given))
        command = [shutil.which("node") or "node", str(PAGE_TEST)]
        env = {**os.environ, "MISTAKES": str(file)}
        told = subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout
    (line,) = (line for line in told.splitlines() if "ASKED " in line)
    return _figures(hands, made, json.loads(line.partition("ASKED ")[2]))


def _figures(hands: int, made: list[Constructed], is_asked: list[bool]) -> Figures:
    both = [(one.is_blunder, asked) for one, asked in zip(made, is_asked, strict=True)]
    return {
        "hands": hands,
        "blunders": sum(is_blunder for is_blunder, _ in both),
        "found": both.count((True, True)),
        "no blunders": sum(not is_blunder for is_blunder, _ in both),
        "asked": both.count((False, True)),
    }


def _difference(one: ChoiceOutlook, other: ChoiceOutlook) -> tuple[float, float]:
    return one.loss - other.loss, max(one.error, other.error)


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.mistakes", description=__doc__)
    parser.add_argument("what", choices=("asked", "blunders", "page"))
    parser.add_argument("--hands", type=int, default=200)
    parser.add_argument("--deals", type=int, default=0)
    parser.add_argument("--truth", type=int, default=TRUTH_DEALS)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    judge, truth = SwiftJudge(given.deals, given.seed), SwiftJudge(given.truth, given.seed + 1)
    chance = random.Random(given.seed)
    if given.what == "page":
        made = page_blunders(given.hands, chance, truth)
    else:
        made = (asked if given.what == "asked" else blunders)(given.hands, chance, judge, truth)
    print(json.dumps(made, indent=1))


if __name__ == "__main__":
    main()
