"""The summary of the matches, and of warnings about them, for the terminal and for the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hearts.game.rules import rules_name
from hearts_arena.numbers.estimates import LEVEL
from hearts_arena.numbers.sequential import SequentialState, Verdict
from hearts_arena.numbers.standings import Standings
from hearts_arena.plan.plan import Plan
from hearts_client.words.others import shown_names

from .figures import grouped

SURE = "*"
"""Behind a difference that is hardly chance."""
_LEADERS_SHOWN = 3
LEVEL_TEXT = f"{100 * LEVEL:g}%"
DEEDS = (
    "In how many of their hands a player tried a moon (alone they had 18 points or more), made it,"
    " stopped that of another, and took the queen; and their points a hand by the direction of the"
    " pass. All matches count, and chance is not told apart."
)
COSTLIEST = (
    "The deal that cost each player most: points a hand more than all took there. Its code deals it"
    " again (hearts-client --solo --deal CODE)."
)
ALL_WELL = "No illegal tries, no time-outs, no crashes."


def names_shown(plan: Plan) -> tuple[str, ...]:
    """Return the names of the entrants in the order of the plan, fit to stand in a line of ours."""
    return shown_names([entrant.name for entrant in plan.entrants])


def title(plan: Plan) -> str:
    return f"Hearts tournament: {plan.schedule.value}, {_number(len(plan.entrants), 'player')}"


def plan_facts(plan: Plan) -> Iterator[tuple[str, str]]:
    yield "schedule", plan.schedule.value
    yield "blocks planned", f"{'at most ' if plan.bounds else ''}{grouped(plan.deals)}"
    yield "a match", _match_words(plan)
    yield "rules", rules_name(plan.rules)
    yield "seed", str(plan.seed)
    yield "deals", "the same in all matches of a block" if plan.duplicate else "new in each match"


def played(standings: Standings) -> str:
    return (
        f"{_number(standings.matches, 'match', 'matches')}, {_number(standings.hands, 'hand')},"
        f" {_number(standings.blocks, 'whole block')} of {grouped(standings.plan.deals)}"
    )


def rating_of(plan: Plan) -> str:
    """Return the matches that a rating is of: it is no rating of games unless games are played."""
    return {None: "games", 1: "single hands"}.get(plan.hands, f"matches of {plan.hands} hands")


def rating_head(plan: Plan) -> str:
    kind = {None: "", 1: "hand "}.get(plan.hands, "match ")
    return f"{kind}rating"


def head_to_head(standings: Standings) -> str:
    looks = "" if standings.is_final else " of all looks"
    return (
        "points per hand of the row less those of the column, at the same tables; below 0 the row"
        f" is better. * where the {LEVEL_TEXT} interval{looks} leaves out 0."
    )


def leading(names: Sequence[str], leaders: Sequence[tuple[int, float, bool]]) -> str:
    return " ".join(
        f"{names[number]} {points:.2f}{SURE * is_behind}"
        for number, points, is_behind in leaders[:_LEADERS_SHOWN]
    )


def test_lines(standings: Standings) -> Iterator[str]:
    bounds, state = standings.plan.bounds, standings.test
    if bounds is None or state is None:
        return
    first, second = names_shown(standings.plan)
    yield (
        f"Test of {first} less {second}: {bounds.low:g} against {bounds.high:g} points a hand,"
        f" errors {100 * bounds.alpha:g}% and {100 * bounds.beta:g}%."
    )
    decided = {
        Verdict.BETTER: f"Decided: {bounds.low:g}, not {bounds.high:g}.",
        Verdict.NOT_BETTER: f"Decided: {bounds.high:g}, not {bounds.low:g}.",
        Verdict.OPEN: "Nothing is decided yet.",
    }
    yield f"{decided[state.verdict]} {ratio_text(state)}."
    if state.blocks:
        out = "" if state.verdict is Verdict.OPEN else ", which is somewhat too far out"
        yield (
            f"The difference was {state.mean:+.2f} in the {_number(state.blocks, 'block')} that it"
            f" looked at{out}."
        )


def ratio_text(state: SequentialState) -> str:
    return f"Log-likelihood ratio {state.ratio:+.2f} of {state.lower:+.2f} to {state.upper:+.2f}"


def notes(standings: Standings) -> Iterator[str]:
    if standings.blocks > 1 and not standings.is_final:
        yield (
            "Not all is played that was planned: * and ? hold however often one looks, and the"
            " intervals for one look alone."
        )
    if standings.left_out:
        matches = _number(standings.left_out, "match", "matches")
        yield f"{matches} of blocks that are not whole yet are left out of all estimates."
    if standings.blocks == 1:
        yield "With one block nobody can say how far the numbers are from the truth."
    if not standings.blocks:
        yield "No block is whole yet, so there is nothing to estimate from."
    if standings.plan.hands is not None and standings.blocks:
        yield (
            f"The rating is of {rating_of(standings.plan)}, not of games: in games the better one"
            " comes first more often (--games)."
        )
    if standings.separated:
        yield (
            "Somebody never came behind, or never before, the others: how far apart the ratings"
            " are is not known, and they have no intervals."
        )


def warnings(standings: Standings) -> Iterator[str]:
    names = names_shown(standings.plan)
    for standing in standings.entrants:
        conduct = standing.conduct
        faults = [
            text
            for count, text in (
                (conduct.illegal, _number(conduct.illegal, "illegal try", "illegal tries")),
                (conduct.timeouts, _number(conduct.timeouts, "time-out")),
                (conduct.crashes, _number(conduct.crashes, "crash", "crashes")),
                (conduct.stood_in, f"{_number(conduct.stood_in, 'choice')} by a stand-in"),
            )
            if count
        ]
        of = _number(conduct.choices, "choice")
        own = "; the points are not all their own" if conduct.timeouts or conduct.stood_in else ""
        if faults:
            yield f"{names[standing.number]}: in {of} {', '.join(faults)}{own}."


def _match_words(plan: Plan) -> str:
    directions = "the direction of the pass going on from block to block"
    if plan.directions:
        directions = "with each direction of the pass"
    words = {None: f"a game to {plan.end_score}", 1: f"a single hand, {directions}"}
    return words.get(plan.hands, f"{grouped(plan.hands or 0)} hands")


def _number(count: int, one: str, many: str = "") -> str:
    return f"{grouped(count)} {one if count == 1 else many or one + 's'}"
