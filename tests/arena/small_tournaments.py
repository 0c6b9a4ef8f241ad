"""Tournaments of two players that are played at once, in this process, and cost next to nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import exp, lgamma, log, log1p
from typing import TypeVar

from hearts_arena.numbers.standings import Standings, standings_of
from hearts_arena.numbers.tally import Tally
from hearts_arena.plan.plan import Entrant, Plan, Schedule
from hearts_arena.plan.results import Match, MatchResult
from hearts_arena.plan.schedules import block_size, matches
from hearts_arena.play.match_runner import MatchRunner

T = TypeVar("T")


def pair(
    first: str,
    second: str,
    *,
    deals: int,
    seed: int,
    directions: bool = False,
    duplicate: bool = True,
) -> Plan:
    """Two against two, hand by hand; six matches a block, or 24 with all directions."""
    return Plan(
        (Entrant("A", first), Entrant("B", second)),
        Schedule.TWO_VS_TWO,
        deals,
        seed,
        directions=directions,
        duplicate=duplicate,
        records=False,
    )


def played(plan: Plan) -> Iterator[tuple[Match, MatchResult]]:
    runner = MatchRunner(plan, _complain)
    for match in matches(plan):
        yield match, runner.play(match)


def _complain(entrant: int, text: str, is_crash: bool) -> None:
    raise AssertionError(f"entrant {entrant}: {text}")


def tally_of(plan: Plan, results: Iterable[tuple[Match, MatchResult]]) -> Tally:
    """The sums of results."""
    tally = Tally(plan, block_size(plan))
    for match, result in results:
        tally.add(match, result)
    return tally


def known(number: T | None) -> T:
    assert number is not None
    return number


def standings(plan: Plan) -> Standings:
    return standings_of(tally_of(plan, played(plan)))


def likely(trials: int, chance: float, doubt: float) -> range:
    """How many of so many trials succeed that succeed with a chance.

    Fewer, and more, each happen with less than half of ``doubt``: this is the binomial distribution
    itself, not its approximation.
    """
    weights = [
        exp(
            lgamma(trials + 1)
            - lgamma(hits + 1)
            - lgamma(trials - hits + 1)
            + hits * log(chance)
            + (trials - hits) * log1p(-chance)
        )
        for hits in range(trials + 1)
    ]
    low, high = 0, trials
    while sum(weights[: low + 1]) < doubt / 2:
        low += 1
    while sum(weights[high:]) < doubt / 2:
        high -= 1
    return range(low, high + 1)
