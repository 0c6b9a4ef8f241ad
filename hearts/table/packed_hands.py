"""The finished hands of a session in few bytes: about 32 for a hand, and no object of its own."""

from __future__ import annotations

from .hand_unpacker import unpack_hand
from .standing import SessionStanding
from .steps import Step

BLOCK_HANDS = 32
"""Hands of a block. To know where the session stood before one, those before it in its block are
unpacked, which takes 0.1 ms each."""
_LONG = 255
"""Stands for the size of a hand that takes so many bytes or more."""
_LONG_BYTES = 4


class PackedHands:
    """Packed hands in blocks; each block begins with where the session stood before it."""

    __slots__ = ("_blocks", "_count", "_found", "_last")

    def __init__(self) -> None:
        self._count = 0
        self._blocks: list[bytes] = []
        """The blocks that are full."""
        self._last = bytearray()
        """The latest block."""
        self._found: tuple[int, SessionStanding] | None = None
        """The answer that :meth:`standing` gave last, for several questions come about one hand."""

    def __len__(self) -> int:
        return self._count

    def append(self, hand: bytes, standing: SessionStanding) -> None:
        """Keep a packed hand, before which the session stood there."""
        if self._count % BLOCK_HANDS == 0:
            if self._count:
                self._blocks.append(bytes(self._last))
            self._last = bytearray()
            self._put(standing.packed())
        self._put(hand)
        self._count += 1

    def _put(self, data: bytes) -> None:
        size = len(data)
        if size < _LONG:
            self._last.append(size)
        else:
            self._last.append(_LONG)
            self._last += size.to_bytes(_LONG_BYTES, "big")
        self._last += data

    def _piece(self, block: int, number: int) -> bytes:
        data = self._blocks[block] if block < len(self._blocks) else self._last
        begin = end = 0
        for _ in range(number + 1):
            begin = end + 1
            size = data[end]
            if size == _LONG:
                begin += _LONG_BYTES
                size = int.from_bytes(data[end + 1 : begin], "big")
            end = begin + size
        return bytes(data[begin:end])

    def unpack(self, hand: int, standing: SessionStanding) -> tuple[list[Step], SessionStanding]:
        """The steps of a hand, counted from 0, and where the session stood behind it.

        ``standing`` is where it stood before it.
        """
        block, place = divmod(hand, BLOCK_HANDS)
        return unpack_hand(self._piece(block, 1 + place), standing)

    def standing(self, hand: int) -> SessionStanding:
        """Where the session stood before a hand."""
        if self._found is not None and self._found[0] == hand:
            return self._found[1]
        block, place = divmod(hand, BLOCK_HANDS)
        standing = SessionStanding.unpacked(self._piece(block, 0))
        for earlier in range(hand - place, hand):
            _, standing = self.unpack(earlier, standing)
        self._found = hand, standing
        return standing
