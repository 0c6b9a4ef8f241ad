"""What an animal is, and all that there are: each is a function in one of the modules beside."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from .cage import Cage

Live = Callable[[Cage], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Animal:
    name: str
    does: str
    """What it does wrong, and what the server may do to it, by SocketSpec.md."""
    live: Live
    """Does its worst once."""
    pause: float
    """Seconds before it comes again, on average."""
    chats: bool
    """Whether it needs the taunt server."""
    browses: bool
    """Whether it needs the gateway for browsers."""


ANIMALS: dict[str, Animal] = {}
ATTACKERS: dict[str, Animal] = {}
"""Those who want to hurt everybody, each from an address or a network of its own."""


def animal(
    pause: float, *, chats: bool = False, browses: bool = False, attacks: bool = False
) -> Callable[[Live], Live]:
    """Make a function an animal, with its name and its docstring."""

    def kept(live: Live) -> Live:
        name = live.__name__.replace("_", "-")
        made = Animal(name, " ".join((live.__doc__ or "").split()), live, pause, chats, browses)
        ANIMALS[name] = made
        if attacks:
            ATTACKERS[name] = made
        return live

    return kept
