"""The players' cuts of one deal, as values whose hashes were promised with it (DealerSpec 14.8).

A player names the hash of a value before the server promises the deal, and shows the value after
that. So neither the server nor a player can choose a cut for the deal that follows from it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from msgspec import Struct

from .cards import four

VALUE_BYTES = 32
"""Of a value and of its hash. With 8 a player could find two values for one hash in minutes."""
CUT_BYTES = 8
"""Bytes of a value that go into the deal (SocketSpec.md section 7.1)."""

FourHashes = tuple[bytes, bytes, bytes, bytes]
"""The hashes of players 0-3; empty for a player who does not cut."""
NO_HASHES: FourHashes = (b"", b"", b"", b"")

NOBODY = "-"
_MISSING = "!"
_HASH = re.compile(f"(?!0+$)[0-9a-f]{{{2 * VALUE_BYTES}}}")
"""32 zero bytes are no value and no hash."""


def hash_of(value: bytes) -> bytes:
    """Return the hash that commits a player to a value: SHA-256, 32 bytes."""
    return hashlib.sha256(value).digest()


class ShownCuts(Struct, frozen=True, gc=False):
    """Hashes of players 0-3 when a deal was promised, and the values that they showed for them."""

    hashes: FourHashes
    values: FourHashes
    """Each has 32 bytes and fits its hash; empty for a player who has shown none."""

    @property
    def cuts(self) -> bytes:
        """The 32 bytes that the deal follows from, beside the secret."""
        return b"".join(value[:CUT_BYTES].ljust(CUT_BYTES, b"\0") for value in self.values)

    @property
    def missing(self) -> tuple[int, ...]:
        """The players who were committed to a value and have not shown it."""
        pairs = enumerate(zip(self.hashes, self.values, strict=True))
        return tuple(player for player, (digest, value) in pairs if digest and not value)

    def format(self) -> list[str]:
        """Return a word for each player: the value, ``!`` and the hash if it is missing, or
        ``-``.
        """
        return [
            value.hex() or (f"{_MISSING}{digest.hex()}" if digest else NOBODY)
            for digest, value in zip(self.hashes, self.values, strict=True)
        ]


def shown_cuts(hashes: Sequence[bytes], values: Sequence[bytes]) -> ShownCuts:
    """Return the cuts of four players. Raises ValueError if a value does not fit its hash."""
    for digest, value in zip(hashes, values, strict=True):
        if value and digest != hash_of(value):
            raise ValueError("a value does not fit the hash that was promised")
    return ShownCuts(four(hashes), four(values))


def parse_shown(words: Sequence[str]) -> ShownCuts:
    """Return the cuts of the words of :meth:`ShownCuts.format`. Raises ValueError."""
    shown = [_parse_shown(word) for word in words]
    hashes = four(digest for digest, _ in shown)
    return ShownCuts(hashes, four(value for _, value in shown))


def _parse_shown(word: str) -> tuple[bytes, bytes]:
    if word == NOBODY:
        return b"", b""
    if word.startswith(_MISSING):
        return _parse(word.removeprefix(_MISSING)), b""
    value = _parse(word)
    return hash_of(value), value


def format_hashes(hashes: FourHashes) -> list[str]:
    """Return a word for each player's hash."""
    return [digest.hex() or NOBODY for digest in hashes]


def parse_hashes(words: Sequence[str]) -> FourHashes:
    """Return the hashes of such words. Raises ValueError."""
    return four(b"" if word == NOBODY else _parse(word) for word in words)


def _parse(word: str) -> bytes:
    if _HASH.fullmatch(word) is None:
        raise ValueError(f"not {2 * VALUE_BYTES} hexadecimal digits in lower case")
    return bytes.fromhex(word)
