"""Addresses of loopback: those of good clients, each in a network of its own.

Limits count by address and by network, so good clients come from as many networks as real people
do. Bad ones have those from 127.100.0.0 on.
"""

from __future__ import annotations

_BLOCK = 250
GOOD = 90 * _BLOCK
"""So many addresses there are for good clients."""


def good_address(number: int) -> str:
    """That of a good client, in a network /24 of its own."""
    block, network = divmod(number % GOOD, _BLOCK)
    return f"127.{1 + block}.{network}.1"
