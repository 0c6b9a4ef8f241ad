"""Makes the network of the bot swift, in one command: ``python -m training swift.bin``.

Seeds and counts decide what it becomes, and nothing else: on one machine, with the same libraries,
two runs give the same bytes. The hands that it learns from are kept beside it, and played where
they lack; a run that was ended goes on with them.
"""

from __future__ import annotations

import os
import statistics
from argparse import ArgumentParser
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from hearts.bots import SimpleBot
from hearts.bots.swift.bot import SwiftBot
from hearts.bots.swift.network import Network
from hearts.bots.swift.rows import ROWS
from hearts.game.rules import STANDARD

from .hands import played
from .labels import Labels, choices, read
from .lessons import taught
from .matches import difference
from .network import SIZES, export, save
from .practice import PracticeSettings, practised

_SIMPLE_SIZES, _CRITIC_SIZES = (ROWS, 256, 64, 52), (1024, 512)
_TO_MEASURE = 200
"""Hands that say how large the numbers of the network become."""


def _part(labels: Labels, part: slice) -> Labels:
    return Labels(*(rows[part] for rows in labels))


def _better_than_simple(data: bytes, deals: int, seed: int) -> tuple[float, float]:
    """Return by how many points a hand a network is better, and the standard error of that."""
    swift = SwiftBot(Network(data))
    better = difference(lambda _: swift, lambda _: SimpleBot(), deals, STANDARD, seed)
    return statistics.mean(better), statistics.stdev(better) / deals**0.5


def main(words: Sequence[str] | None = None) -> None:
    """Play hands, teach, practise, and write the file."""
    parser = ArgumentParser(prog="python -m training", description=__doc__)
    number = partial(parser.add_argument, type=int)
    parser.add_argument("out", type=Path)
    number("--seed", default=1)
    number("--hands", default=26_000, help="with a million choices")
    number("--steps", default=3000, help="of each lesson")
    number("--batch", default=256, help="hands of a step")
    number("--rounds", nargs="+", default=[200], help="of each practice")
    number("--many", default=8192, help="hands of a round")
    number("--deals", default=600, help="that say how strong it is")
    number("--processes", default=os.cpu_count(), help="that play hands")
    given = parser.parse_args(words)
    out, seed, steps, batch = given.out, given.seed, given.steps, given.batch
    files = played(out.with_suffix(".hands"), given.hands, seed, given.processes)
    labels = read(files, given.processes)
    recipe = {"choices": choices(labels), **vars(given)}
    held_out = max(1, given.hands // 10)
    few, test = _part(labels, slice(_TO_MEASURE)), _part(labels, slice(held_out))
    labels = _part(labels, slice(held_out, None))
    simple = taught("simple", labels, test, _SIMPLE_SIZES, steps, batch, seed)
    best = taught("search", labels, test, SIZES, steps, batch, seed)
    floats = out.with_suffix(".npz")
    save(floats.with_stem("first"), best)
    for at, rounds in enumerate(given.rounds):
        rate, alone = (2.5e-4, 0.6) if at else (3e-4, 0.4)
        settings = PracticeSettings(rounds, given.many, seed + 2 * at, rate, alone)
        best = practised(best, (best, simple), _CRITIC_SIZES, settings, floats)
    for name in ("out", "processes"):
        del recipe[name]
    head = {"name": "swift", "recipe": {"command": "python -m training", **recipe}}
    same = export(best, few, head, out)
    print(f"the whole numbers choose the card of the floats in {same:.1%}")
    better, error = _better_than_simple(out.read_bytes(), given.deals, seed)
    print(f"better than simple by {better:.2f}, standard error {error:.2f}")
    export(best, few, {**head, "better_than_simple": better, "standard_error": error}, out)


if __name__ == "__main__":
    main()
