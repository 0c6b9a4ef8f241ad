"""Faults of a client, and players who leave."""

from __future__ import annotations

from functools import partial

from tests.vectors.notebook import ints
from tests.vectors.scribe import Scribe, Story

from .common import EXAMPLE, PEOPLE, among_people, one_hand, raw_table


async def wrong_ack(s: Scribe, value: int) -> None:
    await raw_table(s)
    s.skip("your hand")
    await s.say(ints(value), "a wrong ack")
    s.end()


async def choice_without_ack(s: Scribe) -> None:
    await raw_table(s)
    s.skip("your hand")
    await s.say(ints(5, 4, 9), "the pass, and no ack before it")
    s.end()


async def too_early(s: Scribe, size: int) -> None:
    """Bytes that come while the table is forming."""
    await s.connect(raw=True)
    await s.options(PEOPLE, 0, 0, "no computers")
    await s.process_id()
    await s.say(ints(0) * (size // 4) + bytes(size % 4), f"{size} bytes before any is due")
    if size > 1024:
        await s.refused(-102)
    else:
        await s.leave()


async def early_acks(s: Scribe) -> None:
    """Acknowledgements and the pass of a client that knows what will come."""
    await s.connect(raw=True)
    await s.options(0b01_1110, 0, 0, "three computers")
    await s.say(
        ints(1000, 0, 0, 0, 5, 4, 9, 0),
        "Process ID, ack of names, Table and hand, a pass, ack of the cards",
    )
    s.skip("names, Table, Your hand, Pass, status 0, three cards, and who leads")
    await s.leave()


async def leaves_early(s: Scribe) -> None:
    await s.register()
    await s.leave()


async def one_leaves(s: Scribe) -> None:
    """The choices of one who has left run against the clock until a computer plays for him."""
    await among_people(s, EXAMPLE, rules="pass=never")

    async def bob_leaves(s: Scribe) -> None:
        await s.do("leave", "Bob")
        await s.turn(1)
        await s.wait(60)

    await one_hand(s, {1: bob_leaves})


def faults() -> dict[str, Story]:
    """The cases of the file of this name."""
    return {
        "an ack of another player": partial(wrong_ack, value=1),
        "an ack of nobody": partial(wrong_ack, value=-1),
        "a choice where an ack is due": choice_without_ack,
        "1024 bytes too early": partial(too_early, size=1024),
        "1025 bytes too early": partial(too_early, size=1025),
        "acks and a pass before they are due": early_acks,
        "a client that leaves": leaves_early,
        "another player leaves": one_leaves,
    }
