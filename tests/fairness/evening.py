"""Deals at tables whose host tries a scheme, and what came of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from msgspec import Struct

from hearts.session.client_events import DealChecked, Fairness

from .fair_table import CheatedTable, Scheme
from .ranks import FairHands

AT_ONE_TABLE = 20
"""Deals, so that nobody has to be told much after a restart."""


class PlayedDeal(Struct, frozen=True):
    """One deal, as the victim's client has seen it."""

    checked: DealChecked
    rank: float
    """How bad the victim's hand was: 0 for the best, 1 for the worst."""
    waited: float
    """Seconds between the promise and the deal."""

    @property
    def is_marked(self) -> bool:
        """True if the victim is told that something is wrong, or that somebody may have chosen."""
        return self.checked.problem is not None or self.checked.fairness in (
            Fairness.REDRAWN,
            Fairness.ANYBODY,
        )


@cache
def fair_hands() -> FairHands:
    return FairHands()


def play(
    scheme: Callable[[], Scheme], deals: int, *, puppets: Sequence[int] = (0,), seed: int = 1
) -> list[PlayedDeal]:
    """So many deals, at tables one after the other."""
    fair = fair_hands()
    played: list[PlayedDeal] = []
    while len(played) < deals:
        table = CheatedTable(scheme(), seed + len(played), puppets)
        table.play(min(AT_ONE_TABLE, deals - len(played)))
        victim = table.victim
        assert list(victim.checked) == [*range(1, len(victim.checked) + 1)] != []
        played += [
            PlayedDeal(
                checked,
                fair.rank(victim.hands[deal]),
                table.dealt[deal] - table.promised.get(deal, table.dealt[deal]),
            )
            for deal, checked in victim.checked.items()
        ]
    return played


def ranks(played: Sequence[PlayedDeal]) -> list[float]:
    return [deal.rank for deal in played]
