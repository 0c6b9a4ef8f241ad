"""Animals that sit down at a table, of their own with three computers, and misbehave there."""

from __future__ import annotations

import struct

import trio

from tests.independent.client import Session

from .animals import Animal
from .cage import NO_PASS, Cage
from .visit import ZooVisit, has

WRITES_TORN = 40
"""Torn ones stop within one of the first so many messages that they send."""
_ENDS = ("close", "reset", "keep")


def on_turn(session: Session) -> bool:
    """Whether cards are being played."""
    return has(session, "leads")


def seated(session: Session) -> bool:
    """Whether the table has begun."""
    return has(session, "seated")


class _Torn(Exception):
    """Enough was said."""


async def leave(cage: Cage) -> None:
    async with cage.visit() as visit:
        session, _ = cage.manners()
        await visit.converse(session, until=seated)


async def tear(cage: Cage) -> None:
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


async def stay_half_open(cage: Cage) -> None:
    async with cage.visit() as visit:
        session, _ = cage.manners()
        seen = cage.random.randrange(2, 60)
        await visit.converse(session, until=lambda session: len(session.facts) >= seen)
        # A peer whose network is gone neither reads nor writes, and no FIN comes from it.
        await trio.sleep(cage.random.uniform(5, 30))
        visit.reset()


async def play_without_reading(cage: Cage) -> None:
    async with cage.visit(window=2048) as visit:
        session, _ = cage.manners(NO_PASS)
        await visit.converse(session, until=seated)
        # Player 0's acknowledgement is 0, and hand index 0 is legal now and then.
        while True:
            await visit.send(0)
            await trio.sleep(0.25)


async def flood(cage: Cage) -> None:
    async with cage.visit() as visit:
        session, _ = cage.manners()
        await visit.converse(session, until=(seated, on_turn)[cage.lives % 2])
        floods = [
            lambda size: struct.pack(">i", session.me) * (size // 4),
            lambda size: struct.pack(">4i", 3, 2, 1, 0) * (size // 16),
            cage.random.randbytes,
        ]
        await visit.flood(floods[cage.lives % len(floods)])


async def acknowledge_wrongly(cage: Cage) -> None:
    async with cage.visit() as visit:
        session, _ = cage.manners()
        await visit.converse(session, until=lambda session: session.me >= 0 and seated(session))
        await visit.send((session.me + 1 + cage.lives % 3) % 4)
        await visit.watch(5)


async def choose_late(cage: Cage) -> None:
    async with cage.visit() as visit:
        session, _ = cage.manners(think=1)

        async def think(_: float) -> None:
            # While a choice of its own is due, nothing but the server's decision comes.
            await visit.await_bytes(4)

        await visit.converse(session, think=think)


async def choose_illegally(cage: Cage) -> None:
    async with cage.visit() as visit:
        session, _ = cage.manners(wrong=1, think=0.02)
        await visit.converse(session)


PLAYERS = (
    Animal(
        "table-leaver",
        "begins a table with three computers and leaves, again and again",
        "the table pauses and ends; it makes room at the limit",
        leave,
        0.1,
    ),
    Animal(
        "torn",
        f"stops in the middle of each of the first {WRITES_TORN} messages, then closes, resets "
        "or keeps the connection",
        "the seat is freed, or its choices run against the clock",
        tear,
        0.1,
    ),
    Animal(
        "half-open",
        "neither reads nor writes from some message on, and goes without FIN",
        "its choices run against the clock",
        stay_half_open,
        0.5,
    ),
    Animal(
        "non-reader",
        "plays but never reads, behind a small window",
        "closed at more than 65536 bytes waiting",
        play_without_reading,
        1,
    ),
    Animal(
        "flooder",
        "sends acknowledgements, choices or random bytes without end",
        "protocol error: the connection is ended",
        flood,
        1,
    ),
    Animal(
        "wrong-acker",
        "acknowledges with the number of another player",
        "protocol error: the connection is ended",
        acknowledge_wrongly,
        0.2,
    ),
    Animal(
        "late-chooser",
        "chooses only when the server has decided",
        "it decides for it each time",
        choose_late,
        1,
    ),
    Animal(
        "illegal-chooser",
        "makes ten illegal tries for each choice",
        "negative statuses; it decides at the tenth",
        choose_illegally,
        1,
    ),
)
