"""A set of match numbers, in a bit for each."""

from __future__ import annotations


class MatchSet:
    """Numbers from 0; it takes memory by the highest of them, 1 MiB for 8 million."""

    __slots__ = ("_bits", "_size")

    def __init__(self) -> None:
        self._bits = bytearray()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def __contains__(self, number: int) -> bool:
        place = number >> 3
        return 0 <= place < len(self._bits) and self._bits[place] >> (number & 7) & 1 == 1

    def add(self, number: int) -> None:
        """Put a number in. Raises ValueError for one below 0, and for one that is there."""
        if number < 0 or number in self:
            raise ValueError(f"match {number} cannot be added")
        place = number >> 3
        if place >= len(self._bits):
            self._bits.extend(bytes(place + 1 - len(self._bits)))
        self._bits[place] |= 1 << (number & 7)
        self._size += 1
