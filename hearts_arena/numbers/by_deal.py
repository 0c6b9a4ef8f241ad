"""Results of single blocks of deals: who took how much, and which cost an entrant most."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from operator import itemgetter

from msgspec import Struct

from hearts.game.deal import deal_code
from hearts_arena.plan.deals import secret
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import Match
from hearts_arena.plan.schedules import block_size

from .tally import Column, Tally

COSTLIEST = 3
"""Deals that a report names for each entrant."""


class DealResult(Struct, frozen=True, gc=False):
    """The result of an entrant in one block."""

    block: int
    entrant: int
    deal: str
    """The code of its deal, or of the first where matches have several; empty if each match had
    deals of its own."""
    first_match: int
    last_match: int
    hands: int
    points_per_hand: float
    more: float
    """Than all players of the block took per hand."""


def deal_results(tally: Tally) -> Iterator[DealResult]:
    """Return all whole blocks in their order, and in each all entrants that played there."""
    return (_result(tally.plan, *played) for played in _played(tally))


def costliest(tally: Tally, most: int = COSTLIEST) -> list[tuple[DealResult, ...]]:
    """For each entrant the blocks in which it took most beyond the others, the worst first."""
    found: list[list[_Played]] = [[] for _ in tally.plan.entrants]
    for played in _played(tally):
        if played[-1] > 0:
            found[played[1]].append(played)
    return [
        tuple(_result(tally.plan, *each) for each in heapq.nlargest(most, blocks, itemgetter(-1)))
        for blocks in found
    ]


_Played = tuple[int, int, int, float, float]
"""Block, entrant, its hands, its points a hand, and how many more than all had."""


def _played(tally: Tally) -> Iterator[_Played]:
    entrants = range(len(tally.plan.entrants))
    points = [tally.column(entrant, Column.POINTS) for entrant in entrants]
    hands = [tally.column(entrant, Column.HANDS) for entrant in entrants]
    for place, block in enumerate(tally.whole_blocks()):
        average = sum(row[place] for row in points) / sum(row[place] for row in hands)
        for entrant in entrants:
            played = hands[entrant][place]
            if played:
                own = points[entrant][place] / played
                yield block, entrant, played, own, own - average


def _result(
    plan: Plan, block: int, entrant: int, hands: int, own: float, more: float
) -> DealResult:
    size = block_size(plan)
    first = Match(block * size, block, (0, 0, 0, 0))
    code = deal_code(secret(plan, first, 0)) if plan.duplicate else ""
    last = first.number + size - 1
    return DealResult(block, entrant, code, first.number, last, hands, own, more)
