"""A small network of whole numbers, computed in plain Python; its file (see below).

Numbers of a layer lie side by side in one large int, so that one addition adds them all. All is
exact, so the page computes the same in JavaScript.

A file is a line of JSON, which says how the network was made, and then bytes: for each layer its
weights, row by row, as signed bytes, and its biases as signed 32 bits, the lowest byte first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from struct import unpack, unpack_from
from zlib import crc32

import msgspec

CEILING = 4095
"""The highest number that goes on to the next layer."""


class Layer(msgspec.Struct, frozen=True):
    """The size of a layer, as its file says."""

    rows: int
    columns: int
    shift: int
    """Binary digits that are cut off the sums of the layer."""


class Recipe(msgspec.Struct, frozen=True):
    """The first line of a file; what else stands there is for people."""

    layers: tuple[Layer, ...]
    unit: float
    """Points for a cost of 1."""
    better_than_simple: float = 0.0
    """Points a hand, two against two, as they were measured."""


def recipe_of(data: bytes) -> Recipe:
    return msgspec.json.decode(data.partition(b"\n")[0], type=Recipe)


def read_layers(data: bytes) -> Iterator[tuple[Layer, bytes]]:
    """Give each layer of a file with its bytes. Raises ValueError if they are too few or many."""
    rest = data.partition(b"\n")[2]
    for layer in recipe_of(data).layers:
        size = (layer.rows + 4) * layer.columns
        if len(rest) < size:
            raise ValueError("the file of the network is too short")
        yield layer, rest[:size]
        rest = rest[size:]
    if rest:
        raise ValueError("the file of the network is longer than its layers")


class _Sums(msgspec.Struct, frozen=True):
    """A layer ready to compute: each row is an int with places of ``width`` bytes."""

    rows: list[int]
    biases: list[int]
    width: int
    shift: int


class Network:
    """A network read from the bytes of its file."""

    def __init__(self, data: bytes) -> None:
        self.checksum = crc32(data)
        self.recipe = recipe_of(data)
        self._layers: list[_Sums] = []
        for layer, part in read_layers(data):
            self._layers.append(_sums(layer, part, 4 if self._layers else 2))

    def costs(self, rows: Sequence[int]) -> list[int]:
        """Return the outputs if some rows of the first layer are there."""
        first, *others = self._layers
        total = sum(map(first.rows.__getitem__, rows))
        numbers = _numbers(first, total, 128 * len(rows))
        for layer in others:
            if max(numbers) > CEILING:
                numbers = [min(number, CEILING) for number in numbers]
            there = [both for both in zip(layer.rows, numbers, strict=True) if both[1] > 0]
            total = sum([row * number for row, number in there])
            numbers = _numbers(layer, total, 128 * sum([number for _, number in there]))
        return numbers


def _sums(layer: Layer, data: bytes, width: int) -> _Sums:
    size = layer.rows * layer.columns
    rows = []
    for start in range(0, size, layer.columns):
        wide = bytearray(width * layer.columns)
        # Weights are kept 128 higher, so that no place ever falls below 0.
        wide[::width] = data[start : start + layer.columns].translate(_HIGHER)
        rows.append(int.from_bytes(wide, "little"))
    biases = list(unpack_from(f"<{layer.columns}i", data, size))
    return _Sums(rows, biases, width, layer.shift)


_HIGHER = bytes((byte + 128) % 256 for byte in range(256))


def _numbers(layer: _Sums, total: int, less: int) -> list[int]:
    """Return the numbers of an int, less what the higher weights have added."""
    places = total.to_bytes(layer.width * len(layer.biases), "little")
    numbers = unpack(f"<{len(layer.biases)}{'H' if layer.width == 2 else 'I'}", places)
    shift, biases = layer.shift, layer.biases
    return [number + bias - less >> shift for number, bias in zip(numbers, biases, strict=True)]
