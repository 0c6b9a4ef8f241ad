"""Animals that visit the taunt server, some of them from a seat of their own at a table."""

from __future__ import annotations

import struct

import trio

from tests.independent.client import Session, Settings

from .animals import Animal
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


def credentials_of(session: Session, settings: Settings) -> bytes:
    """The four numbers of the seat of a session that has just begun."""
    _, game_number, game_id = session.facts[-1].numbers
    return struct.pack(">4i", game_number, game_id, session.me, settings.process_id)


async def register(visit: ZooVisit, numbers: bytes) -> None:
    """Register at the taunt server; a refusal ends the visit."""
    await visit.send(numbers)
    if await visit.number() != _REGISTERED:
        await visit.watch()
    visit.playing = True


async def be_silent(cage: Cage) -> None:
    async with cage.visit(cage.grounds.taunt_port) as visit:
        await visit.watch()


async def register_by_half(cage: Cage) -> None:
    async with cage.visit(cage.grounds.taunt_port) as visit:
        await visit.send(1, 2, b"\0\0")
        await visit.watch()


async def guess_numbers(cage: Cage) -> None:
    async with cage.visit(cage.grounds.taunt_port) as visit:
        guess = [cage.random.randrange(2**31) for _ in range(4)]
        guess[2] = cage.random.randrange(-1, 4)
        await visit.send(*guess)
        await visit.watch()


async def _taunt_without_end(visit: ZooVisit, numbers: bytes) -> None:
    while True:
        await visit.send(numbers, text("cheap" * 25))
        await trio.sleep(1 / TAUNTS_A_SECOND)


async def taunt_without_end(cage: Cage) -> None:
    async with cage.visit() as seat:
        numbers = await credentials(cage, seat)
        async with cage.visit(cage.grounds.taunt_port) as visit:
            await register(visit, numbers)
            with trio.move_on_after(20):
                await _taunt_without_end(visit, numbers)
            await visit.watch(1)


async def hear_nothing(cage: Cage) -> None:
    async with cage.visit() as seat:
        numbers = await credentials(cage, seat)
        async with cage.visit(cage.grounds.taunt_port, window=2048) as deaf:
            await register(deaf, numbers)
            async with cage.visit(cage.grounds.taunt_port) as speaker:
                await register(speaker, numbers)
                with trio.move_on_after(30):
                    await _taunt_without_end(speaker, numbers)


async def taunt_hugely(cage: Cage) -> None:
    async with cage.visit() as seat:
        numbers = await credentials(cage, seat)
        async with cage.visit(cage.grounds.taunt_port) as visit:
            await register(visit, numbers)
            await visit.send(numbers, _LENGTHS[cage.lives % len(_LENGTHS)], bytes(20_000))
            await visit.watch(5)


TALKERS = (
    Animal(
        "chat-silent",
        "connects to the taunt server and never speaks",
        "-1 after 30 s",
        be_silent,
        1,
        chats=True,
    ),
    Animal(
        "chat-half",
        "sends half a registration",
        "-1 after 30 s",
        register_by_half,
        1,
        chats=True,
    ),
    Animal(
        "chat-guesser",
        "registers with wrong numbers in a loop",
        "-1, slower and slower",
        guess_numbers,
        0.1,
        chats=True,
    ),
    Animal(
        "chat-flooder",
        f"sends {TAUNTS_A_SECOND} taunts a second from a seat of its own",
        "drops all but 15 in 30 s",
        taunt_without_end,
        1,
        chats=True,
    ),
    Animal(
        "chat-non-reader",
        "has two connections for a seat, floods on one and never reads on the other",
        "nothing below 65536 bytes waiting",
        hear_nothing,
        1,
        chats=True,
    ),
    Animal(
        "chat-huge",
        "announces taunts of huge and negative lengths",
        "the connection ends",
        taunt_hugely,
        0.5,
        chats=True,
    ),
)
