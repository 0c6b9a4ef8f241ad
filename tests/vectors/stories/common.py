"""What the stories share: deals, options and the beginnings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hearts.game.deal import deal_code
from tests.vectors.scribe import Scribe, Turn

COMPUTERS = 0b01_1110
"""Options: Hearts, the host's rules, players 1-3 are computers."""
PEOPLE = 0b01_0000
MAC2000 = 1 << 20 | 136448
EXAMPLE = "0004-1061-050R-3GG2-8A1C-60T3-GFQG"
"""The deal of SocketSpec.md section 4."""
MOON = "0000-0000-0000-0000-0000-000F-WBFZ"
"""Player 0 takes all who always plays high, without a pass, against robots."""
THEIR_MOON = "0000-0000-0000-0000-0000-0001-8RZY"
"""Player 3 takes all when everybody plays low, without a pass."""


Turns = Mapping[Any, Turn]
"""Turns of ours in a hand, by trick or name."""
NO_TURNS: Turns = {}


def code_of(number: int) -> str:
    return deal_code(number.to_bytes(16, "big"))


async def others(scribe: Scribe, *names: str) -> None:
    """Others join; a name may be followed by that of a table."""
    for name in names:
        await scribe.do("join", *name.split(" "))


async def settings(scribe: Scribe, **values: object) -> None:
    for name, value in values.items():
        await scribe.do("set", name.replace("_", "-"), str(value))


async def raw_table(s: Scribe, *, end: int = 0) -> None:
    """The way to a table with three computers for a client that does odd things."""
    await s.connect(raw=True)
    await s.options(COMPUTERS, end, 0, "how the table shall play")
    await s.process_id()
    await s.seated()


async def at_table(s: Scribe, *deals: str, end: int = 0, limit: int = 0, **values: object) -> None:
    """Settings and deals, and the way to a table with three computers."""
    await settings(s, **values)
    if deals:
        await s.do("deal", *deals)
    await s.register(COMPUTERS, end=end, limit=limit)


async def among_people(s: Scribe, *deals: str, **values: object) -> None:
    """Settings and deals, and the way to a table that Bob has opened, Cleo and Dan after him."""
    await settings(s, **values)
    if deals:
        await s.do("deal", *deals)
    await others(s, "Bob", "Cleo", "Dan")
    await s.register(-1)


async def one_hand(s: Scribe, turns: Turns = NO_TURNS) -> None:
    """The first hand, with these turns of ours by trick or name, and then we leave."""
    s.turns = {(1, what): turn for what, turn in turns.items()}
    await s.play_hand(1)
    await s.leave()


async def pass_only(s: Scribe, turn: Turn) -> None:
    """The first pass, and then we leave."""
    s.turns[1, "pass"] = turn
    await s.dealt(1)
    await s.leave()
