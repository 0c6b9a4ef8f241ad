"""The bot: the card, or the cards one after another, of which the network expects least."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from hearts.bots.simple import is_better_on_others
from hearts.game.cards import CARDS, Card, cards_of
from hearts.game.game import PASS_SIZE
from hearts.game.view import View

from .network import Network
from .rows import rows_of


def shipped_bytes() -> bytes:
    """Return the file of the network that comes with the project."""
    return files(__package__).joinpath("swift.bin").read_bytes()


@cache
def shipped_network() -> Network:
    """Return that network; it is read once."""
    return Network(shipped_bytes())


class SwiftBot:
    """Plays under every variant; the same view gives the same choice."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        chosen: list[Card] = []
        while len(chosen) < PASS_SIZE:
            costs = self._network.costs(rows_of(view, chosen))
            left = (card for card in cards_of(view.hand) if card not in chosen)
            chosen.append(min(left, key=costs.__getitem__))
        return tuple(chosen)

    def choose_card(self, view: View) -> Card:
        legal = view.legal
        if not legal & legal - 1:
            return CARDS[legal.bit_length() - 1]
        costs = self._network.costs(rows_of(view))
        return min(cards_of(legal), key=costs.__getitem__)

    def dearer(self, view: View) -> dict[Card, float]:
        """Return how much more each legal card costs than the best, in points of a hand of 26; the
        best first.
        """
        costs, unit = self._network.costs(rows_of(view)), self._network.recipe.unit
        cards = sorted(cards_of(view.legal), key=costs.__getitem__)
        return {card: (costs[card] - costs[cards[0]]) * unit for card in cards}

    def choose_moon(self, view: View) -> bool:
        """As :func:`hearts.bots.simple.is_better_on_others`."""
        return is_better_on_others(view)
