"""Goes through all that can happen in a small model, step by step in every order."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, NamedTuple, TypeVar

World = TypeVar("World", bound=Hashable)


class Explored(NamedTuple, Generic[World]):
    """What an exploration came to."""

    worlds: int
    """How many different ones were looked at."""
    why: str | None
    """What is wrong in the first bad one; None if all are good."""
    road: tuple[str, ...]
    """The steps to it, as few as there can be."""


def explore(
    start: World,
    steps: Callable[[World], Iterable[tuple[str, World]]],
    wrong: Callable[[World], str | None],
) -> Explored[World]:
    """Look at every world that can be reached, the nearest first, until one is wrong.

    ``steps`` gives all that can happen next, each with a name; ``wrong`` says what may not be.
    """
    came_from: dict[World, tuple[World, str] | None] = {start: None}
    ring = [start]
    while ring:
        following = []
        for world in ring:
            why = wrong(world)
            if why is not None:
                return Explored(len(came_from), why, _road(world, came_from))
            for name, after in steps(world):
                if after not in came_from:
                    came_from[after] = world, name
                    following.append(after)
        ring = following
    return Explored(len(came_from), None, ())


def _road(world: World, came_from: dict[World, tuple[World, str] | None]) -> tuple[str, ...]:
    names = []
    while (step := came_from[world]) is not None:
        world, name = step
        names.append(name)
    return tuple(reversed(names))
