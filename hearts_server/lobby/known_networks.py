"""The networks in which somebody has known the password lately."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

KNOWN_FOR = 7 * 86400.0
"""Seconds for which a network counts as one that knows the password."""
MOST_KNOWN = 4096
"""Networks that are kept; the one that showed the password longest ago goes first."""
_RENEWED_AFTER = 86400.0
"""Seconds after which it is worth writing down that a network has shown it again."""
_TAG_BYTES = 16
_LINE = re.compile(rb"([0-9a-f]{32}) ([0-9]{1,11})")


class KeptNetworks(Struct, frozen=True):
    """The networks that know the password as they are stored, and where."""

    stored: bytes
    """The latest bytes of :meth:`KnownNetworks.to_bytes`; empty without any."""
    keep: Callable[[bytes], None]
    """Stores what it gives; runs in a thread of trio's, and may raise OSError."""


class KnownNetworks:
    """Networks that have shown a password, as marks that only this server can make.

    A mark binds the network to the password: with another password all are forgotten, and the
    file names nobody. Time is handed in, as Unix time, for it has to outlast the server.
    """

    def __init__(self, secret: bytes, password: bytes, stored: bytes = b"") -> None:
        """``secret`` is that of the data dir; ``stored`` is what :meth:`to_bytes` gave once.

        Lines that make no sense are passed over.
        """
        self._secret = secret
        self._password = hashlib.sha256(password).digest()
        self._shown: OrderedDict[str, float] = OrderedDict()
        for line in stored.splitlines()[-MOST_KNOWN:]:
            match = _LINE.fullmatch(line)
            if match is not None:
                self._shown[match[1].decode()] = float(match[2])

    def __len__(self) -> int:
        return len(self._shown)

    def knows(self, network: str, now: float) -> bool:
        """Whether the password was shown from this network within KNOWN_FOR."""
        return 0 <= now - self._shown.get(self._mark(network), -KNOWN_FOR) < KNOWN_FOR

    def add(self, network: str, now: float) -> bool:
        """The password was shown from this network; whether that is worth writing down."""
        mark = self._mark(network)
        before = self._shown.get(mark)
        if before is not None and 0 <= now - before < _RENEWED_AFTER:
            return False
        self._shown.pop(mark, None)
        while self._shown:
            oldest, at = next(iter(self._shown.items()))
            if len(self._shown) < MOST_KNOWN and now - at < KNOWN_FOR:
                break
            del self._shown[oldest]
        self._shown[mark] = now
        return True

    def to_bytes(self) -> bytes:
        """What is to be kept in a file."""
        return "".join(f"{mark} {int(at)}\n" for mark, at in self._shown.items()).encode()

    def _mark(self, network: str) -> str:
        message = b"known network\0" + self._password + network.encode()
        return hmac.new(self._secret, message, hashlib.sha256).hexdigest()[: 2 * _TAG_BYTES]
