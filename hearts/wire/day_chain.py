"""The values of the days of a server, from which the deals of each day follow (SocketSpec.md 7.8).

A server's secret gives the last value of a chain, and each value gives the one before it. So what
is told of one day fixes all days before it, and nobody reckons a later one from it. The anchor, one
link before the first day, is told to everybody at any time.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from datetime import UTC, date, datetime
from functools import lru_cache

FIRST_DAY = date(2026, 1, 1)
DAYS = 36_525
"""Days of a chain, a hundred years."""
HANDS = 4
"""Hands of a day, those of one cycle of passes."""
OVER_AFTER = 36 * 3600
"""Seconds from the beginning of a day by UTC until it is over everywhere."""
_TABLE = re.compile(r"day (\d{4}-\d\d-\d\d) [A-Z2-7]{15}")
_SECRET_BYTES = 16
_BLOCK = 500


def day_number(day: date) -> int:
    """Return the place of a day in the chain, from 1. Raises ValueError for a day beyond it."""
    number = (day - FIRST_DAY).days + 1
    if not 1 <= number <= DAYS:
        raise ValueError(f"{day} is no day of the chain")
    return number


def day_of(table: str) -> date | None:
    """Return the day that is played at a table of this name; None for another table."""
    found = _TABLE.fullmatch(table)
    return None if found is None else read_date(found[1])


def read_date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def over_since(day: date) -> float:
    """Return the time, in seconds since 1970, at which a day is over everywhere."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() + OVER_AFTER


def chain_value(secret: bytes, number: int) -> bytes:
    """Return the value of a day by its place, or for 0 the anchor: 32 bytes."""
    block = min(-(-number // _BLOCK) * _BLOCK, DAYS)
    return _hashed(_value_at(secret, block), block - number)


@lru_cache(maxsize=1 + DAYS)  # All hashes of a chain take some 20 ms.
def _value_at(secret: bytes, place: int) -> bytes:
    """Return the value at a multiple of _BLOCK, or the last one."""
    if place == DAYS:
        return hmac.digest(secret, b"hearts days 1", "sha256")
    after = min(place + _BLOCK, DAYS)
    return _hashed(_value_at(secret, after), after - place)


def _hashed(value: bytes, times: int) -> bytes:
    for _ in range(times):
        value = hashlib.sha256(value).digest()
    return value


def is_of_chain(value: bytes, number: int, anchor: bytes) -> bool:
    """Tell whether a value is that of a day of the chain with this anchor."""
    return _hashed(value, number) == anchor


def hand_secret(value: bytes, hand: int) -> bytes:
    """Return the secret of a hand of a day, from 1. Of the others it tells nothing."""
    return hmac.digest(value, bytes([hand]), "sha256")[:_SECRET_BYTES]
