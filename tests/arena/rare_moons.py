"""A simulation of the errors of the sequential test where near twins differ by rare moons.

``python -m tests.arena.rare_moons`` prints the table of hearts_arena/README.md.
"""

from __future__ import annotations

import random

from hearts_arena.numbers.sequential import SequentialTest, Verdict
from hearts_arena.plan.plan import Bounds

SWING = 3 * 22.0
"""Points a hand of three seatings of six, which a moon moves: 26 for each of two players, in place
of what a try that failed costs."""


def errors(hands: int, gap: float, both: float, runs: int) -> tuple[float, float, float]:
    """The shares of wrong verdicts at ``-gap`` and at 0, the bounds, and the mean blocks.

    The first player shoots more moons than the second, as many as make the difference; and
    ``both`` is how many times as many each of the two shoots where the other does not.
    """
    luck, moon = random.Random(1), SWING / hands
    rate = gap / moon

    def block(truth: float) -> float:
        difference = luck.gauss(0, 0.3) if luck.random() < 0.3 else 0.0
        for chance, sign in ((both * rate + truth / moon, -1), (both * rate, 1)):
            if luck.random() < chance:
                difference += sign * moon * luck.uniform(0.75, 1.25)
        return difference

    wrong, blocks = [0, 0], 0
    for at, (truth, error) in enumerate(((gap, Verdict.NOT_BETTER), (0.0, Verdict.BETTER))):
        for _ in range(runs):
            test = SequentialTest(Bounds(-gap, 0.0), 3 * 26 / hands)
            while test.add(block(truth)) is Verdict.OPEN:
                pass
            wrong[at] += test.state.verdict is error
            blocks += test.state.blocks
    return wrong[0] / runs, wrong[1] / runs, blocks / runs / 2


def main() -> None:
    for hands, gap in ((24, 0.5), (24, 0.2), (6, 0.5), (6, 0.2)):
        found = [errors(hands, gap, both, 1000) for both in (0.0, 0.25, 1.0)]
        cells = [f"{low:.1%}, {high:.1%}; {blocks:.0f}" for low, high, blocks in found]
        print(f"| {hands} | {-gap} |", " | ".join(cells), "|")


if __name__ == "__main__":
    main()
