"""What an animal is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from .cage import Cage


@dataclass(frozen=True, slots=True)
class Animal:
    name: str
    wrong: str
    """What it does wrong."""
    may: str
    """What the server may do to it, by SocketSpec.md."""
    live: Callable[[Cage], Awaitable[None]]
    """Does its worst once."""
    pause: float
    """Seconds before it comes again, on average."""
    chats: bool = False
    """Whether it needs the taunt server."""
    browses: bool = False
    """Whether it needs the gateway for browsers."""
