"""The functions of a search as one value: run by Python as they stand, or compiled."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from typing import Any

from msgspec import Struct

from hearts.bots.swift.bot import shipped_network

from .endgame import roll_out_exactly
from .playing import deal_worlds
from .rollouts import keep_best, roll_out, roll_out_passes
from .swift_play import choose_worlds, finish, roll_out_swiftly, swift_pass

Ints = MutableSequence[int]
Floats = MutableSequence[float]


class SwiftEngine(Struct, frozen=True):
    """The functions that let swift pass, and play hands to their ends."""

    network: Any
    unit: float
    """Points for a cost of 1."""
    swift_pass: Callable[[Ints, Ints, Ints, Any], int]
    finish: Callable[[Ints, Ints, Ints, Any, int, int, Floats], None]
    roll_out_swiftly: Callable[
        [Ints, Ints, Ints, Ints, Ints, Any, Ints, int, int, Ints, Ints, Floats, Floats], None
    ]
    choose_worlds: Callable[
        [Ints, Ints, Ints, Ints, Ints, Any, Ints, float, Ints, Floats, Ints, int, int], None
    ]


class Engine(Struct, frozen=True):
    """The functions of a search, with the rows of numbers that they take."""

    ints: Callable[[Sequence[int]], Ints]
    """Makes a row of ints, with these."""
    floats: Callable[[Sequence[float]], Floats]
    """Makes a row of floats, with these."""
    int_grid: Callable[[int, int], Sequence[Ints]]
    """Makes rows of ints, all 0; it takes the number of rows and the length of each."""
    float_grid: Callable[[int, int], Sequence[Floats]]
    """Makes rows of floats, all 0; it takes the number of rows and the length of each."""
    deal_worlds: Callable[[Ints, int, int, Ints, Ints, Ints, Ints, Floats, Ints], None]
    roll_out: Callable[[Ints, Ints, Ints, int, int, Ints, int, Ints, Floats, Floats], None]
    roll_out_passes: Callable[
        [Ints, Ints, Ints, Ints, int, int, Ints, int, int, int, Ints, Floats, Floats], None
    ]
    roll_out_exactly: Callable[
        [
            Ints, Sequence[Ints], Sequence[Floats], Ints, Ints, int, int, Ints, Ints, Floats,
            Floats, Ints,
        ],
        int,
    ]  # fmt: skip
    keep_best: Callable[[Floats, int, int, Ints, int], int]
    swiftly: Callable[[], SwiftEngine]
    """Returns what rolls out by swift; it is not made before."""


PLAIN = Engine(
    list,
    list,
    lambda rows, columns: [[0] * columns for _ in range(rows)],
    lambda rows, columns: [[0.0] * columns for _ in range(rows)],
    deal_worlds,
    roll_out,
    roll_out_passes,
    roll_out_exactly,
    keep_best,
    lambda: SwiftEngine(
        shipped_network(),
        shipped_network().recipe.unit,
        swift_pass,
        finish,
        roll_out_swiftly,
        choose_worlds,
    ),
)
"""Python runs the functions as they stand."""
