"""Payloads field by field: they turn a value into bytes, and bytes into a value.

:class:`Fields` has the fields of a value that are sent, each with its :class:`FieldKind`; those of
a value of this dialect alone are annotated with their kinds. Decoding gives a value or raises
RemoteProtocolError, and nothing else. Bytes after the known fields are ignored, because a later
version may add some.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from math import inf
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import fields

from hearts.errors import LocalProtocolError, RemoteProtocolError
from hearts.game.cards import CARDS, Card
from hearts.game.cuts import VALUE_BYTES
from hearts.wire.codec import INT_MAX, INT_MIN, decode_text, encode_int, encode_str

ValueT = TypeVar("ValueT")
SentT = TypeVar("SentT")
EnumT = TypeVar("EnumT", bound=Enum)
StructT = TypeVar("StructT", bound=Struct)

_INT = struct.Struct(">i")


class Payload:
    """The bytes of a payload, read from the front."""

    __slots__ = ("_at", "_data")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take_int(self) -> int:
        """Return the next int. Raises RemoteProtocolError if the payload ends before."""
        begin = self._at
        self._at = begin + _INT.size
        try:
            return int(_INT.unpack_from(self._data, begin)[0])
        except struct.error:
            raise self._too_short() from None

    def take(self, size: int) -> bytes:
        """Return the next bytes. Raises RemoteProtocolError if the payload ends before."""
        begin, end = self._at, self._at + size
        if end > len(self._data):
            raise self._too_short()
        self._at = end
        return self._data[begin:end]

    def take_rest(self) -> bytes:
        return self.take(len(self._data) - self._at)

    @property
    def is_over(self) -> bool:
        return self._at >= len(self._data)

    def _too_short(self) -> RemoteProtocolError:
        return RemoteProtocolError(f"a payload of {len(self._data)} bytes is too short")


class FieldKind(Protocol[ValueT]):
    """The kind of value that a field holds."""

    def encode(self, value: ValueT) -> bytes:
        """Return the bytes of a value. Raises LocalProtocolError for one that cannot be."""

    def decode(self, payload: Payload, /) -> ValueT:
        """Read the value from the next bytes. Raises RemoteProtocolError."""


class Number:
    """An int within limits."""

    def __init__(self, what: str, lowest: int = INT_MIN, highest: int = INT_MAX) -> None:
        self.what = what
        self.lowest = lowest
        self.highest = highest

    def encode(self, value: int) -> bytes:
        if not self.lowest <= value <= self.highest:
            raise LocalProtocolError(f"{value} is not {self.what}")
        return encode_int(value)

    def decode(self, payload: Payload) -> int:
        value = payload.take_int()
        if not self.lowest <= value <= self.highest:
            raise RemoteProtocolError(f"{value} is not {self.what}")
        return value


class Coded(Generic[ValueT]):
    """One of a few values, each with its number."""

    def __init__(self, what: str, numbers: Mapping[ValueT, int]) -> None:
        self.what = what
        self.numbers = dict(numbers)
        self._values = {number: value for value, number in numbers.items()}

    def encode(self, value: ValueT) -> bytes:
        return encode_int(self.numbers[value])

    def decode(self, payload: Payload) -> ValueT:
        number = payload.take_int()
        try:
            return self._values[number]
        except KeyError:
            raise RemoteProtocolError(f"{number} is not {self.what}") from None


class Known(Coded[ValueT | None]):
    """One of a few values, each with its number; None for a number of a later version."""

    def decode(self, payload: Payload) -> ValueT | None:
        return self._values.get(payload.take_int())


class Mapped(Generic[ValueT, SentT]):
    """A value that is sent as another one."""

    def __init__(
        self,
        kind: FieldKind[SentT],
        to_sent: Callable[[ValueT], SentT],
        of_sent: Callable[[SentT], ValueT],
    ) -> None:
        self.kind = kind
        self._to_sent = to_sent
        self._of_sent = of_sent

    def encode(self, value: ValueT) -> bytes:
        return self.kind.encode(self._to_sent(value))

    def decode(self, payload: Payload) -> ValueT:
        return self._of_sent(self.kind.decode(payload))


class Players:
    """Some of players 0-3, as bits."""

    def encode(self, value: Sequence[int]) -> bytes:
        return encode_int(sum(1 << player for player in value))

    def decode(self, payload: Payload) -> tuple[int, ...]:
        bits = payload.take_int()
        if not 0 <= bits < 16:
            raise RemoteProtocolError(f"{bits:#x} has bits without a player")
        return tuple(player for player in range(4) if bits >> player & 1)


class Text:
    """A str of at most so many bytes."""

    def __init__(self, limit: int) -> None:
        self.limit = limit

    def encode(self, value: str) -> bytes:
        return encode_str(value, self.limit)

    def decode(self, payload: Payload) -> str:
        length = payload.take_int()
        if not 1 <= length <= self.limit + 1:
            raise RemoteProtocolError(f"a str length of {length} is outside 1..{self.limit + 1}")
        return decode_text(payload.take(length))


class Raw:
    """A fixed number of bytes."""

    def __init__(self, size: int) -> None:
        self.size = size

    def encode(self, value: bytes) -> bytes:
        if len(value) != self.size:
            raise LocalProtocolError(f"{len(value)} bytes are not {self.size}")
        return value

    def decode(self, payload: Payload) -> bytes:
        return payload.take(self.size)


class Rest:
    """All bytes that follow, at most so many."""

    def __init__(self, what: str, most: int = INT_MAX) -> None:
        self.what = what
        self.most = most

    def encode(self, value: bytes) -> bytes:
        return value

    def decode(self, payload: Payload) -> bytes:
        value = payload.take_rest()
        if len(value) > self.most:
            raise RemoteProtocolError(f"{self.what} of {len(value)} bytes is above {self.most}")
        return value


class Of32:
    """32 bytes, a value or a hash; none is 32 zeros on the wire, and empty here."""

    def encode(self, value: bytes) -> bytes:
        if len(value) not in (0, VALUE_BYTES):
            raise LocalProtocolError(f"{len(value)} bytes are not {VALUE_BYTES}")
        return value.ljust(VALUE_BYTES, b"\0")

    def decode(self, payload: Payload) -> bytes:
        value = payload.take(VALUE_BYTES)
        return value if any(value) else b""


class Times(Generic[ValueT]):
    """A fixed-length sequence of one kind."""

    def __init__(self, count: int, kind: FieldKind[ValueT]) -> None:
        self.count = count
        self.kind = kind

    def encode(self, value: Sequence[ValueT]) -> bytes:
        if len(value) != self.count:
            raise LocalProtocolError(f"{len(value)} values are not {self.count}")
        return b"".join([self.kind.encode(each) for each in value])

    def decode(self, payload: Payload) -> tuple[ValueT, ...]:
        return tuple([self.kind.decode(payload) for _ in range(self.count)])


class Counted(Generic[ValueT]):
    """A number of values, at most ``most``, followed by the values."""

    def __init__(self, most: int, kind: FieldKind[ValueT]) -> None:
        self.most = most
        self.kind = kind

    def encode(self, value: Sequence[ValueT]) -> bytes:
        if len(value) > self.most:
            raise LocalProtocolError(f"{len(value)} values are more than {self.most}")
        return encode_int(len(value)) + b"".join([self.kind.encode(each) for each in value])

    def decode(self, payload: Payload) -> tuple[ValueT, ...]:
        count = payload.take_int()
        if not 0 <= count <= self.most:
            raise RemoteProtocolError(f"a number of {count} is outside 0..{self.most}")
        return tuple([self.kind.decode(payload) for _ in range(count)])


class Fields(Generic[StructT]):
    """A value: the fields that are sent, in order, each with its kind."""

    def __init__(self, value: type[StructT], /, **kinds: FieldKind[Any]) -> None:
        """The kinds are those of the annotations, if none are given."""
        self.value = value
        self.kinds = kinds or {
            field.name: kind
            for field in fields(value)
            for kind in getattr(field.type, "__metadata__", ())
        }

    def encode(self, value: StructT) -> bytes:
        return b"".join([kind.encode(getattr(value, name)) for name, kind in self.kinds.items()])

    def decode(self, data: Payload | bytes, /, **unsent: object) -> StructT:
        """Return the value of the next bytes; ``unsent`` are its other fields."""
        payload = Payload(data) if isinstance(data, bytes) else data
        return self.value(**unsent, **self.read(payload))

    def read(self, payload: Payload) -> dict[str, Any]:
        return {name: kind.decode(payload) for name, kind in self.kinds.items()}


def enum_kind(what: str, values: type[EnumT]) -> Coded[EnumT]:
    """Return a member of an enum whose values are its numbers."""
    return Coded(what, {member: member.value for member in values})


def or_nothing(what: str, numbers: Mapping[ValueT, int], nothing: int) -> Coded[ValueT | None]:
    """Return one of a few values, or None with a number of its own."""
    with_nothing: dict[ValueT | None, int] = {None: nothing}
    with_nothing.update((value, number) for value, number in numbers.items())
    return Coded(what, with_nothing)


_CARD_NUMBERS: dict[Card, int] = {card: card.wire for card in CARDS}
_PLAYER_NUMBERS: dict[int, int] = {player: player for player in range(4)}

INT = Number("an int")
COUNT = Number("a count", 0)
PLAYER = Number("a player", 0, 3)
PLAYER_OR_NOBODY: Coded[int | None] = or_nothing("a player or nobody", _PLAYER_NUMBERS, -1)
CARD: Coded[Card] = Coded("a card", _CARD_NUMBERS)
CARD_OR_NONE: Coded[Card | None] = or_nothing("a card or none", _CARD_NUMBERS, 0)
FLAG: Coded[bool] = Coded("0 or 1", {False: 0, True: 1})
TRUTH: Mapped[bool, int] = Mapped(INT, int, bool)
"""A yes or no, as an int: 0 is no, any other int is yes."""
OF_32 = Of32()
PLAYERS = Players()
MILLISECONDS = COUNT


class MillisecondsLeft:
    """Milliseconds that are left; None, -1 on the wire, if there is no limit."""

    def encode(self, value: int | None) -> bytes:
        return encode_int(-1) if value is None else COUNT.encode(value)

    def decode(self, payload: Payload) -> int | None:
        value = payload.take_int()
        if value < -1:
            raise RemoteProtocolError(f"{value} is not a time that is left")
        return None if value == -1 else value


class TimeBank:
    """Milliseconds that are free, and those in the bank; None, twice -1, if there is no bank."""

    def encode(self, value: tuple[int, int] | None) -> bytes:
        free, stock = (None, None) if value is None else value
        return LEFT.encode(free) + LEFT.encode(stock)

    def decode(self, payload: Payload) -> tuple[int, int] | None:
        free, stock = LEFT.decode(payload), LEFT.decode(payload)
        if free is not None and stock is not None:
            return free, stock
        if free is stock:
            return None
        raise RemoteProtocolError("one part of a bank has a time and the other has none")


LEFT = MillisecondsLeft()
SECONDS_LEFT: Mapped[float, int | None] = Mapped(
    LEFT,
    lambda left: None if left == inf else max(0, min(round(1000 * left), INT_MAX)),
    lambda left: inf if left is None else left / 1000,
)
"""Seconds to answer in; inf is no limit."""
SECONDS: Mapped[int, int] = Mapped(COUNT, lambda each: 1000 * each, lambda each: -(-each // 1000))
"""Seconds, as milliseconds on the wire."""
BANK = TimeBank()
