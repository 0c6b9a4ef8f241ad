"""The seats of visitors with a key: what a client needs to come back, under a mark of its key.

It is bounded in number, size and age, and is the only thing that is kept of a visitor.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec

from hearts_client.door_link import MOST_SEATS

_MOST_VISITORS = 200
_OLDEST = 7 * 86400
"""Seconds after which a visitor is forgotten."""
LONGEST_SEAT = 8192
"""Bytes of what a seat needs."""
_LONGEST_NAME = 300


_Kept = tuple[float, dict[str, str]]
"""The time of the last change, and the seats of one visitor by name, the latest last."""


class SeatStore:
    """The seats of all visitors, in memory and in a file, the oldest visitor first."""

    def __init__(self, file: Path | None) -> None:
        """Read the file, if there is one; what cannot be read is forgotten."""
        self._file = file
        self._kept: dict[str, _Kept] = {}
        if file is not None:
            with suppress(OSError, msgspec.DecodeError):
                self._kept = msgspec.json.decode(file.read_bytes(), type=dict[str, _Kept])

    def of(self, mark: str, now: float) -> tuple[str, ...]:
        """Return the seats of a visitor, the latest last."""
        at, seats = self._kept.get(mark, (0.0, {}))
        return tuple(seats.values()) if now - at <= _OLDEST else ()

    def keep(self, mark: str, name: str, saved: str, now: float) -> None:
        """Keep a seat of a visitor; empty forgets it. Raises OSError if it cannot be written."""
        if len(name) > _LONGEST_NAME or len(saved) > LONGEST_SEAT:
            return
        _, seats = self._kept.pop(mark, (now, {}))
        seats.pop(name, None)
        if saved:
            seats[name] = saved
        if seats:
            self._kept[mark] = now, dict([*seats.items()][-MOST_SEATS:])
        fresh = [each for each in self._kept.items() if now - each[1][0] <= _OLDEST]
        self._kept = dict(fresh[-_MOST_VISITORS:])
        if self._file is not None:
            new = self._file.with_suffix(".new")
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(descriptor, "wb") as file:
                file.write(msgspec.json.encode(self._kept))
            new.replace(self._file)
