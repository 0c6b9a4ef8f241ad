"""How long a bot thinks: CPU of its cards and passes, four of it at a table.

``python -m tests.bench.choice_times expert strong --hands 24`` prints a table. A card counts if
there were several; CPU is that of the process, so that other work on the machine adds little.
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

from hearts.bots import BOTS, Bot
from hearts.game.cards import Card
from hearts.game.events import Deal
from hearts.game.game import Game
from hearts.game.rules import STANDARD
from hearts.game.view import View

from .bots import play_hand
from .machine import this_machine


class ChoiceTimes(Struct, frozen=True):
    """The times of one kind of choice, in milliseconds."""

    bot: str
    choice: str
    """"card" or "pass"."""
    choices: int
    mean: float
    p99: float
    """99 of 100 take less."""
    most: float


class TimedBot:
    """A bot whose choices are timed."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.cards: list[float] = []
        """The seconds of each choice of a card among several."""
        self.passes: list[float] = []
        """The seconds of each pass."""

    def choose_pass(self, view: View) -> Sequence[Card]:
        begun = time.process_time()
        cards = self._bot.choose_pass(view)
        self.passes.append(time.process_time() - begun)
        return cards

    def choose_card(self, view: View) -> Card:
        begun = time.process_time()
        card = self._bot.choose_card(view)
        if len(view.legal_cards) > 1:
            self.cards.append(time.process_time() - begun)
        return card


def choice_times(name: str, hands: int, seed: int) -> list[ChoiceTimes]:
    """The times of a level's cards and passes, over some hands with all directions of the pass."""
    source = random.Random(seed)
    bots = [TimedBot(BOTS[name](source.random)) for _ in range(4)]
    for number in range(hands):
        game = Game(STANDARD, 10_000)
        game.hand_number = number % 4 - 1
        game.apply(Deal.from_secret(source.randbytes(16)))
        play_hand(game, bots)
    cards = [seconds for bot in bots for seconds in bot.cards]
    passes = [seconds for bot in bots for seconds in bot.passes]
    return [_times(name, "card", cards), _times(name, "pass", passes)]


def _times(bot: str, choice: str, seconds: Sequence[float]) -> ChoiceTimes:
    ms = [1000.0 * one for one in seconds]
    p99 = statistics.quantiles(ms, n=100)[98]
    return ChoiceTimes(bot, choice, len(ms), statistics.fmean(ms), min(p99, max(ms)), max(ms))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bots", nargs="+", choices=BOTS)
    parser.add_argument("--hands", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    rows = [row for name in options.bots for row in choice_times(name, options.hands, options.seed)]
    for row in rows:
        print(f"| `{row.bot}` | {row.choice} | {row.mean:.1f} | {row.p99:.0f} | {row.most:.0f} |")
    if options.json is not None:
        kept = {
            "machine": this_machine().as_json(),
            "command": shlex.join(["python", "-m", "tests.bench.choice_times", *sys.argv[1:]]),
            "rows": msgspec.to_builtins(rows),
        }
        options.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
