"""The results of a name in some games as whole numbers, so that the order of adding is nothing."""

from __future__ import annotations

from math import sqrt

from msgspec import Struct
from msgspec.structs import astuple

from hearts.standings.told import NameStanding, StandingFigure

AGAINST = 64
"""The parts of a point in which points against par are counted: then they are whole, with pars of
:data:`~hearts.bots.swift.par.GAMES` games."""


class NameTally(Struct, frozen=True, gc=False):
    """All that adds up in the games of a name. ``squares`` are the sums of the squares."""

    games: int = 0
    as_program: int = 0
    """The games in which the client had said to be a program."""
    places: int = 0
    place_squares: int = 0
    wins: int = 0
    hands: int = 0
    points: int = 0
    point_squares: int = 0
    par_hands: int = 0
    """The hands that have a par, and whose par is reckoned."""
    against: int = 0
    """Points less what the hand was worth (:func:`.counting.against_par`), in parts of a point."""
    against_squares: int = 0

    def __add__(self, other: NameTally) -> NameTally:
        """Return the tally of both together."""
        return NameTally(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


COLUMNS = NameTally.__struct_fields__


def standing(name: str, tally: NameTally) -> NameStanding:
    """Return the line of a name with at least one game."""
    of = tally
    against = None
    if of.par_hands:
        against = _figure(of.par_hands, of.against, of.against_squares, AGAINST)
    return NameStanding(
        name,
        of.as_program > 0,
        of.games,
        _figure(of.games, of.places, of.place_squares),
        of.wins,
        _figure(of.games, of.wins, of.wins),
        of.hands,
        _figure(max(of.hands, 1), of.points, of.point_squares),
        of.par_hands,
        against,
    )


def _figure(count: int, total: int, squares: int, unit: int = 1) -> StandingFigure:
    mean = total / count / unit
    if count < 2:
        return StandingFigure(mean, None)
    # Whole numbers until the end: nothing is lost however many there are.
    spread = count * squares - total * total
    return StandingFigure(mean, sqrt(spread / (count - 1)) / count / unit)


def in_order(standings: list[NameStanding]) -> list[NameStanding]:
    """Sort the lines: the best mean place first, then the share of wins, then more games."""
    return sorted(standings, key=lambda one: (one.place.mean, -one.won.mean, -one.games, one.name))
