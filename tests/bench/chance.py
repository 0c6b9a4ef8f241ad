"""What the choices of a search lose to chance, judged by one that looks at many more worlds.

``python -m tests.bench.chance --json FILE`` has hands played by quick searches, and at some of the
choices of a card asks ``expert`` with several numbers of worlds. What its card costs more than the
best one, as the judge expects, is lost to chance: more worlds can bring no more than that.
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from hearts.bots.levels import expert
from hearts.bots.search.bot import SearchBot
from hearts.game.cards import Card
from hearts.game.events import Deal
from hearts.game.game import Game
from hearts.game.rules import STANDARD
from hearts.game.view import View

from .bots import play_hand
from .machine import this_machine

WORLDS = (30, 100, 300, 1000, 3000)
JUDGE_WORLDS = 12_000
PLAYER_WORLDS = 100
SHARE = 0.12
"""Of the choices so many are judged."""
LAST_PLAYED = 35
"""Later choices are solved, with far fewer worlds."""


class LostThere(Struct, frozen=True):
    """What is lost with one number of worlds."""

    worlds: int
    lost: float
    """Points a seat and hand."""
    error: float
    """The standard error of :attr:`lost`."""
    ms: float
    """CPU of a choice."""


class Judged:
    """A quick search that plays, and has some of its choices judged."""

    def __init__(self, source: random.Random, worlds: Sequence[int], judge_worlds: int) -> None:
        self._source = source
        self._player = expert(source.random, PLAYER_WORLDS, PLAYER_WORLDS // 3)
        self._judge = expert(source.random, judge_worlds)
        self._judged: list[SearchBot] = [expert(source.random, many) for many in worlds]
        self.choices = 0
        self.losses: list[list[float]] = [[] for _ in worlds]
        self.seconds = [0.0] * len(worlds)

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        return self._player.choose_pass(view)

    def choose_card(self, view: View) -> Card:
        if len(view.legal_cards) > 1 and len(view.history) <= LAST_PLAYED:
            self.choices += 1
            if self._source.random() < SHARE:
                self._look(view)
        return self._player.choose_card(view)

    def _look(self, view: View) -> None:
        outlook = self._judge.outlook(view)
        for place, bot in enumerate(self._judged):
            begun = time.process_time()
            card = bot.choose_card(view)
            self.seconds[place] += time.process_time() - begun
            self.losses[place].append(outlook.of(card).loss)


def lost_to_chance(
    hands: int, seed: int, worlds: Sequence[int] = WORLDS, judge_worlds: int = JUDGE_WORLDS
) -> list[LostThere]:
    """What each number of worlds loses, over some hands."""
    source = random.Random(seed)
    judged = Judged(source, worlds, judge_worlds)
    for number in range(hands):
        game = Game(STANDARD, 10_000)
        game.hand_number = number % 4 - 1
        game.apply(Deal.from_secret(source.randbytes(16)))
        play_hand(game, [judged] * 4)
    a_hand = judged.choices / (4 * hands)
    return [
        LostThere(
            many,
            a_hand * statistics.fmean(losses),
            a_hand * statistics.stdev(losses) / len(losses) ** 0.5,
            1000.0 * seconds / len(losses),
        )
        for many, losses, seconds in zip(worlds, judged.losses, judged.seconds, strict=True)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    found = lost_to_chance(options.hands, options.seed)
    for one in found:
        print(f"| {one.worlds:,} | {one.lost:.3f} ± {one.error:.3f} | {one.ms:.1f} ms |")
    if options.json is not None:
        kept = {
            "machine": this_machine().as_json(),
            "command": shlex.join(["python", "-m", "tests.bench.chance", *sys.argv[1:]]),
            "rows": msgspec.to_builtins(found),
        }
        options.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
