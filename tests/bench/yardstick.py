"""The yardstick of searching bots: the project's own search with other settings.

:func:`yardstick` plays as the strongest published flat searches do that shoot moons, see
hearts/bots/search/README.md: 128 worlds, each as likely as the others, that fit the voids and the
passed cards; each card played out once in each of them, by the habits of
:mod:`hearts.bots.search.habits`, to duck and to shoot the moon; the others stop a player who seems
to shoot; it passes by rule and solves no last tricks.
``hearts-arena run expert tests.bench.yardstick:yardstick`` measures against it.
"""

from __future__ import annotations

from hearts.bots import Bot, Draw
from hearts.bots.levels import expert


def yardstick(draw: Draw) -> Bot:
    """Raises MissingExtra if numba is not installed."""
    return expert(draw, worlds=128, pass_worlds=0, exact_cards=0, network=False)
