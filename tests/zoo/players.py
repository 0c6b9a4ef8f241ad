"""Animals that sit down at a table, of their own with three computers, and misbehave there."""

from __future__ import annotations

import struct

import trio

from tests.independent.plain_client import OwnSession

from .animals import animal
from .cage import NO_PASS, Cage
from .visit import ZooVisit, has

WRITES_TORN = 40
"""Torn ones stop within one of the first so many messages that they send."""
_ENDS = ("close", "reset", "keep")


def on_turn(session: OwnSession) -> bool:
    return has(session, "leads")


def seated(session: OwnSession) -> bool:
    return has(session, "seated")


class _Torn(Exception):
    """Enough was said."""


@animal(0.1)
async def table_leaver(cage: Cage) -> None:
    """Begins a table with three computers and leaves, again and again. The server: the table pauses
    and ends; it makes room at the limit.
    """
    async with cage.visit() as visit:
        session, _ = cage.manners()
        await visit.converse(session, until=seated)


@animal(0.1)
async def torn(cage: Cage) -> None:
    """Stops in the middle of each of the first 40 messages, then closes, resets or keeps the
    connection. The server: the seat is freed, or its choices run against the clock.
    """
    async with cage.visit() as visit:
        left = cage.lives % WRITES_TORN

        async def write(data: bytes) -> None:
            nonlocal left
            if not left:
                await visit.send(data[: max(1, len(data) // 2)])
                raise _Torn
            left -= 1
            await visit.send(data)

        session, _ = cage.manners()
        try:
            await visit.converse(session, write=write)
        except _Torn:
            await _stop(visit, _ENDS[cage.lives // WRITES_TORN % len(_ENDS)])


async def _stop(visit: ZooVisit, how: str) -> None:
    if how == "reset":
        visit.reset()
    elif how == "keep":
        await visit.watch(5)


@animal(0.5)
async def half_open(cage: Cage) -> None:
    """Neither reads nor writes from some message on, and goes without FIN. The server: its choices
    run against the clock.
    """
    async with cage.visit() as visit:
        session, _ = cage.manners()
        seen = cage.random.randrange(2, 60)
        await visit.converse(session, until=lambda session: len(session.facts) >= seen)
        # A peer whose network is gone neither reads nor writes, and no FIN comes from it.
        await trio.sleep(cage.random.uniform(5, 30))
        visit.reset()


@animal(1)
async def non_reader(cage: Cage) -> None:
    """Plays but never reads, behind a small window. The server: closed at more than 65536 bytes
    waiting.
    """
    async with cage.visit(window=2048) as visit:
        session, _ = cage.manners(NO_PASS)
        await visit.converse(session, until=seated)
        # Player 0's acknowledgement is 0, and hand index 0 is legal now and then.
        while True:
            await visit.send(0)
            await trio.sleep(0.25)


@animal(1)
async def flooder(cage: Cage) -> None:
    """Sends acknowledgements, choices or random bytes without end. The server: protocol error: the
    connection is ended.
    """
    async with cage.visit() as visit:
        session, _ = cage.manners()
        await visit.converse(session, until=(seated, on_turn)[cage.lives % 2])
        floods = [
            lambda size: struct.pack(">i", session.me) * (size // 4),
            lambda size: struct.pack(">4i", 3, 2, 1, 0) * (size // 16),
            cage.random.randbytes,
        ]
        await visit.flood(floods[cage.lives % len(floods)])


@animal(0.2)
async def wrong_acker(cage: Cage) -> None:
    """Acknowledges with the number of another player. The server: protocol error: the connection is
    ended.
    """
    async with cage.visit() as visit:
        session, _ = cage.manners()
        await visit.converse(session, until=lambda session: session.me >= 0 and seated(session))
        await visit.send((session.me + 1 + cage.lives % 3) % 4)
        await visit.watch(5)


@animal(1)
async def late_chooser(cage: Cage) -> None:
    """Chooses only when the server has decided. The server: it decides for it each time."""
    async with cage.visit() as visit:
        session, _ = cage.manners(think=1)

        async def think(_: float) -> None:
            # While a choice of its own is due, nothing but the server's decision comes.
            await visit.await_bytes(4)

        await visit.converse(session, think=think)


@animal(1)
async def illegal_chooser(cage: Cage) -> None:
    """Makes ten illegal tries for each choice. The server: negative statuses; it decides at the
    tenth.
    """
    async with cage.visit() as visit:
        session, _ = cage.manners(wrong=1, think=0.02)
        await visit.converse(session)
