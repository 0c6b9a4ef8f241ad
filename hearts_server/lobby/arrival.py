"""The way of a connection: admission, registration, then whatever its table brings."""

from __future__ import annotations

from typing import assert_never

import trio

from hearts.hosting.client import EARLY_LIMIT, Client, ConnectionEnd
from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.rejoin import Newcomer, Return
from hearts.limits import ITEM_WORK, LIST_WORK, READ_WORK, Way, network_of
from hearts.net import Link
from hearts.net.logline import EventLog
from hearts.session.messages import DEALER_VERSION, Refusal
from hearts.session.registration import (
    ComeBack,
    GivenName,
    GivenOptions,
    GivenPassword,
    GivenProcessId,
    Item,
    JoinTable,
    ListTables,
    ReasonsWanted,
    Refused,
    Skipped,
    SpeakDealer,
    Watch,
)
from hearts_server.metrics.figures import Metrics
from hearts_server.table.running import tell_missed

from .budget import Budget
from .forming import Sitter
from .gate import Gate, Ticket
from .lobby import Lobby
from .passwords import PasswordGuard, WrongPassword
from .sessions import Sessions

log = EventLog(__name__)

REGISTRATION_LIMIT = 60.0
"""Seconds from the Player ID to the Process ID."""
RESERVE_LIMIT = 10.0
"""The same for a connection beyond the limits, which can only come back to a seat."""

_LEFT = "left while registering"


class _Left(Exception):
    """The client left while it had to wait."""


class Reception:
    """Leads connections to their tables."""

    def __init__(
        self,
        gate: Gate,
        lobby: Lobby,
        sessions: Sessions,
        passwords: PasswordGuard,
        metrics: Metrics | None = None,
    ) -> None:
        self._replays = trio.Lock()
        self._gate = gate
        self._lobby = lobby
        self._sessions = sessions
        self._passwords = passwords
        self._metrics = metrics or Metrics()

    async def serve(self, link: Link, address: str, budget: Budget) -> None:
        """Own a connection from here to its end; never raises for what the peer does."""
        client = Client(link, address, log, budget.charge)
        ticket = self._gate.enter(network_of(address))
        self._metrics.connections_opened.add()
        arrival = _Arrival(
            link,
            client,
            budget,
            ticket,
            gate=self._gate,
            lobby=self._lobby,
            sessions=self._sessions,
            passwords=self._passwords,
        )
        try:
            if ticket.way is Way.CLOSED:
                client.outcome = ConnectionEnd.REFUSED
                return
            if ticket.way is Way.OUT:
                assert ticket.refusal is not None
                client.refuse(Refused(ticket.refusal))
            else:
                await self._register(link, client, ticket, arrival)
            await link.run(client.receive)
            client.left()
        finally:
            link.close()
            arrival.leave()
            self._gate.leave(ticket)
            lost = link.why_lost not in (None, _LEFT)
            self._metrics.count_end(client.outcome, lost=lost)
        if link.why_lost is not None:
            log.info("lost", address=client.who, why=link.why_lost)

    async def _register(
        self, link: Link, client: Client, ticket: Ticket, arrival: _Arrival
    ) -> None:
        # A seat is given to nobody who has not even begun to talk.
        if not await link.ready():
            return
        try:
            player = await arrival.sit_down()
            limit = RESERVE_LIMIT if arrival.refusal else REGISTRATION_LIMIT
            link.write(client.registration.accept(player))
            link.flush()
            with trio.fail_after(limit):
                if not await arrival.register():
                    arrival.leave()
                    return
            if arrival.claimed is not None:
                recall = arrival.claimed.rejoin.come_back(arrival.claimed, client)
                await tell_missed(recall, link, self._replays)
                if arrival.claimed.rejoin.sit_again(recall):
                    self._gate.came_back(ticket)
                    self._metrics.come_backs.add()
            elif arrival.watched is not None:
                arrival.watched.watchers.admit(client)
            else:
                self._metrics.registrations.add()
        except Refused as refused:
            client.refuse(refused, told=isinstance(refused, WrongPassword))
            arrival.leave()
        except trio.TooSlowError:
            client.refuse(Refused(arrival.refusal or Refusal.TOO_SLOW, arrival.why))
            arrival.leave()


class _Arrival:
    """One registration under way."""

    def __init__(
        self,
        link: Link,
        client: Client,
        budget: Budget,
        ticket: Ticket,
        *,
        gate: Gate,
        lobby: Lobby,
        sessions: Sessions,
        passwords: PasswordGuard,
    ) -> None:
        self.sitter: Sitter | None = None
        self.claimed: Return | None = None
        """The seat that the client comes back to."""
        self.newcomer: Newcomer | None = None
        """The open seat of a table that plays, kept for the client."""
        self.watched: HostedTable | None = None
        """The table that the client watches."""
        self.refusal = ticket.refusal
        """Why the client can do nothing but come back; None where it can."""
        self.why: str | None = None
        """The same in words, if there are any of its own."""
        self._link = link
        self._client = client
        self._budget = budget
        self._gate = gate
        self._lobby = lobby
        self._sessions = sessions
        self._passwords = passwords
        self._trusted = not passwords.is_asked
        self._name = ""
        self._speaks_dealer = False

    async def sit_down(self) -> int:
        """The Player ID, provisional as it is. Who gets no seat may still come back to one."""
        if self.refusal is None:
            try:
                self.sitter = await self._lobby.seat_newcomer(self._client)
                return self.sitter.player
            except Refused as refused:
                self.refusal, self.why = refused.refusal, str(refused)
        return 0

    def leave(self) -> None:
        """Free the seat at a forming table, if there is one."""
        if self.sitter is not None:
            self._lobby.leave(self.sitter)
        if self.newcomer is not None:
            self.newcomer.rejoin.leave(self.newcomer)

    async def register(self) -> bool:
        """Lead the client to its Process ID; False when it left. Raises Refused."""
        link, registration = self._link, self._client.registration
        while True:
            item = registration.take()
            if item is None:
                data = await link.read()
                if not data:
                    link.abort(link.why_lost or _LEFT)
                    return False
                await self._budget.turn()
                self._budget.charge(READ_WORK)
                registration.feed(data)
                continue
            if isinstance(item, GivenProcessId):
                if self.watched is not None:
                    self._client.watch()
                else:
                    self._client.take_seat(self._player, dealer=self._speaks_dealer)
                self._client.receive(registration.take_rest())
                self._finish(item.process_id)
                return True
            self._budget.charge(LIST_WORK if isinstance(item, ListTables) else ITEM_WORK)
            try:
                reply = await self._answer(item)
            except _Left:
                link.abort(link.why_lost or _LEFT)
                return False
            if reply is not None:
                link.write(reply)
                link.flush()

    async def _answer(self, item: Item) -> bytes | None:
        """The reply to an item, if it has one. Raises Refused."""
        registration = self._client.registration
        match item:
            # A block without a reply says nothing, and after that of -10 a reason may follow.
            case GivenName(name):
                self._name = name
                return None
            case GivenOptions(ints):
                if self.sitter is not None:
                    self._lobby.set_options(self.sitter, ints)
                return None
            case ReasonsWanted():
                return registration.accept()
            case ComeBack():
                self.leave()
                self.sitter = None
                self.claimed = await self._claim(item)
                return registration.accept(1 + self.claimed.decided)
            case Skipped():
                if self.claimed is None and self.newcomer is None and self.watched is None:
                    self._seat()
                return registration.accept(0)
            case GivenPassword(password):
                if self.refusal is None:
                    self._seat()
                await self._passwords.check(self._client.who, password, self._wait)
                self._trusted = True
                return registration.accept()
            case SpeakDealer(version):
                if self.refusal is None:
                    self._seat()
                self._speaks_dealer = True
                return registration.accept(min(version, DEALER_VERSION))
            case Watch(game_number):
                self._seat()
                self._check_trusted()
                self.leave()
                self.sitter = None
                self.watched = self._sessions.to_watch(game_number)
                return registration.accept()
            case ListTables():
                sitter = self._seat()
                self._check_trusted()
                return registration.listing(self._lobby.listing(sitter))
            case JoinTable(name):
                sitter = self._seat()
                self._check_trusted()
                place = await self._lobby.join(sitter, name)
                if isinstance(place, Newcomer):
                    self.sitter, self.newcomer = None, place
                else:
                    self.sitter = place
                return registration.accept(place.player)
            case GivenProcessId():
                raise AssertionError("the last item has no reply")
            case _:
                assert_never(item)

    async def _claim(self, asked: ComeBack) -> Return:
        try:
            return await self._sessions.claim(self._client.who, asked, self._wait)
        except Refused:
            # A table that stopped for the end of the server goes on in its next life.
            if self._gate.draining:
                raise Refused(Refusal.SHUTTING_DOWN) from None
            raise

    async def _wait(self, seconds: float) -> None:
        """Wait, but not longer than the client does. Raises _Left."""
        if not seconds:
            return
        link, registration = self._link, self._client.registration
        with trio.move_on_after(seconds):
            waiting = 0
            while waiting <= EARLY_LIMIT:
                data = await link.read()
                if not data:
                    raise _Left
                self._budget.charge(READ_WORK)
                registration.feed(data)
                waiting += len(data)
            await trio.sleep_forever()

    def _finish(self, process_id: int) -> None:
        if self.claimed is not None:
            if process_id != self.claimed.credentials.process_id:
                raise Refused(Refusal.NO_SUCH_GAME, "a Process ID that is not that of block -5")
            return
        if self.watched is not None:
            return
        if self.newcomer is not None:
            self.newcomer.rejoin.register(self.newcomer, self._name, process_id)
            return
        sitter = self._seat()
        self._check_trusted()
        self._lobby.register(sitter, self._name, process_id)

    @property
    def _player(self) -> int:
        if self.claimed is not None:
            return self.claimed.credentials.player
        place = self.newcomer or self.sitter
        return 0 if place is None else place.player

    def _seat(self) -> Sitter:
        """The seat at a forming table. Raises Refused where there is none, or no more."""
        if self.sitter is None:
            raise Refused(self.refusal or Refusal.BAD_OPTION, self.why)
        if self.sitter.evicted is not None:
            raise self.sitter.evicted
        return self.sitter

    def _check_trusted(self) -> None:
        if not self._trusted:
            raise Refused(Refusal.BAD_PASSWORD)
