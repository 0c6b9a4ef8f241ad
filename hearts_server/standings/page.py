"""The standings of a store in one value: of a month and of all time."""

from __future__ import annotations

import time
from collections.abc import Mapping

import msgspec
from msgspec import Struct

from hearts.standings.told import NameStanding, ToldStandings
from hearts_server.journal.rows import StoreTables

from .counting import EVER, months_of
from .kept import LEAST_GAMES, standings


class StandingsPage(Struct, frozen=True):
    """Both tables, as they are told to programs."""

    made: int
    """Unix time."""
    month: str
    """Such as 2026-11, in UTC."""
    least_games: int
    """Games before a name has a line."""
    of_month: list[NameStanding]
    ever: list[NameStanding]
    erased: list[int] = []
    """Numbers of names that were given up and are nowhere any more."""

    @property
    def json(self) -> str:
        return msgspec.json.encode(self).decode() + "\n"

    def told(self, month: str, most: int | None = None) -> ToldStandings:
        """Return one of the tables, EVER or that of the month."""
        lines = self.ever if month == EVER else self.of_month
        return ToldStandings(month, self.least_games, lines[:most])


def this_month() -> str:
    return months_of(int(time.time()))[0]


def standings_page(
    tables: StoreTables, month: str, listed: Mapping[str, int] | None = None
) -> StandingsPage:
    """Read the tables of a month and of all time; see :func:`.kept.standings`."""
    return StandingsPage(
        int(time.time()),
        month,
        LEAST_GAMES,
        standings(tables, month, listed),
        standings(tables, EVER, listed),
    )
