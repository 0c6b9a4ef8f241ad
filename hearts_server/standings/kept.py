"""The standings in a store: which sessions are counted, their pars, and what names have by month.

The tables are made when they are first written. A session is counted in one transaction, and its
pars in another, so that each counts once, whenever a program is killed and however many count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from hearts.game.scoring import Four
from hearts.standings.told import NameStanding
from hearts_server.journal.rows import StoreTables

from .counting import EVER, SessionPars
from .tallies import COLUMNS, NameTally, in_order, standing

LEAST_GAMES = 5
"""Games before a name has a line, for a month and for all time."""
MOST_SHOWN = 200
"""Lines of a table at most."""
_MOST_TOLD = 8
"""Lines with the results of one name."""
TABLES = (
    "CREATE TABLE IF NOT EXISTS standings_counted ("
    " game_number integer PRIMARY KEY, is_counted integer NOT NULL, pars text)",
    "CREATE INDEX IF NOT EXISTS standings_due ON standings_counted (game_number)"
    " WHERE pars IS NULL",
    "CREATE TABLE IF NOT EXISTS standings ("
    " name text NOT NULL,"
    " since bigint NOT NULL,"
    " month text NOT NULL,"
    f" {', '.join(f'{column} bigint NOT NULL' for column in COLUMNS)},"
    " PRIMARY KEY (name, since, month))",
)
"""``pars`` is JSON (:data:`.counting.SessionPars`), and NULL until they are reckoned. ``month`` is
such as 2026-11 in UTC, and empty for all time. ``since`` is the time of the claim of the name, 0
without names: who claims it later does not get the results of who had it before."""
_NOT_COUNTED = (
    "SELECT game_number FROM sessions AS s WHERE ended IS NOT NULL AND NOT EXISTS"
    " (SELECT 1 FROM standings_counted AS c"
    " WHERE c.game_number = s.game_number AND c.is_counted = 1)"
    " ORDER BY game_number LIMIT ?"
)
_DUE = "SELECT game_number FROM standings_counted WHERE pars IS NULL ORDER BY game_number LIMIT ?"
_COUNT = (
    "INSERT INTO standings_counted (game_number, is_counted, pars) VALUES (?, 1, ?)"
    " ON CONFLICT (game_number) DO UPDATE SET is_counted = 1 WHERE standings_counted.is_counted = 0"
)
_SET_PARS = (
    "UPDATE standings_counted SET pars = ?"
    " WHERE game_number = ? AND is_counted = 1 AND pars IS NULL"
)
_ADD = (
    f"INSERT INTO standings (name, since, month, {', '.join(COLUMNS)})"
    f" VALUES ({', '.join('?' * (len(COLUMNS) + 3))})"
    " ON CONFLICT (name, since, month) DO UPDATE SET "
    + ", ".join(f"{column} = standings.{column} + excluded.{column}" for column in COLUMNS)
)
NO_PARS = "{}"

_decode_pars = msgspec.json.Decoder(dict[str, Four | None]).decode


def make_tables(tables: StoreTables) -> None:
    """Make the tables if they are not there."""
    if not tables.has_table("standings"):
        with tables.transaction():
            for statement in TABLES:
                tables.change(statement)


def not_counted(tables: StoreTables, most: int) -> list[int]:
    """Read the numbers of sessions that have ended and are not counted."""
    return [number for (number,) in tables.rows(_NOT_COUNTED, most)]


def without_pars(tables: StoreTables, most: int) -> list[int]:
    """Read the numbers of counted sessions whose pars are not reckoned."""
    return [number for (number,) in tables.rows(_DUE, most)]


def pars_due(tables: StoreTables) -> int:
    """Count the sessions whose pars are not reckoned."""
    ((due,),) = tables.rows("SELECT count(*) FROM standings_counted WHERE pars IS NULL")
    return int(due)


class CountedResults(Struct, frozen=True):
    """The results of a session."""

    number: int
    months: Sequence[str]
    """For which they count."""
    found: Mapping[str, NameTally]
    """By name."""
    since: Mapping[str, int]
    """The times of the claims of these names; 0 for others."""

    def rows(self) -> Iterator[tuple[str | int, ...]]:
        # In order, so that two that count at once wait for each other and no more.
        for name in sorted(self.found):
            for month in sorted(self.months):
                since = self.since.get(name, 0)
                yield (name, since, month, *msgspec.structs.astuple(self.found[name]))


def keep_counted(tables: StoreTables, counted: CountedResults) -> None:
    """Count a session, unless somebody else has; without results it needs no pars."""
    with tables.transaction():
        if tables.change(_COUNT, counted.number, None if counted.found else NO_PARS):
            tables.change_all(_ADD, counted.rows())


def keep_pars(tables: StoreTables, pars: SessionPars, counted: CountedResults) -> None:
    """Count the pars of a session, unless somebody else has."""
    with tables.transaction():
        if tables.change(_SET_PARS, msgspec.json.encode(pars).decode(), counted.number):
            tables.change_all(_ADD, counted.rows())


def forget_results(tables: StoreTables) -> None:
    """Forget all results, so that they are counted anew; pars that are reckoned stay."""
    with tables.transaction():
        tables.change("UPDATE standings_counted SET is_counted = 0")
        tables.change("DELETE FROM standings")


def session_pars(tables: StoreTables, number: int) -> SessionPars:
    """Read the pars of a session; empty if they are not reckoned."""
    if not tables.has_table("standings"):
        return {}
    found = tables.rows("SELECT pars FROM standings_counted WHERE game_number = ?", number)
    return _decode_pars(found[0][0]) if found and found[0][0] else {}


def results_of(tables: StoreTables, name: str, since: int) -> list[str]:
    """Return the results of a name that was claimed at a time as lines: of all time, and of the
    latest months.
    """
    if not tables.has_table("standings"):
        return []
    found = tables.rows(
        f"SELECT month, {', '.join(COLUMNS)} FROM standings WHERE name = ? AND since = ?"
        " ORDER BY month <> '', month DESC LIMIT ?",
        *(name, since, _MOST_TOLD),
    )
    return [
        f"results {month or 'of all time'}: "
        + ", ".join(f"{key.replace('_', ' ')} {n}" for key, n in zip(COLUMNS, numbers, strict=True))
        for month, *numbers in found
    ]


def standings(
    tables: StoreTables, month: str = EVER, listed: Mapping[str, int] | None = None
) -> list[NameStanding]:
    """Read the table of a month, such as 2026-11, or of all time; the best name first.

    ``listed`` are the names that may be listed, and when they were claimed; None without names.
    """
    if not tables.has_table("standings"):
        return []
    found = tables.rows(
        f"SELECT name, since, {', '.join(COLUMNS)} FROM standings WHERE month = ? AND games >= ?",
        *(month, LEAST_GAMES),
    )
    lines = [
        standing(name, NameTally(*numbers))
        for name, since, *numbers in found
        if since == (0 if listed is None else listed.get(name))
    ]
    return in_order(lines)[:MOST_SHOWN]
