"""The worlds that fit a position: how many there are, all of them, and some by chance.

A world is the four hands as they may be, a mask for each player; that of the player on turn is
known. The cards that are out fall into groups by the players who may hold them; within a group all
cards are alike. So a world is chosen in two steps: first the number of cards of each group that
each player has (a split, with odds that are the number of its worlds), and then these cards. That
makes every world equally likely, as exactly as random numbers of 64 bits can.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, combinations, product
from math import comb, prod

from hearts.game.cards import cards_of
from hearts.game.scoring import Four

from .playing import deal_worlds
from .position import Position, state_of

_Hands = tuple[int, int, int]


class NoWorld(ValueError):
    """No deal of the hidden cards fits what a position says."""


class Worlds:
    """All worlds that fit one position."""

    def __init__(self, position: Position) -> None:
        """Raises NoWorld if no world fits the position; in a real game one always does."""
        me = position.view.player
        self._position = position
        self._others = tuple(player for player in range(4) if player != me)
        groups = _groups(position, self._others)
        self._masks = list(groups.values())
        self.groups = [mask.bit_count() for mask in self._masks]
        """The number of cards of each group."""
        self.cards = [int(card) for mask in self._masks for card in cards_of(mask)]
        """The cards that are out, group by group."""
        a, b, c = (position.held[player] for player in self._others)
        self._splits = _splits(groups, (a, b, c))
        if not self._splits:
            raise NoWorld("no deal of the cards that are out fits the hands")
        counts = [prod(map(_ways, split)) for split in self._splits]
        self.count = sum(counts)
        self.sums = [float(total) for total in accumulate(counts)]
        """The running sums of the worlds of each split."""
        self.splits = [number for split in self._splits for share in split for number in share]
        """Row by row: for each group how many cards each of the others gets."""
        self.holders = [*self._others] * len(self.groups)
        """For each group the three others."""

    def deal(self, many: int, seed: int) -> list[Four]:
        """Draw ``many`` worlds by chance, all equally likely; some may come twice.

        ``seed`` is an int of 32 bits that is not 0.
        """
        rows = [0] * (4 * many)
        deal_worlds(
            state_of(self._position.view, seed), 0, many, self.cards.copy(), self.groups,
            self.holders, self.splits, self.sums, rows,
        )  # fmt: skip
        fours = iter(rows)
        return list(zip(fours, fours, fours, fours, strict=True))

    def all(self) -> Iterator[Four]:
        """Every world, once."""
        view = self._position.view
        for split in self._splits:
            for dealt in product(*map(_deals, self._masks, split)):
                hands = [0, 0, 0, 0]
                hands[view.player] = view.hand
                for group in dealt:
                    for player, mask in zip(self._others, group, strict=True):
                        hands[player] |= mask
                a, b, c, d = hands
                yield a, b, c, d


def _groups(position: Position, others: Sequence[int]) -> dict[_Hands, int]:
    """Return the cards that are out, as masks, by the players who may hold them.

    A key has 1 for each of the others who may hold the cards, and 0 for one who may not. The cards
    that all three may hold come last: their split follows from that of the others.
    """
    found: dict[_Hands, int] = {}
    for card in cards_of(position.view.unseen):
        a, b, c = (position.may_hold[player] >> card & 1 for player in others)
        found[a, b, c] = found.get((a, b, c), 0) | 1 << card
    if (0, 0, 0) in found:
        raise NoWorld("nobody may hold a card that is out")
    found.setdefault((1, 1, 1), 0)
    return {holders: found[holders] for holders in sorted(found, key=sum)}


def _splits(groups: Mapping[_Hands, int], held: _Hands) -> list[list[_Hands]]:
    """Return the ways to split the groups so that each of the others has their number of cards."""
    *few, (_, of_all) = groups.items()
    found = []
    for shares in product(*(_shares(mask.bit_count(), holders) for holders, mask in few)):
        a, b, c = (n - sum(share[at] for share in shares) for at, n in enumerate(held))
        if min(a, b, c) >= 0 and a + b + c == of_all.bit_count():
            found.append([*shares, (a, b, c)])
    return found


def _shares(many: int, holders: _Hands) -> list[_Hands]:
    """Return the ways to split this number of cards among the players who may hold them."""
    a, b, c = (range(many + 1) if may else range(1) for may in holders)
    return [(i, j, k) for i, j, k in product(a, b, c) if i + j + k == many]


def _ways(share: _Hands) -> int:
    a, b, c = share
    return comb(a + b + c, a) * comb(b + c, b)


def _deals(mask: int, share: _Hands) -> Iterator[_Hands]:
    """Every way to deal the cards of a mask in a split."""
    cards = list(cards_of(mask))
    for first in combinations(cards, share[0]):
        a = sum(1 << card for card in first)
        rest = [card for card in cards if not a >> card & 1]
        for second in combinations(rest, share[1]):
            b = sum(1 << card for card in second)
            yield a, b, mask & ~(a | b)
