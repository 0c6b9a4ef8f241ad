"""Attackers that make the server work, by doing what is cheap for them as fast as they can."""

from __future__ import annotations

import errno
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

import trio

from tests.independent.plain_client import OwnSession, Ticket

from .animals import animal
from .cage import HEARTS, LEFT, NOT_CONNECTED, Cage
from .players import seated
from .talkers import credentials_of, register
from .visit import Gone, text

CONNECTS_A_SECOND = 2000
LISTS_A_SECOND = 300
RETURNS_A_SECOND = 50
REPLAYS_A_SECOND = 200
_BEAT = 0.01
_GROWING = 20.0
"""Seconds in which a session becomes long, at full speed."""
_REPLAYING = 40.0
_BIND_ADDRESS_NO_PORT = 24
"""The socket option; so that a connection's port is chosen when it connects."""
_NO_PASS_10000 = (HEARTS | 1 << 20 | 3 << 16, 10_000)


def _knock(cage: Cage) -> None:
    """Connect and close, without a word and without waiting."""
    cage.tally.connections += 1
    with socket.socket() as sock:
        sock.setblocking(False)
        if cage.lives % 2:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        try:
            if cage.address:
                sock.setsockopt(socket.SOL_IP, _BIND_ADDRESS_NO_PORT, 1)
                sock.bind((cage.address, 0))
            code = sock.connect_ex((cage.grounds.host, cage.grounds.port))
        except OSError as error:
            code = error.errno or -1
    cage.tally.endings[LEFT if code in (0, errno.EINPROGRESS) else NOT_CONNECTED] += 1


@animal(0, attacks=True)
async def connector(cage: Cage) -> None:
    """Only connects and closes, 2000 times a second from one address. The server: accepts 10 a
    second of a network.
    """
    # Each beat is longer by what the pace is slower.
    with trio.move_on_after(10):
        while True:
            for _ in range(round(CONNECTS_A_SECOND * _BEAT)):
                _knock(cage)
                cage.lives += 1
            await trio.sleep(_BEAT / cage.grounds.pace)


@animal(0.1, attacks=True)
async def list_hammer(cage: Cage) -> None:
    """Asks for the list of tables, 300 times a second. The server: accepts 10 a second, answers
    slower and slower.
    """

    async def one() -> None:
        async with cage.visit() as visit:
            await visit.reply()
            await visit.send(text("Lister"), -8)
            cage.tally.saw["tables listed"] += await visit.reply()

    await cage.crowd(one, many=8, a_second=LISTS_A_SECOND)


async def _grow(cage: Cage) -> OwnSession:
    """Four quick players make a session long; the first of them."""
    _, settings = cage.manners()
    everybody = [
        replace(
            settings,
            process_id=cage.random.randrange(2**31),
            options=(*_NO_PASS_10000, 0),
            seed=cage.random.randrange(2**31),
            again=1000,
        )
        for _ in range(4)
    ]
    sessions = [OwnSession(one) for one in everybody]

    async def play(session: OwnSession) -> None:
        with suppress(Gone):
            async with cage.visit() as visit:
                await visit.converse(session)

    with trio.move_on_after(_GROWING * cage.grounds.pace):
        async with trio.open_nursery() as nursery:
            for session in sessions:
                nursery.start_soon(play, session)
    return sessions[0]


@animal(0.5, attacks=True)
async def replayer(cage: Cage) -> None:
    """Plays for 20 s as fast as it goes, then comes back to the long session with hands -1 and 0,
    200 times a second, and closes at once or reads nothing. The server: one replay of a seat at
    a time, which ends with its connection.
    """
    ticket = (await _grow(cage)).ticket
    if ticket is None:
        return
    cage.tally.saw["hands played"] += ticket.hands
    turns = 0

    async def one() -> None:
        nonlocal turns
        turns += 1
        hands = -1 if turns % 3 else 0
        unread = turns % 2
        async with cage.visit(window=2048 if unread else 0) as visit:
            await visit.reply()
            await visit.send(text("Replayer"), *_block_5(ticket, hands))
            await visit.reply()
            await visit.send(ticket.process_id)
            cage.tally.saw["replays"] += 1
            if unread:
                await trio.sleep(1)

    await cage.crowd(one, many=8, a_second=REPLAYS_A_SECOND, seconds=_REPLAYING)


def _block_5(ticket: Ticket, hands: int) -> tuple[int, ...]:
    return (-5, ticket.game, ticket.game_id, ticket.player, ticket.process_id, hands)


@animal(0.5, attacks=True)
async def flapper(cage: Cage) -> None:
    """Comes back to its seat and goes, 50 times a second, and hears the chat. The server: merges
    the notices; accepts 10 a second.
    """
    numbers: Callable[[], bytes] | None = None
    ticket: Ticket | None = None
    async with cage.visit() as visit:
        session, settings = cage.manners()
        await visit.converse(session, until=seated)
        numbers = partial(credentials_of, session, settings)
        ticket = session.ticket
    if ticket is None or numbers is None:
        return

    async def receive() -> None:
        if cage.grounds.taunt_port:
            with suppress(Gone):
                async with cage.visit(cage.grounds.taunt_port) as visit:
                    await register(visit, numbers())
                    await visit.watch(30)

    async def come_and_go() -> None:
        async with cage.visit() as visit:
            await visit.reply()
            await visit.send(text("Flapper"), *_block_5(ticket, 0))
            await visit.reply()
            cage.tally.saw["times back"] += 1

    async with trio.open_nursery() as nursery:
        nursery.start_soon(receive)
        await cage.crowd(come_and_go, many=1, a_second=RETURNS_A_SECOND, seconds=30)
        nursery.cancel_scope.cancel()
