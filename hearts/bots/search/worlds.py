"""The worlds that fit a position: how many there are, all of them, and some by chance.

A world is the four hands as they may be, a mask for each player; his own is the same in all. The
cards that are out fall into groups by who may hold them; within a group all cards are alike. So a
world is chosen in two steps: how many cards of each group each player has (a split, with odds that
are the number of its worlds), and which ones. That makes every world equally likely, as exactly as
random numbers of 64 bits can.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, combinations, product
from math import comb, prod

from hearts.game.cards import cards_of
from hearts.game.scoring import Four

from .dealing import deal_worlds
from .position import Position, state_of

_Hands = tuple[int, int, int]


class NoWorld(ValueError):
    """No deal of the hidden cards fits what a position says."""


class Worlds:
    """All worlds that fit one position."""

    def __init__(self, position: Position) -> None:
        """Raises NoWorld if there is none, which no real game leads to."""
        me = position.view.player
        self._position = position
        self._others = tuple(player for player in range(4) if player != me)
        by_holders: dict[_Hands, int] = {}
        for card in cards_of(position.view.unseen):
            a, b, c = (position.may_hold[player] >> card & 1 for player in self._others)
            by_holders[a, b, c] = by_holders.get((a, b, c), 0) | 1 << card
        if by_holders.pop((0, 0, 0), 0):
            raise NoWorld("nobody may hold a card that is out")
        # The group of all three comes last: what it gives follows from the others.
        may = sorted(by_holders, key=sum)
        if not may or may[-1] != (1, 1, 1):
            may.append((1, 1, 1))
        self._masks = [by_holders.get(holders, 0) for holders in may]
        self.groups = [mask.bit_count() for mask in self._masks]
        """How many cards each group has."""
        self.cards = [int(card) for mask in self._masks for card in cards_of(mask)]
        """The cards that are out, group by group."""
        needed = tuple(position.held[player] for player in self._others)
        choices = [_shares(n, who) for n, who in zip(self.groups[:-1], may[:-1], strict=True)]
        self._splits: list[list[_Hands]] = []
        counts = []
        for shares in product(*choices):
            left = [n - sum(share[at] for share in shares) for at, n in enumerate(needed)]
            if min(left) < 0 or sum(left) != self.groups[-1]:
                continue
            a, b, c = left
            split = [*shares, (a, b, c)]
            self._splits.append(split)
            counts.append(prod(map(_ways, split)))
        if not counts:
            raise NoWorld("no deal of the cards that are out fits the hands")
        self.count = sum(counts)
        """How many worlds there are."""
        self.sums = [float(total) for total in accumulate(counts)]
        """The running sums of the worlds of each split."""
        self.splits = [number for split in self._splits for share in split for number in share]
        """Row by row: for each group how many cards each of the others gets."""
        self.holders = [*self._others] * len(self.groups)
        """For each group the three others."""

    def deal(self, many: int, seed: int) -> list[Four]:
        """So many worlds by chance, every one as likely as the others; some may come twice.

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


def _shares(many: int, holders: _Hands) -> list[_Hands]:
    """The ways to split so many cards among those who may hold them."""
    a, b, c = (range(many + 1) if may else range(1) for may in holders)
    return [(i, j, k) for i, j, k in product(a, b, c) if i + j + k == many]


def _ways(share: _Hands) -> int:
    """The number of ways to deal a group with this split."""
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
