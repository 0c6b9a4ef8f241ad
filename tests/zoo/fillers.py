"""Attackers that take all the room: tables, seats, connections and places in the chat."""

from __future__ import annotations

from functools import partial

from .animals import animal
from .cage import COMPUTERS, HEARTS, Cage, new_name
from .visit import text

TABLES_A_SECOND = 300
REGISTRATIONS_A_SECOND = 300
SILENT = 12
IDLERS = 80
"""Connections to the taunt server; more than it gives to one address."""
CROWD = 512
"""The same of a crowd, each from an address of its own."""
_AT_ONCE = 4


async def _open_a_table(cage: Cage, address: str) -> None:
    async with cage.visit(address=address) as visit:
        await visit.reply()
        process_id = cage.random.randrange(2**31)
        await visit.send(text("Filler"), -4, text(new_name()))
        await visit.send(-2, HEARTS | COMPUTERS, 0, 0, process_id)
        await visit.reply()
        await visit.reply()
        cage.tally.saw["tables begun"] += 1


@animal(0.1, attacks=True)
async def table_filler(cage: Cage) -> None:
    """Begins tables with three computers over four connections from one address, closes each, 300 a
    second. The server: -1 beyond 16 unfinished tables of an address; -2 beyond 10 connections a
    second.
    """
    one = partial(_open_a_table, cage, cage.address)
    await cage.crowd(one, many=_AT_ONCE, a_second=TABLES_A_SECOND)


@animal(0.1, attacks=True)
async def table_neighbours(cage: Cage) -> None:
    """The same from the 253 other addresses of its network. The server: -1 beyond 64 unfinished
    tables of a /24.
    """

    async def one() -> None:
        await _open_a_table(cage, cage.neighbour())

    await cage.crowd(one, many=_AT_ONCE, a_second=TABLES_A_SECOND)


@animal(0.1, attacks=True)
async def registrar(cage: Cage) -> None:
    """Registers at a private table and leaves, 300 times a second. The server: reads slower and
    slower, -2.
    """

    async def one() -> None:
        async with cage.visit() as visit:
            await visit.reply()
            await visit.send(text("Registrar"), -4, text(new_name()))
            await visit.reply()
            await visit.send(cage.random.randrange(2**31))

    await cage.crowd(one, many=8, a_second=REGISTRATIONS_A_SECOND)


@animal(0.1, attacks=True)
async def seat_sitter(cage: Cage) -> None:
    """Holds seats of public tables with 12 silent connections from one address. The server: after 5
    s the seats are free for who registers; -106 after 60 s.
    """

    async def one() -> None:
        async with cage.visit() as visit:
            await visit.reply()
            await visit.watch()

    await cage.crowd(one, many=SILENT, a_second=SILENT, seconds=60)


@animal(0.1, chats=True, attacks=True)
async def chat_idler(cage: Cage) -> None:
    """Keeps 80 idle connections to the taunt server. The server: -1 after 30 s; closes those beyond
    64 of an address.
    """

    async def one() -> None:
        async with cage.visit(cage.grounds.taunt_port) as visit:
            await visit.watch()

    await cage.crowd(one, many=IDLERS, a_second=IDLERS, seconds=60)


@animal(0.1, chats=True, attacks=True)
async def chat_crowd(cage: Cage) -> None:
    """Keeps 512 idle connections to the taunt server, from many networks. The server: -1 after 30
    s; after 2 s or at once where its places are needed.
    """

    async def one() -> None:
        # Each life is at an address of its own.
        cage.lives += 1
        async with cage.visit(cage.grounds.taunt_port, address=cage.new_address()) as visit:
            await visit.watch()

    await cage.crowd(one, many=CROWD, a_second=CROWD, seconds=60)
