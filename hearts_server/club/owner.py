"""The owner of tables: takes up sessions that the lobby gives, and those that others have left."""

from __future__ import annotations

import time
from collections.abc import Collection
from functools import partial
from typing import Protocol

import trio

from hearts.hosting.client import HostedClient
from hearts.hosting.handing_on import go_on
from hearts.net import Link
from hearts.net.held import Gate, HoldsBack
from hearts.net.logline import EventLog
from hearts.table import Kind
from hearts_server.cluster.letters import Letter, SeatedElsewhere
from hearts_server.cluster.shared import SharedJournal
from hearts_server.journal.store import StoredSession
from hearts_server.launching import Arrived
from hearts_server.lobby.arrival import LedGuest
from hearts_server.lobby.budget import Budget
from hearts_server.lobby.sessions import FINISHED_KEPT
from hearts_server.server import Server

from .tables import ClubTables

log = EventLog(__name__)

BEGIN_LIMIT = 3.0
"""Seconds for which a table that begins waits for its people; who comes later counts as lost."""
CLAIMED_AT_ONCE = 5
"""Sessions that are claimed together; few, so that each node gets a part."""
_LOOK_EVERY = 1.0
_LOOK_UP_EVERY = 0.25
_SWEEP_EVERY = 5.0


class OwnNode(Gate, Protocol):
    """Knows which lives are live, and whether the own lease is valid."""

    @property
    def life(self) -> int: ...

    @property
    def live_lives(self) -> Collection[int]:
        """Those that are live as far as is known, the own one among them."""


class _Beginning:
    """A table that waits for its people."""

    def __init__(self, stored: StoredSession) -> None:
        self.process_ids = {
            player: seat.process_id
            for player, seat in enumerate(stored.session.seats)
            if seat.kind is Kind.CLIENT
        }
        """Of those who have not come."""
        self.arrived: list[Arrived] = []
        self.is_complete = trio.Event()
        self.ready = trio.Event()

    def arrive(self, client: HostedClient, player: int) -> None:
        """Somebody has come who has a seat."""
        self.arrived.append(Arrived(client, player, self.process_ids.pop(player)))
        if not self.process_ids:
            self.is_complete.set()


class Owner:
    """Takes up sessions, and takes in their players."""

    def __init__(
        self,
        server: Server,
        journal: SharedJournal,
        node: OwnNode,
        tables: ClubTables,
        nursery: trio.Nursery,
    ) -> None:
        """The nursery owns the clocks of tables that begin."""
        self._server = server
        self._journal = journal
        self._node = node
        self._tables = tables
        self._nursery = nursery
        self._known: set[int] = set()
        """The sessions that were taken up in this life."""
        self._beginning: dict[int, _Beginning] = {}
        self._lives_changed = trio.Event()
        self.is_ending = False
        """Whether the tables are handed over when their hands are over, so that no more come."""
        self.is_over = False
        """Whether they were."""

    # Whose a session is

    async def owner_of(self, game_number: int) -> int:
        """The life that has a session, which is claimed if its owner is over; the own one as well
        for one that nobody goes on with. 0 if that cannot be told now."""
        if not self._node.is_open or self.is_over:
            return 0
        if game_number in self._known or self._server.sessions.has(game_number):
            return self._node.life
        whose = await self._journal.look_for(game_number)
        if whose.life == self._node.life and whose.stored is not None:
            self._take_up(whose.stored)
        return whose.life

    def _take_up(self, stored: StoredSession) -> None:
        number = stored.session.game_number
        if number in self._known or self.is_over:
            return
        if stored.ended is not None:
            if stored.ended >= time.time() - FINISHED_KEPT:
                self._server.take_up_one(stored)
            return
        self._known.add(number)
        if stored.lines:
            self._server.take_up_one(stored)
            return
        beginning = self._beginning[number] = _Beginning(stored)
        self._server.add(
            self._server.launcher.begin_stored(stored, beginning.ready, beginning.arrived)
        )
        self._nursery.start_soon(self._begin, number, beginning)

    async def _begin(self, number: int, beginning: _Beginning) -> None:
        with trio.move_on_after(BEGIN_LIMIT):
            await beginning.is_complete.wait()
        del self._beginning[number]
        beginning.ready.set()

    # Who comes

    async def take_in(self, link: Link, address: str, letter: Letter, said: bytes) -> None:
        """Own the connection of a client whose table is here to its end; ``said`` is what it has
        said already, behind what the letter tells of."""
        if isinstance(link, HoldsBack):
            link.gate = self._node  # type: ignore[misc]  # each of its kinds has it
        number, client = letter.game_number, letter.client
        beginning = self._beginning.get(number)
        if not isinstance(client, SeatedElsewhere):
            if beginning is not None:
                await beginning.ready.wait()
                # Whoever waits with us seats its people before anybody comes back.
                await trio.lowlevel.checkpoint()
            guest = LedGuest(number, client, said)
            arrive = partial(self._server.arrivals.serve_guest, guest=guest)
        elif beginning is not None and client.player in beginning.process_ids:
            arrive = partial(self._seat, beginning, letter, client, said)
        else:
            log.info("came-too-late", address=address, game=number)
            link.close()
            return
        await self._server.serve(link, address, arrive)

    async def _seat(
        self,
        beginning: _Beginning,
        letter: Letter,
        seated: SeatedElsewhere,
        said: bytes,
        link: Link,
        address: str,
        budget: Budget,
    ) -> None:
        def sit(client: HostedClient) -> None:
            go_on(client, seated.player, seated.before)
            client.receive(said)
            beginning.arrive(client, seated.player)

        await self._server.arrivals.serve_seated(link, address, budget, letter.game_number, sit)

    # What others have left

    def lives_changed(self) -> None:
        """There are other nodes than before."""
        self._lives_changed.set()

    async def run(self) -> None:
        """Claim what others leave, until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._look_up)
            swept = -_SWEEP_EVERY
            while not self.is_ending:
                if self._node.is_open:
                    await self._claim()
                    if trio.current_time() - swept >= _SWEEP_EVERY:
                        swept = trio.current_time()
                        await self._sweep()
                self._lives_changed = trio.Event()
                with trio.move_on_after(_LOOK_EVERY):
                    await self._lives_changed.wait()

    async def _claim(self) -> None:
        while not self.is_ending and self._node.is_open:
            numbers, left = await self._journal.claim_left(CLAIMED_AT_ONCE)
            if not numbers:
                return
            log.info("claimed", tables=len(numbers))
            for stored in left:
                self._take_up(stored)
                await trio.lowlevel.checkpoint()
            # One that is damaged is not looked at again in this life.
            self._known.update(numbers)

    async def _sweep(self) -> None:
        """Take up what was given to this node, if nobody has come for it."""
        for number in await self._journal.own():
            if number not in self._known:
                await self.owner_of(number)
                self._known.add(number)

    async def _look_up(self) -> None:
        while True:
            await trio.sleep(_LOOK_UP_EVERY)
            lives = self._node.live_lives
            doubtful = self._tables.doubtful(lives, trio.current_time())
            if doubtful:
                self._tables.settle(doubtful, await self._journal.owners(doubtful))
