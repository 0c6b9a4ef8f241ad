"""The moon, with and without a choice of the shooter."""

from __future__ import annotations

from functools import partial

from tests.vectors.scribe import Scribe, Story, Turn, high

from .common import MOON, THEIR_MOON, at_table, one_hand, raw_table, settings


async def ours(s: Scribe, moon: str, choose: Turn | None = None) -> None:
    await at_table(s, MOON, rules=f"moon={moon},pass=never")
    s.pick = high
    await one_hand(s, {} if choose is None else {"moon": choose})


async def ours_raw(s: Scribe, choose: Turn) -> None:
    await settings(s, rules="moon=choice,pass=never")
    await s.do("deal", MOON)
    await raw_table(s)
    s.pick = high
    await one_hand(s, {"moon": choose})


async def theirs(s: Scribe, moon: str) -> None:
    await at_table(s, THEIR_MOON, rules=f"moon={moon},pass=never")
    await one_hand(s)


async def choose(s: Scribe, value: int) -> None:
    await s.yes_or_no(value, "26 off ours" if value == 0 else "26 on each of the others")


async def nonsense(s: Scribe) -> None:
    for value in (2, -1):
        await s.yes_or_no(value, "neither 0 nor 1")
    await choose(s, 1)


async def late(s: Scribe) -> None:
    await s.wait(60)
    await choose(s, 0)


async def missed(s: Scribe) -> None:
    await s.wait(60)
    status = await s.settled()
    await s.owed(status - 1)


async def tenth(s: Scribe) -> None:
    for _ in range(10):
        await s.yes_or_no(7, "neither 0 nor 1")


def moons() -> dict[str, Story]:
    """The cases of the file of this name."""
    return {
        "our moon, by the rules on the others": partial(ours, moon="others"),
        "our moon, by the rules off ours": partial(ours, moon="minus"),
        "our choice: on the others": partial(ours, moon="choice", choose=partial(choose, value=1)),
        "our choice: off ours": partial(ours, moon="choice", choose=partial(choose, value=0)),
        "our choice, with values that have no meaning": partial(ours_raw, choose=nonsense),
        "our choice, the tenth value without a meaning": partial(ours_raw, choose=tenth),
        "our choice crosses the status": partial(ours, moon="choice", choose=late),
        "the status comes before our choice is sent": partial(ours, moon="choice", choose=missed),
        "the moon of another, by the rules": partial(theirs, moon="others"),
        "the moon of another, who chooses": partial(theirs, moon="choice"),
    }
