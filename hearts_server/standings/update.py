"""The work on the standings of a store: counts sessions that have ended, then reckons pars.

It runs in a process that serves nobody, while a server may be writing other sessions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hearts.errors import CorruptRecord
from hearts_server.journal.rows import StoreTables, load_session

from .counting import (
    Claims,
    CountedGame,
    counted_games,
    hands_to_reckon,
    months_of,
    par_results,
    results,
)
from .kept import (
    CountedResults,
    keep_counted,
    keep_pars,
    make_tables,
    not_counted,
    pars_due,
    session_pars,
    without_pars,
)
from .tallies import NameTally

Report = Callable[[str], None]
"""Takes how far the work is, in words."""
_AT_ONCE = 200
"""Sessions that are looked up together."""


def count_new(tables: StoreTables, report: Report, claims: Claims | None = None) -> int:
    """Count the sessions that have ended since the last time; return their number.

    With ``claims`` only names count that were claimed when the table began; None without names.
    """
    make_tables(tables)
    done = 0
    while numbers := not_counted(tables, _AT_ONCE):
        for number in numbers:
            count_session(tables, number, claims)
            done += 1
        report(f"{done} tables counted")
    return done


def count_session(tables: StoreTables, number: int, claims: Claims | None = None) -> None:
    """Count a session that has ended, unless somebody else has."""
    games, results_of = _counted(tables, number, claims)
    found = results(games)
    for name, tally in par_results(games, session_pars(tables, number)).items():
        found[name] += tally
    keep_counted(tables, results_of(found))


def reckon_pars(tables: StoreTables, report: Report, claims: Claims | None = None) -> int:
    """Reckon the pars of the sessions that are counted, in order; return the number of hands.

    Killed at any moment, it has lost no more than one session.
    """
    hands = 0
    due = pars_due(tables)
    while numbers := without_pars(tables, _AT_ONCE):
        for number in numbers:
            games, results_of = _counted(tables, number, claims)
            pars = {}
            for hand in hands_to_reckon(games):
                pars[hand.key] = hand.reckon()
                hands += 1
                report(f"{hands} hands reckoned; {due} tables are left")
            keep_pars(tables, pars, results_of(par_results(games, pars)))
            due -= 1
    return hands


def _counted(
    tables: StoreTables, number: int, claims: Claims | None
) -> tuple[list[CountedGame], Callable[[Mapping[str, NameTally]], CountedResults]]:
    """Return the games of a session that count, and a function that makes what is kept of results.

    A damaged session has no games; `hearts-server records list` tells of it.
    """
    try:
        stored, _ = load_session(tables, number)
        games, months = counted_games(stored), months_of(stored.ended or 0)
    except CorruptRecord:
        return [], lambda found: CountedResults(number, (), {}, {})
    begun = stored.session.begun

    def of(found: Mapping[str, NameTally]) -> CountedResults:
        if claims is None:
            return CountedResults(number, months, found, {})
        own = {name: one for name, one in found.items() if claims.get(name, begun + 1) <= begun}
        return CountedResults(number, months, own, claims)

    return games, of
