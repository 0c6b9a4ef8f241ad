"""Attackers that send frames which nobody waits for, from one address or from a network."""

from __future__ import annotations

import math
import struct
import time
from collections.abc import Awaitable, Callable
from functools import partial

import trio

from tests.independent.dealer_frames import PING, REGISTER_PLAYER
from tests.independent.plain_client import string

from .animals import animal
from .cage import COMPUTERS, HEARTS, Cage, new_name
from .visit import ZooVisit, text

DEALERS = 8
ADDRESSES = 4
"""Of a network that floods."""
OF_ADDRESS = 16
"""Connections, each at a table of its own; as many as an address may have unfinished."""
BURST_EVERY = 3.0
"""Seconds from one burst of a network to the next; those of all networks fall together."""
_BURST = 4096
_UNKNOWN_TYPE = 999
_ASK_TABLES, _ASK_TABLE = 225, 226


def _frame(type: int, payload: bytes = b"") -> bytes:
    return struct.pack(">3i", type, 0, len(payload)) + payload


_UNKNOWN = _frame(_UNKNOWN_TYPE)
_PING = _frame(PING, bytes(64))
_REPEATS = (
    _frame(_ASK_TABLES)
    + 20 * _frame(_ASK_TABLE, string(""))
    + 20 * _frame(REGISTER_PLAYER, struct.pack(">3i", 3, 500, 0) + string("the same again"))
)
"""One request for all tables, and such as cost less."""
_KINDS = (_UNKNOWN, _PING, _REPEATS)


def _many(frame: bytes, size: int) -> bytes:
    return frame * (size // len(frame))


async def _at_own_table(visit: ZooVisit) -> None:
    await visit.reply()
    await visit.send(text("Dealer"), -6, 1)
    await visit.reply()
    await visit.send(-4, string(new_name()))
    await visit.reply()


async def _send_frames(frame: bytes, cage: Cage) -> None:
    async def one() -> None:
        async with cage.visit() as visit:
            await _at_own_table(visit)
            await visit.send(-2, HEARTS | COMPUTERS, 0, 0, cage.random.randrange(2**31))
            flood = partial(visit.flood, partial(_many, frame), pace=cage.grounds.pace)
            await visit.while_reading(flood)

    await cage.crowd(one, many=DEALERS, a_second=DEALERS, seconds=30)


async def _flood_from_network(
    send: Callable[[Cage, ZooVisit, bytes], Awaitable[None]], cage: Cage
) -> None:
    """Each connection sits at a table of its own that waits for friends, so none is left behind."""
    network = cage.address.rpartition(".")[0]
    count = 0

    async def one() -> None:
        nonlocal count
        count += 1
        address = f"{network}.{1 + count % ADDRESSES}" if network else ""
        frame = _KINDS[count % len(_KINDS)]
        async with cage.visit(address=address) as visit:
            await _at_own_table(visit)
            await visit.send(cage.random.randrange(2**31))
            await visit.while_reading(partial(send, cage, visit, frame))

    many = ADDRESSES * OF_ADDRESS
    await cage.crowd(one, many=many, a_second=many, seconds=60)


async def _all_the_time(cage: Cage, visit: ZooVisit, frame: bytes) -> None:
    await visit.flood(partial(_many, frame), math.inf, pace=cage.grounds.pace / ADDRESSES)


async def _all_at_once(cage: Cage, visit: ZooVisit, frame: bytes) -> None:
    burst = _many(frame, _BURST)
    while True:
        await trio.sleep(BURST_EVERY - time.monotonic() % BURST_EVERY)
        await visit.send(burst)


@animal(0.5, attacks=True)
async def frame_flooder(cage: Cage) -> None:
    """Sends frames of an unknown type without end, over 8 connections of the dealer dialect. The
    server: reads no more than its budget.
    """
    await _send_frames(_UNKNOWN, cage)


@animal(0.5, attacks=True)
async def pinger(cage: Cage) -> None:
    """Sends pings without end over 8 connections of the dealer dialect. The server: reads no more
    than its budget.
    """
    await _send_frames(_PING, cage)


@animal(0.5, attacks=True)
async def repeater(cage: Cage) -> None:
    """Asks for all tables and for its own, and says who it is, without end, over 8 connections of
    the dealer dialect. The server: reads no more than its budget.
    """
    await _send_frames(_REPEATS, cage)


@animal(0.5, attacks=True)
async def flood_network(cage: Cage) -> None:
    """All of that over 64 connections of one network. The server: reads no more than a share of a
    fifth of a core.
    """
    await _flood_from_network(_all_the_time, cage)


@animal(0.5, attacks=True)
async def burst_network(cage: Cage) -> None:
    """The same, but all of them send 4096 bytes at one moment, each 3 s. The server: the same."""
    await _flood_from_network(_all_at_once, cage)
