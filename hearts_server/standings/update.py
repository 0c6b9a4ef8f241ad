"""The work on the standings of a store: counts sessions that have ended, then reckons pars.

It runs in a process that serves nobody, while a server may be writing other sessions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hearts.errors import CorruptRecord
from hearts_server.journal.rows import StoreTables, load_session

from .counting import CountedGame, counted_games, hands_to_reckon, months_of, par_results, results
from .kept import (
    keep_counted,
    keep_pars,
    make_tables,
    not_counted,
    pars_due,
    session_pars,
    without_pars,
)

Report = Callable[[str], None]
"""Takes how far the work is, in words."""
_AT_ONCE = 200
"""Sessions that are looked up together."""


def count_new(tables: StoreTables, report: Report) -> int:
    """Count the sessions that have ended since the last time; return their number."""
    make_tables(tables)
    done = 0
    while numbers := not_counted(tables, _AT_ONCE):
        for number in numbers:
            count_session(tables, number)
            done += 1
        report(f"{done} tables counted")
    return done


def count_session(tables: StoreTables, number: int) -> None:
    """Count a session that has ended, unless somebody else has."""
    games, months = _counted(tables, number)
    found = results(games)
    for name, tally in par_results(games, session_pars(tables, number)).items():
        found[name] += tally
    keep_counted(tables, number, months, found)


def _counted(tables: StoreTables, number: int) -> tuple[list[CountedGame], Sequence[str]]:
    """Return the games of a session that count, and for which months; nothing if it is damaged.

    `hearts-server records list` tells of a damaged one.
    """
    try:
        stored, _ = load_session(tables, number)
        return counted_games(stored), months_of(stored.ended or 0)
    except CorruptRecord:
        return [], ()


def reckon_pars(tables: StoreTables, report: Report) -> int:
    """Reckon the pars of the sessions that are counted, in order; return the number of hands.

    Killed at any moment, it has lost no more than one session.
    """
    hands = 0
    due = pars_due(tables)
    while numbers := without_pars(tables, _AT_ONCE):
        for number in numbers:
            games, months = _counted(tables, number)
            pars = {}
            for hand in hands_to_reckon(games):
                pars[hand.key] = hand.reckon()
                hands += 1
                report(f"{hands} hands reckoned; {due} tables are left")
            keep_pars(tables, number, pars, months, par_results(games, pars))
            due -= 1
    return hands
