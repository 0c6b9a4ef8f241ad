"""Makes the network of the bot swift: ``python -m training FOLDER swift.bin``.

FOLDER has the hands of ``python -m training.hands FOLDER``.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from hearts.bots.swift.rows import ROWS

from .labels import Labels, read
from .lessons import taught
from .network import SIZES, export, save
from .practice import PracticeSettings, practised

HELD_OUT = 1000
"""Hands that are not learned from, to judge by."""


def _part(labels: Labels, part: slice) -> Labels:
    return Labels(*(rows[part] for rows in labels))


def main() -> None:
    """Teach, practise twice, and write the file."""
    parser = ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=6000, help="of each lesson")
    parser.add_argument("--batch", type=int, default=256, help="hands of a step")
    parser.add_argument("--rounds", type=int, default=800, help="of each practice")
    parser.add_argument("--many", type=int, default=8192, help="hands of a round")
    given = parser.parse_args()
    labels = read(given.folder)
    few, test = _part(labels, slice(200)), _part(labels, slice(HELD_OUT))
    labels = _part(labels, slice(HELD_OUT, None))
    seed, steps, batch = given.seed, given.steps, given.batch
    simple = taught("simple", labels, test, (ROWS, 256, 64, 52), steps, batch, seed)
    first = taught("search", labels, test, SIZES, steps, batch, seed)
    floats, critic = given.out.with_suffix(".npz"), (1024, 512)
    save(floats.with_stem("first"), first)
    settings = PracticeSettings(given.rounds, given.many, seed, 3e-4, 0.4)
    second = practised(first, (first, simple), critic, settings, floats)
    settings = PracticeSettings(given.rounds, given.many, seed + 2, 2.5e-4, 0.6)
    third = practised(second, (second, simple), critic, settings, floats)
    numbers = {key: value for key, value in vars(given).items() if isinstance(value, int)}
    recipe = {"name": "swift", "hands": len(labels.owner), **numbers}
    same = export(third, few, recipe, given.out)
    print(f"the whole numbers choose the card of the floats in {same:.1%}")


if __name__ == "__main__":
    main()
