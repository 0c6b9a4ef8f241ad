"""``python -m tests.fairness``: what the schemes of a host bring them, as a table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from statistics import mean

from .evening import PlayedDeal, play, ranks
from .fair_table import Scheme
from .ranks import by_chance, no_worse_than_worst_of
from .schemes import BY_CHANCE, MARKED, KnowsTheValue, Withholds, name_of

_ROW = "{:24} {:>7}  {:>15} {:>7}  {:>15} {:>7} {:>6}"
_HEAD = _ROW.format(
    "scheme", "puppets", "ranks, unmarked", "deals", "ranks, marked", "deals", "wait"
)


def _said_of(deals: Sequence[PlayedDeal]) -> str:
    """The mean rank, and what the deals can be."""
    if not deals:
        return "-"
    found = ranks(deals)
    can_be = "chance" if by_chance(found) else "chosen"
    for ways in (8, 4, 2):
        if can_be != "chance" and no_worse_than_worst_of(ways, found):
            can_be = f"1 of {ways}"
    return f"{mean(found):.3f} {can_be}"


def _row(scheme: Callable[[], Scheme], puppets: Sequence[int], deals: int, seed: int) -> str:
    played = play(scheme, deals, puppets=puppets, seed=seed)
    marked = [deal for deal in played if deal.is_marked]
    unmarked = [deal for deal in played if not deal.is_marked]
    wait = min((deal.waited for deal in marked), default=0.0)
    counts = len(unmarked), len(marked)
    said = _said_of(unmarked), _said_of(marked)
    name = name_of(scheme)
    return _ROW.format(name, len(puppets), said[0], counts[0], said[1], counts[1], f"{wait:g} s")


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.fairness", description=__doc__)
    parser.add_argument("--deals", type=int, default=200, help="for each scheme (200)")
    parser.add_argument("--seed", type=int, default=1, help="of hosts and victims (1)")
    given = parser.parse_args()
    row = partial(_row, deals=given.deals, seed=given.seed)
    print(_HEAD)
    for scheme in (*BY_CHANCE, *MARKED, KnowsTheValue):
        print(row(scheme, (0,)), flush=True)
    for puppets in ((0,), (0, 1), (0, 1, 3)):
        print(row(Withholds, puppets), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
