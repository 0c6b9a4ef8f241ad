"""Attackers that sit down among others at a public table and make them wait."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import trio

from tests.independent.dealer import DealerSettings, PlayerConnection
from tests.independent.dealer_frames import CUT
from tests.independent.plain_client import ClientHabits, OwnSession, Talk, Ticket

from .animals import animal
from .cage import HEARTS, Cage
from .players import seated
from .visit import Gone

SLOWEST = 3600
"""The turn limit that is asked for."""
_HOLDS = 120.0
_OPTIONS = (HEARTS, 10_000, SLOWEST)


def _somebody(cage: Cage) -> ClientHabits:
    return ClientHabits(
        name=f"Slow {cage.random.randrange(1000)}",
        process_id=cage.random.randrange(2**31),
        options=_OPTIONS,
        reasons=False,
    )


@animal(1, attacks=True)
async def clock_holder(cage: Cage) -> None:
    """Asks for 3600 s at the public table, and is silent when it has begun. The server: takes its
    own limit; after two limits in a hand a stand-in plays at once.
    """
    async with cage.visit() as visit:
        session = OwnSession(_somebody(cage))
        await visit.converse(session, until=seated)
        await visit.watch(_HOLDS)


@animal(1, attacks=True)
async def clock_restarter(cage: Cage) -> None:
    """The same, and comes back twice a second. The server: the same; coming back does not start the
    count anew.
    """
    settings = _somebody(cage)
    ticket: Ticket | None = None

    async def come() -> None:
        nonlocal ticket
        session = OwnSession(settings, ticket)
        async with cage.visit() as visit:
            await visit.converse(session, until=seated)
            # It reads on and answers nothing.
            await visit.watch(0.3)
        ticket = ticket or session.ticket
        cage.tally.saw["times seated"] += 1

    with suppress(Gone):
        await come()
    if ticket is not None:
        await cage.crowd(come, many=1, a_second=2, seconds=_HOLDS)


class _NeverCuts(PlayerConnection):
    """One who says a hash for each deal and shows none of the values."""

    def __init__(self, settings: DealerSettings, saw: Counter[str]) -> None:
        super().__init__(settings)
        self._saw = saw

    def _answer(self) -> Talk:
        if self._open is not None and self._open.type == CUT:
            self._saw["cuts not given"] += 1
            return
        yield from super()._answer()


@animal(1, attacks=True)
async def cut_staller(cage: Cage) -> None:
    """Says a hash for each deal at the public table, and shows no value. The server: takes its own
    limit, as for a pass; then a stand-in has its seat.
    """
    session = _NeverCuts(
        DealerSettings(
            name="Uncut",
            process_id=cage.random.randrange(2**31),
            options=_OPTIONS,
            reasons=False,
            cuts=True,
        ),
        cage.tally.saw,
    )
    with trio.move_on_after(_HOLDS):
        async with cage.visit() as visit:
            await visit.converse(session)
