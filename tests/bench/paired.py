"""Two bots against the same third on the same deals: by how much the first one does better.

``python -m tests.bench.paired FOLDER FOLDER`` reads two tournaments of two against two that have
the same opponent, deals and seed. Of each block it takes the difference of the two results, so that
what the luck of the cards gives to both of them cancels.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hearts_arena.kept.result_store import read_plan, read_results
from hearts_arena.numbers.estimates import paired_difference
from hearts_arena.numbers.tally import Tally
from hearts_arena.plan.plan import Plan, Schedule
from hearts_arena.plan.plan_text import plan_text
from hearts_arena.plan.schedules import block_size

from .machine import this_machine


class NotComparable(ValueError):
    """Two tournaments in which more differs than their first player; the text says what."""


class Duel(Struct, frozen=True):
    """One tournament of two against two."""

    plan: Plan
    better: dict[int, float]
    """For each whole block the points a hand by which the first player was better."""


class Compared(Struct, frozen=True, gc=False):
    """How much better the first player of one duel is than that of another, in the same blocks."""

    one: str
    other: str
    opponent: str
    blocks: int
    """Those that are whole in both."""
    better: float
    """Points a hand."""
    error: float
    """The standard error of :attr:`better`."""


def duel_in(folder: Path) -> Duel:
    """What a folder of the arena holds. Raises NotComparable if it is not two against two."""
    plan = read_plan(folder)
    if plan.schedule is not Schedule.TWO_VS_TWO:
        raise NotComparable(f"{folder} is not two against two")
    tally = Tally(plan, block_size(plan))
    for match, result in read_results(folder, plan):
        tally.add(match, result)
    return Duel(plan, {block: -tally.difference_in(block) for block in tally.whole_blocks()})


def compare(one: Duel, other: Duel) -> Compared:
    """Raises NotComparable if anything but the first player differs, or too little was played."""
    first, second = one.plan, other.plan
    same = replace(second, entrants=first.entrants, deals=first.deals)
    if same != first or first.entrants[1] != second.entrants[1]:
        raise NotComparable("more differs than the first player")
    blocks = sorted(one.better.keys() & other.better.keys())
    ours, theirs = ([duel.better[block] for block in blocks] for duel in (one, other))
    found = paired_difference(ours, theirs)
    if found is None or found.se is None:
        raise NotComparable("fewer than two blocks were played by both")
    return Compared(
        first.entrants[0].name, second.entrants[0].name, first.entrants[1].name, found.blocks,
        found.mean, found.se,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("one", type=Path, help="a folder of hearts-arena")
    parser.add_argument("other", type=Path, help="another one")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    one, other = duel_in(options.one), duel_in(options.other)
    found = compare(one, other)
    print(
        f"{found.one} is {found.better:.3f} ± {found.error:.3f} points a hand better than "
        f"{found.other} against {found.opponent}, in {found.blocks} blocks"
    )
    if options.json is not None:
        kept = {
            "machine": this_machine().as_json(),
            "command": shlex.join(["python", "-m", "tests.bench.paired", *sys.argv[1:]]),
            "plans": [json.loads(plan_text(duel.plan)) for duel in (one, other)],
            **msgspec.to_builtins(found),
        }
        options.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
