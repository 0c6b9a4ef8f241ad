"""Par in words: what a hand usually costs, and how a person does against that."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from msgspec import Struct

from hearts.bots.swift.par import Par

NO_PAR = "This hand has no par: a score of exactly the end was near, and par knows no scores."


class AgainstPar(Struct, frozen=True, gc=False):
    """Points against par in some hands: below 0 if they were fewer."""

    hands: int
    mean: float
    error: float
    """The standard error of the mean."""


def against_par(differences: Sequence[float]) -> AgainstPar:
    """Sum up the points less the par of one or more hands."""
    hands = len(differences)
    mean = sum(differences) / hands
    squares = sum((each - mean) ** 2 for each in differences)
    return AgainstPar(hands, mean, sqrt(squares / max(hands - 1, 1) / hands))


def whole(number: float) -> int:
    """Round to the next whole number, a half upwards, as the page does."""
    return int((number + 0.5) // 1)


def about(par: Par, player: int) -> str:
    """Return the mean of a seat and the spread of a game, such as "12 +-3"."""
    return f"{whole(par.mean(player))} +-{whole(par.spread(player))}"


def par_line(par: Par, player: int, number: int, taken: int) -> str:
    """Say what a player took in a hand of a number, from 1, and what it usually costs."""
    return f"Hand {number}: you took {taken}; it usually costs {about(par, player)}."


def against_line(against: AgainstPar) -> str:
    """Say how several hands went against par."""
    more = "more" if against.mean > 0 else "less"
    points = f"{abs(against.mean):.1f} +-{against.error:.1f}"
    return f"In {against.hands} hands: {points} a hand {more} than usual."
