"""Worlds dealt by chance: every world that fits is equally likely (see .playing)."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from .playing import HANDS, State, draw

_HALF = 4294967296.0
"""Two to the power of 32."""


def pick_split(state: State, sums: Sequence[float]) -> int:
    """The place of a row, with the odds whose running sums are given."""
    wanted = (draw(state, 4294967296) + draw(state, 4294967296) / _HALF) / _HALF
    wanted *= sums[len(sums) - 1]
    low, high = 0, len(sums) - 1
    while low < high:
        middle = (low + high) // 2
        if sums[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return low


def deal_worlds(
    state: State,
    first: int,
    last: int,
    cards: MutableSequence[int],
    groups: Sequence[int],
    holders: Sequence[int],
    splits: Sequence[int],
    sums: Sequence[float],
    worlds: MutableSequence[int],
) -> None:
    """Deal the worlds from ``first`` up to ``last`` into ``worlds``, four masks for each.

    ``cards`` are the cards that are out, group by group, and ``groups`` how many each group has;
    ``holders`` are three players for each group. ``splits`` has rows: for each group how many
    cards each of its three players gets. ``sums`` has the running sums of the worlds of each row.
    The hands of ``state`` are in every world, and its random numbers move on.
    """
    width = 3 * len(groups)
    for world in range(first, last):
        for player in range(4):
            worlds[4 * world + player] = state[HANDS + player]
        row = pick_split(state, sums) * width
        begin = 0
        for group in range(len(groups)):
            end = begin + groups[group]
            for part in range(3):
                hand = 0
                for _ in range(splits[row + 3 * group + part]):
                    other = begin + draw(state, end - begin)
                    card = cards[other]
                    cards[other] = cards[begin]
                    cards[begin] = card
                    hand |= 1 << card
                    begin += 1
                worlds[4 * world + holders[3 * group + part]] |= hand
