"""Animals that visit the taunt server, some of them from a seat of their own at a table."""

from __future__ import annotations

import struct

import trio

from tests.independent.plain_client import ClientHabits, OwnSession

from .animals import animal
from .cage import Cage
from .players import seated
from .visit import ZooVisit, text

TAUNTS_A_SECOND = 200
_REGISTERED = 1
_LENGTHS = (2**31 - 1, -1, 0, 1025, -(2**31))


async def credentials(cage: Cage, seat: ZooVisit) -> bytes:
    """Sit down at a table; the four numbers of the seat (section 9.2)."""
    session, settings = cage.manners()
    await seat.converse(session, until=seated)
    return credentials_of(session, settings)


def credentials_of(session: OwnSession, settings: ClientHabits) -> bytes:
    _, game_number, game_id = session.facts[-1].numbers
    return struct.pack(">4i", game_number, game_id, session.me, settings.process_id)


async def register(visit: ZooVisit, numbers: bytes) -> None:
    """Register at the taunt server; a refusal ends the visit."""
    await visit.send(numbers)
    if await visit.number() != _REGISTERED:
        await visit.watch()
    visit.playing = True


@animal(1, chats=True)
async def chat_silent(cage: Cage) -> None:
    """Connects to the taunt server and never speaks. The server: -1 after 30 s."""
    async with cage.visit(cage.grounds.taunt_port) as visit:
        await visit.watch()


@animal(1, chats=True)
async def chat_half(cage: Cage) -> None:
    """Sends half a registration. The server: -1 after 30 s."""
    async with cage.visit(cage.grounds.taunt_port) as visit:
        await visit.send(1, 2, b"\0\0")
        await visit.watch()


@animal(0.1, chats=True)
async def chat_guesser(cage: Cage) -> None:
    """Registers with wrong numbers in a loop. The server: -1, slower and slower."""
    async with cage.visit(cage.grounds.taunt_port) as visit:
        guess = [cage.random.randrange(2**31) for _ in range(4)]
        guess[2] = cage.random.randrange(-1, 4)
        await visit.send(*guess)
        await visit.watch()


async def _taunt_without_end(visit: ZooVisit, numbers: bytes) -> None:
    while True:
        await visit.send(numbers, text("cheap" * 25))
        await trio.sleep(1 / TAUNTS_A_SECOND)


@animal(1, chats=True)
async def chat_flooder(cage: Cage) -> None:
    """Sends 200 taunts a second from a seat of its own. The server: drops all but 15 in 30 s."""
    async with cage.visit() as seat:
        numbers = await credentials(cage, seat)
        async with cage.visit(cage.grounds.taunt_port) as visit:
            await register(visit, numbers)
            with trio.move_on_after(20):
                await _taunt_without_end(visit, numbers)
            await visit.watch(1)


@animal(1, chats=True)
async def chat_non_reader(cage: Cage) -> None:
    """Has two connections for a seat, floods on one and never reads on the other. The server:
    nothing below 65536 bytes waiting.
    """
    async with cage.visit() as seat:
        numbers = await credentials(cage, seat)
        async with cage.visit(cage.grounds.taunt_port, window=2048) as deaf:
            await register(deaf, numbers)
            async with cage.visit(cage.grounds.taunt_port) as speaker:
                await register(speaker, numbers)
                with trio.move_on_after(30):
                    await _taunt_without_end(speaker, numbers)


@animal(0.5, chats=True)
async def chat_huge(cage: Cage) -> None:
    """Announces taunts of huge and negative lengths. The server: the connection ends."""
    async with cage.visit() as seat:
        numbers = await credentials(cage, seat)
        async with cage.visit(cage.grounds.taunt_port) as visit:
            await register(visit, numbers)
            await visit.send(numbers, _LENGTHS[cage.lives % len(_LENGTHS)], bytes(20_000))
            await visit.watch(5)
