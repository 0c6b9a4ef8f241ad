"""The yardstick of searching bots: a plain flat search, as strong as what people write first.

It looks at 200 worlds, each as likely as the others, that fit the voids and the passed cards; plays
each card out once in each of them, by the habits of :mod:`hearts.bots.search.habits`; passes by
rule; and shoots no moon on purpose. ``hearts-arena run expert tests.bench.yardstick:yardstick``
measures against it.
"""

from __future__ import annotations

from hearts.bots import Bot, Draw
from hearts.bots.levels import expert

WORLDS = 200


def yardstick(draw: Draw) -> Bot:
    """Raises MissingExtra if numba is not installed."""
    return expert(draw, worlds=WORLDS, pass_worlds=0, exact_cards=0, shoots=False)
