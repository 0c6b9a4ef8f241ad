"""The deal of the day in words: what came of it, and three lines to share that tell no card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from hearts.bots.swift.par import Par
from hearts_client.par.par_words import par_line, whole
from hearts_client.session.replay import links_come
from hearts_client.words.others import shown_name

from .told import DayResult, ToldDay

HandPars = dict[int, Par]
"""The pars of the hands of a day, by number from 1, as far as they are known."""
_NO_PLACE = "At the host's own machine, so without a place"
OWN = 0
"""The seat of the person at the table of a day."""


def day_lines(told: ToldDay, since: str) -> Iterator[str]:
    """Yield what somebody is told of today; ``since`` is when their client first knew of the
    days, if it keeps that.
    """
    known = f"Fixed and published on {since}" if since else "Fixed beforehand"
    yield f"{known}; the host could know it."
    yield from told.lines
    if told.state == "played" and all(result.day != told.day for result in told.results):
        yield f"You have left your try of {told.day}, so it does not count."


def outcome_lines(told: ToldDay, pars: Mapping[str, HandPars]) -> Iterator[str]:
    """Yield what came of the hands that somebody has played."""
    for result in told.results:
        is_over = result.day <= told.over
        yield from result_lines(result, pars.get(result.day, {}), is_over=is_over)
        if not is_over:
            yield f"Links to its hands come {links_come(date.fromisoformat(result.day))}."
    for number, link in enumerate(told.links, 1):
        yield f"Your hand {number} of {told.over}: #hand={link}"
    if told.names:
        yield f"Names that want to be listed, {told.over}:"
    for each in told.names:
        yield f"{each.place:>4}. {shown_name(each.name)}, {each.points} points"


def result_lines(result: DayResult, pars: HandPars, *, is_over: bool) -> Iterator[str]:
    """Yield how each hand went against par, as far as that is known, and three lines to share."""
    for number, points in enumerate(result.points, 1):
        if number in pars:
            yield par_line(pars[number], OWN, number, points)
    total = sum(result.points)
    line = f"{' + '.join(map(str, result.points))} = {total} points"
    if len(pars) == len(result.points):
        line += _against(whole(total - sum(par.mean(OWN) for par in pars.values())))
    yield f"Hearts, the deal of the day {result.day}"
    yield line
    so_far = "" if is_over else " so far"
    yield f"{ordinal(result.place)} of {result.count}{so_far}" if result.place else _NO_PLACE


def _against(points: int) -> str:
    if not points:
        return ", as many as usual"
    return f", {abs(points)} {'more' if points > 0 else 'less'} than usual"


def ordinal(number: int) -> str:
    """Return a number such as "1st" or "12th"."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"
