"""The bots that search. Their modules are imported when a bot is made, because they are large."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from hearts.errors import MissingExtra

from .player import Draw

if TYPE_CHECKING:
    from .search.engine import Engine
    from .search.search import SearchBot
    from .swift.bot import SwiftBot

SEARCHING = ("strong", "expert")
"""The levels whose bots think for longer than a table can wait."""
STRONG_WORLDS, STRONG_POSITIONS = 40, 20_000
EXPERT_WORLDS = 1000
EXPERT_LOOKS = 32
_FOR_EXPERT = ("numpy", "numba")


def missing_for_expert() -> str | None:
    """Name a library that the expert bot needs and that is not installed, or None."""
    return next((name for name in _FOR_EXPERT if find_spec(name) is None), None)


def swift(draw: Draw) -> SwiftBot:
    """Return the bot with the small network; nothing in its choice is left to chance."""
    from .swift.bot import SwiftBot, shipped_network

    return SwiftBot(shipped_network())


def strong(
    draw: Draw,
    worlds: int = STRONG_WORLDS,
    seconds: float | None = None,
    clock: Callable[[], float] | None = None,
) -> SearchBot:
    """Return the search in plain Python: ``worlds`` for a card, and with a clock at most
    ``seconds``.
    """
    from .search.engine import PLAIN
    from .search.search import SearchBot, Strength

    strength = Strength(worlds, 0, positions=STRONG_POSITIONS, seconds=seconds)
    return SearchBot(PLAIN, draw, strength, clock)


def expert(
    draw: Draw,
    worlds: int = EXPERT_WORLDS,
    pass_worlds: int = 1000,
    exact_cards: int = 16,
    seconds: float | None = None,
    clock: Callable[[], float] | None = None,
    network: bool = True,
    looks: int = EXPERT_LOOKS,
) -> SearchBot:
    """Return the compiled search; with ``network`` :func:`swift` plays until the rest is solved,
    and doubtful cards are played on from in ``looks`` worlds.

    Raises MissingExtra if numpy or numba is not installed.
    """
    try:
        from .search.compiled import compiled_engine
    except ImportError as error:
        raise MissingExtra("expert", "the bot expert", error.name or "numba") from error
    from .search.search import SearchBot, Strength

    strength = Strength(worlds, pass_worlds, exact_cards=exact_cards, looks=looks, seconds=seconds)
    return SearchBot(compiled_engine(), draw, strength, clock, swift(draw) if network else None)


def fastest_engine(*, is_plain: bool = False) -> Engine:
    """Return the compiled engine of searches if it is installed, and else that in plain Python."""
    from .search.engine import PLAIN

    if is_plain or missing_for_expert():
        return PLAIN
    try:
        from .search.compiled import compiled_engine
    except ImportError:
        return PLAIN
    return compiled_engine()
