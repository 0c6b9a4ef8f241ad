"""What a searching bot expects of a hand, beside what comes, and which hands win or lose points.

``python -m tests.bench.hopes --json FILE`` plays ``expert`` against the yardstick, two against two.
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from hearts.bots import BOTS, Bot, Draw
from hearts.bots.levels import expert
from hearts.bots.search.bot import SearchBot
from hearts.game.cards import Card
from hearts.game.events import Deal
from hearts.game.game import Game
from hearts.game.rules import STANDARD
from hearts.game.scoring import Four
from hearts.game.view import View

from .bots import SEATINGS, play_hand
from .machine import this_machine
from .yardstick import yardstick

LAST_PLAYED = 35
"""Later choices are solved."""
_AFTER_TRICK = 2
"""A moon that is planned later than in so many tricks was tried."""


class Hope(Struct, frozen=True):
    """What was expected when a card was chosen."""

    trick: int
    """From 0."""
    shooting: bool
    cost: float
    moon: float
    other_moon: float


class Noting:
    """A searching bot that notes what it expects of each card that it chooses."""

    def __init__(self, bot: SearchBot) -> None:
        self._bot = bot
        self.hopes: list[Hope] = []

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        return self._bot.choose_pass(view)

    def choose_card(self, view: View) -> Card:
        if len(view.legal_cards) == 1 or len(view.history) > LAST_PLAYED:
            return self._bot.choose_card(view)
        best = self._bot.outlook(view).best
        trick = len(view.history) // 4
        self.hopes.append(Hope(trick, best.shooting, best.cost, best.moon, best.other_moon))
        return best.card


class Row(Struct, frozen=True):
    """The choices of three tricks with one plan; means of what was said, and of what came."""

    tricks: str
    plan: str
    choices: int
    cost: tuple[float, float]
    moon: tuple[float, float]
    other_moon: tuple[float, float]


class Kind(Struct, frozen=True):
    """A kind of hand: how many of 100 hands it is, and by how many points a hand it brings."""

    kind: str
    in_100: float
    brings: float


class Found(Struct, frozen=True):
    hands: int
    better: float
    """Points a hand by which the bot is better."""
    kinds: list[Kind]
    rows: list[Row]


def shooter(points: Four) -> int:
    """Who shot the moon by the standard rules, or -1."""
    return points.index(0) if sum(points) == 78 else -1


def hopes(
    blocks: int, seed: int, bot: Callable[[Draw], SearchBot], other: Callable[[Draw], Bot]
) -> Found:
    """Play some deals in all seatings."""
    source = random.Random(seed)
    kinds: dict[str, list[float]] = {}
    said: dict[tuple[int, bool], list[tuple[Hope, float, bool, bool]]] = {}
    for number in range(blocks):
        deal = Deal.from_secret(source.randbytes(16))
        for seats in SEATINGS:
            noting = {seat: Noting(bot(source.random)) for seat in seats}
            game = Game(STANDARD, 10_000)
            game.hand_number = number % 4 - 1
            game.apply(deal)
            points = play_hand(
                game, [noting[seat] if seat in seats else other(source.random) for seat in range(4)]
            )
            shot = shooter(points)
            tried = any(
                hope.shooting and hope.trick >= _AFTER_TRICK
                for one in noting.values()
                for hope in one.hopes
            )
            kind = (
                ("own moon" if shot in seats else "a moon of the others")
                if shot >= 0
                else ("a moon that was tried in vain" if tried else "no moon")
            )
            better = sum(points) / 2 - sum(points[seat] for seat in seats)
            kinds.setdefault(kind, []).append(better)
            for seat, one in noting.items():
                cost = points[seat] - sum(points) / 4
                for hope in one.hopes:
                    said.setdefault((hope.trick // 3, hope.shooting), []).append(
                        (hope, cost, shot == seat, shot not in (-1, seat))
                    )
    hands = blocks * len(SEATINGS)
    return Found(
        hands,
        sum(map(sum, kinds.values())) / hands,
        [
            Kind(kind, 100 * len(found) / hands, sum(found) / hands)
            for kind, found in sorted(kinds.items())
        ],
        [_row(third, shooting, found) for (third, shooting), found in sorted(said.items())],
    )


def _row(third: int, shooting: bool, found: list[tuple[Hope, float, bool, bool]]) -> Row:
    many = len(found)
    return Row(
        f"{3 * third + 1} to {3 * third + 3}",
        "shoot" if shooting else "duck",
        many,
        (sum(hope.cost for hope, *_ in found) / many, sum(cost for _, cost, _, _ in found) / many),
        (sum(hope.moon for hope, *_ in found) / many, sum(own for _, _, own, _ in found) / many),
        (
            sum(hope.other_moon for hope, *_ in found) / many,
            sum(another for *_, another in found) / many,
        ),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=100, help="deals, each in six seatings")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against", choices=["yardstick", *BOTS], default="yardstick")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    other = yardstick if options.against == "yardstick" else BOTS[options.against]
    found = hopes(options.blocks, options.seed, expert, other)
    for kind in found.kinds:
        print(f"| {kind.kind} | {kind.in_100:.1f} | {kind.brings:+.2f} |")
    print(f"| all | 100 | {found.better:+.2f} |\n")
    for row in found.rows:
        pairs = " | ".join(
            f"{said:.2f} | {came:.2f}" for said, came in (row.cost, row.moon, row.other_moon)
        )
        print(f"| {row.tricks} | {row.plan} | {row.choices} | {pairs} |")
    if options.json is not None:
        kept = {
            "machine": this_machine().as_json(),
            "command": shlex.join(["python", "-m", "tests.bench.hopes", *sys.argv[1:]]),
            "found": msgspec.to_builtins(found),
        }
        options.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
