"""The way of a connection: admission, registration, then whatever its table brings."""

from __future__ import annotations

from collections.abc import Callable

import trio
from msgspec import Struct

from hearts.hosting.client import ConnectionEnd, HostedClient
from hearts.hosting.registrar import BegunElsewhere, RegisteredClient, register
from hearts.limits import Admit, Looks, network_of
from hearts.net import Link
from hearts.net.logline import EventLog
from hearts.session.messages import Refusal
from hearts.session.registration import Registration, RegistrationEnded
from hearts_server.metrics.figures import Metrics
from hearts_server.table.running import tell_missed

from .budget import Budget
from .known_tables import Lead, LedElsewhere
from .lobby import Lobby
from .offer import GuestOffer, LeftEarly, LobbyOffer
from .open_connections import Admission, OpenConnections
from .passwords import PasswordGuard, WrongPassword
from .sessions import Sessions
from .wishes import LobbyWishes

log = EventLog(__name__)

REGISTRATION_LIMIT = 60.0
"""Seconds from the Player ID to the Process ID, and at most until the Player ID."""
RESERVE_LIMIT = 10.0
"""The same for a connection beyond the limits, which can only come back to a seat."""

FRAMES_AT_ONCE = 256
"""Bytes that are read at once of who sends frames. The longest that a choice takes are few of them,
and what many say at one moment is paid for in small pieces."""

_LEFT = "left while registering"


class LedGuest(Struct, frozen=True):
    """A client that registers for a table that plays here, and began to do so elsewhere."""

    game_number: int
    begun: BegunElsewhere
    said: bytes
    """Bytes that it has said since then."""


class Arrivals:
    """Leads connections to their tables."""

    def __init__(
        self,
        connections: OpenConnections,
        lobby: Lobby,
        sessions: Sessions,
        passwords: PasswordGuard,
        metrics: Metrics | None = None,
        lead: Lead | None = None,
    ) -> None:
        """``lead`` ends the connection of a client whose table another part of the club plays;
        without it there is none."""
        self._lead = lead
        self._replays = trio.Lock()
        self._connections = connections
        self._lobby = lobby
        self._sessions = sessions
        self._passwords = passwords
        self._metrics = metrics or Metrics()

    async def serve(self, link: Link, address: str, budget: Budget) -> None:
        """Own a connection from here to its end; never raises for what the peer does."""
        client = HostedClient(link, address, log, budget.charge_idle)
        admission = self._connections.enter(network_of(address))
        self._metrics.connections_opened.add()
        offer = LobbyOffer(
            link,
            client,
            budget,
            admission,
            connections=self._connections,
            lobby=self._lobby,
            sessions=self._sessions,
            passwords=self._passwords,
            leads=self._lead is not None,
        )
        try:
            if admission.admit is Admit.CLOSED:
                client.outcome = ConnectionEnd.REFUSED
                return
            if not await _is_on_turn(budget):
                client.refuse(
                    RegistrationEnded(Refusal.SERVER_FULL, "too many connect at the same time")
                )
            elif admission.admit is Admit.OUT:
                assert admission.refusal is not None
                client.refuse(RegistrationEnded(admission.refusal))
            else:
                await self._register(link, client, admission, offer)
            await _hear(link, client)
        finally:
            self._ended(link, client, admission, offer)

    async def serve_guest(self, link: Link, address: str, budget: Budget, guest: LedGuest) -> None:
        """The same for one that another node has led here."""
        client = HostedClient(link, address, log, budget.charge_idle)
        client.registration = Registration(guest.begun.half)
        client.registration.feed(guest.said)
        admission = self._connections.let_in(network_of(address))
        self._metrics.connections_opened.add()
        offer = GuestOffer(
            link,
            client,
            budget,
            admission,
            connections=self._connections,
            lobby=self._lobby,
            sessions=self._sessions,
            passwords=self._passwords,
        )
        offer.led_to = guest.game_number
        try:
            await self._register(link, client, admission, offer, guest.begun)
            await _hear(link, client)
        finally:
            self._ended(link, client, admission, offer)

    async def serve_seated(
        self,
        link: Link,
        address: str,
        budget: Budget,
        game_number: int,
        sit: Callable[[HostedClient], None],
    ) -> None:
        """The same for one that has registered elsewhere for a table that begins here; ``sit``
        gives it its seat."""
        client = HostedClient(link, address, log, budget.charge_idle)
        admission = self._connections.let_in(network_of(address))
        self._metrics.connections_opened.add()
        try:
            sit(client)
            client.answer_wishes(
                LobbyWishes(
                    client,
                    self._lobby,
                    self._sessions,
                    leave=_nothing_to_leave,
                    looks=Looks(self._lobby.looks, client.who),
                    game_number=game_number,
                )
            )
            await _hear(link, client)
        finally:
            self._ended(link, client, admission)

    def _ended(
        self,
        link: Link,
        client: HostedClient,
        admission: Admission,
        offer: LobbyOffer | None = None,
    ) -> None:
        link.close()
        if offer is not None:
            offer.leave()
        self._connections.leave(admission)
        # Who has seen the tables may go as he likes.
        told = link.why_lost is not None and not (offer is not None and offer.only_lists)
        self._metrics.count_end(client.outcome, lost=told and link.why_lost != _LEFT)
        if told:
            log.info("lost", address=client.who, why=link.why_lost)

    async def _register(
        self,
        link: Link,
        client: HostedClient,
        admission: Admission,
        offer: LobbyOffer,
        begun: BegunElsewhere | None = None,
    ) -> None:
        # A seat is given to nobody who has not even begun to talk.
        if not await link.ready():
            return
        try:
            if begun is None:
                player = await offer.sit_down()
                client.say(client.registration.accept(player))
            limit = RESERVE_LIMIT if offer.refusal else REGISTRATION_LIMIT
            with trio.fail_after(limit):
                registered = await _until_registered(client, offer, begun)
            if registered is None:
                link.abort(link.why_lost or _LEFT)
                offer.leave()
                return
            offer.take(registered)
            if offer.claimed is not None:
                recall = offer.claimed.rejoin.come_back(offer.claimed, client)
                await tell_missed(recall, link, self._replays)
                if offer.claimed.rejoin.sit_again(recall):
                    self._connections.came_back(admission)
                    self._metrics.come_backs.add()
            elif offer.watched is not None:
                offer.watched.watch(client)
            else:
                self._metrics.registrations.add()
        except LedElsewhere as led:
            assert self._lead is not None
            half = client.registration.hand_on()
            client.outcome = ConnectionEnd.FINISHED
            self._lead(link, led.game_number, BegunElsewhere(offer.name, half, led.item))
            offer.leave()
        except RegistrationEnded as refused:
            client.refuse(refused, told=isinstance(refused, WrongPassword))
            offer.leave()
        except trio.TooSlowError:
            client.refuse(RegistrationEnded(offer.refusal or Refusal.TOO_SLOW, offer.why))
            offer.leave()


async def _hear(link: Link, client: HostedClient) -> None:
    """Read what a client says, until its connection ends."""
    if client.has_words:
        link.piece = FRAMES_AT_ONCE
    await link.run(client.receive)
    client.left()


def _nothing_to_leave() -> None:
    """For a client whose table has formed."""


async def _is_on_turn(budget: Budget) -> bool:
    """Wait for the first turn of a connection; whether it came in time."""
    with trio.move_on_after(REGISTRATION_LIMIT) as waited:
        await budget.turn()
    return not waited.cancelled_caught


async def _until_registered(
    client: HostedClient, offer: LobbyOffer, begun: BegunElsewhere | None
) -> RegisteredClient | None:
    try:
        return await register(client.registration, offer, offer.read, client.say, begun)
    except LeftEarly:
        return None
