"""The lines of a session that goes on, until the hands that they are of are finished and packed."""

from __future__ import annotations

from itertools import pairwise

from .lines import PackedHand, begins_hand

_LONGEST_HAND = 256
"""Lines that are packed together at most: what lies between two hands may be any number."""


class UnpackedLines:
    """The lines of a session that goes on which are not packed yet."""

    __slots__ = ("begins", "first", "has_deal", "lines")

    def __init__(self, first: int) -> None:
        """``first`` is the number of the first of them."""
        self.first = first
        self.lines: list[str] = []
        self.begins: list[tuple[int, int]] = []
        """Where each hand begins: its index in the lines, and its place in a log."""
        self.has_deal = False
        """Whether the latest of them has its deal."""

    def copy(self) -> UnpackedLines:
        """The same, to be added to."""
        copy = UnpackedLines(self.first)
        copy.lines, copy.begins = self.lines.copy(), self.begins.copy()
        copy.has_deal = self.has_deal
        return copy

    def add(self, line: str, id: int = 0) -> None:
        """One more line is durable; ``id`` is its place, in a store where lines have one."""
        lines, begun = self.lines, self.begins
        is_deal = begins_hand(line)
        if not begun or (is_deal and self.has_deal) or len(lines) - begun[-1][0] >= _LONGEST_HAND:
            begun.append((len(lines), id))
            self.has_deal = False
        if is_deal:
            self.has_deal = True
        lines.append(line)

    def finished(self) -> list[PackedHand]:
        """The hands that are finished."""
        bounds = [index for index, _ in self.begins]
        return [self._packed(*each) for each in pairwise(bounds)]

    @property
    def following(self) -> int:
        """The number that the next line has."""
        return self.first + len(self.lines)

    def all(self) -> list[PackedHand]:
        """The hands that are finished, and what there is of the one that is not."""
        bounds = [*(index for index, _ in self.begins), len(self.lines)]
        return [self._packed(*each) for each in pairwise(bounds)]

    def _packed(self, start: int, end: int) -> PackedHand:
        return PackedHand.of(self.first + start, self.lines[start:end])

    def drop_finished(self) -> None:
        """They are packed."""
        index, id = self.begins[-1]
        self.first += index
        del self.lines[:index]
        self.begins = [(0, id)]
