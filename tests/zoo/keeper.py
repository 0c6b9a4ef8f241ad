"""All animals together: letting them loose, and the table of what became of them."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence

import trio

from . import (
    animals,
    browsers,
    fillers,
    floods,
    hammers,
    players,
    stallers,
    strangers,
    talkers,
    thieves,
)
from .animals import Animal
from .cage import Cage, CageTally, Grounds, more_files
from .visit import Gone

HOUSES = (
    *(strangers, players, talkers),
    *(fillers, thieves, hammers, floods, stallers),
    browsers,
)
"""The modules that have the animals."""
ANIMALS, ATTACKERS = animals.ANIMALS, animals.ATTACKERS
HEADER = ("animal", "connections", "bytes sent", "bytes received", "how they ended, what they saw")
_KINDS = list(ANIMALS)


async def let_loose(
    grounds: Grounds, kinds: Sequence[Animal], each: int, tallies: dict[str, CageTally]
) -> None:
    """Let so many of each misbehave again and again, until cancelled.

    ``tallies`` gets what becomes of them, by name. Animals that chat stay in their cages where
    there is no taunt server, and those that browse where there is no gateway.
    """
    places = more_files()
    async with trio.open_nursery() as nursery:
        for animal in kinds:
            if (animal.chats and not grounds.taunt_port) or (
                animal.browses and not grounds.web_port
            ):
                continue
            tally = tallies.setdefault(animal.name, CageTally())
            kind = _KINDS.index(animal.name)
            for number in range(each):
                address = _address(kind, number) if grounds.is_loopback else ""
                cage = Cage(grounds, tally, places, kind * each + number, address)
                nursery.start_soon(_misbehave, animal, cage)


def _address(kind: int, number: int) -> str:
    high, low = divmod(kind, 50)
    return f"127.{200 + low}.{100 * high + number}.1"


async def _misbehave(animal: Animal, cage: Cage) -> None:
    while True:
        with contextlib.suppress(Gone):
            await animal.live(cage)
        cage.lives += 1
        await trio.sleep(animal.pause * cage.random.uniform(0.5, 1.5))


def rows(tallies: Mapping[str, CageTally]) -> list[list[str]]:
    return [
        [
            name,
            f"{tally.connections:,}",
            f"{tally.sent:,}",
            f"{tally.received:,}",
            ", ".join(
                f"{how}: {count:,}"
                for how, count in (*tally.endings.most_common(), *tally.saw.most_common())
            ),
        ]
        for name, tally in tallies.items()
    ]
