"""The way of a connection: admission, registration, then whatever its table brings."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial

import trio

from hearts.hosting.hosted_client import ConnectionEnd, HostedClient, stay
from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.registrar import register
from hearts.hosting.rejoin import Recall, Return
from hearts.limits.networks import network_of
from hearts.net import BACKLOG_LIMIT, Link
from hearts.net.logline import EventLog
from hearts.session.messages import Refusal
from hearts.session.registration import RegistrationEnded
from hearts.wire.codec import encode_int

from .offer import Arrival, LeftEarly, LobbyOffer, Reception
from .open_connections import Admission, Admit
from .passwords import WrongPassword
from .turns import Budget

log = EventLog(__name__)

REGISTRATION_LIMIT = 60.0
"""Seconds from the Player ID to the Process ID, and at most until the Player ID."""
RESERVE_LIMIT = 10.0
"""The same for a connection beyond the limits, which can only come back to a seat."""

BACKLOG_AT_MOST = BACKLOG_LIMIT // 2
"""Bytes that wait for the peer at most when it is told more of what it missed."""
READING_LIMIT = 30.0
"""Seconds for a peer to read so much that it may be told more."""
FRAMES_AT_ONCE = 256
"""Bytes that are read at once from a client of frames. The longest choice needs only a few of them,
and the input of many clients at one moment is paid for in small pieces."""

_LEFT = "left while registering"


async def serve(reception: Reception, link: Link, address: str, budget: Budget) -> None:
    """Register a connection; from then on its link has it. Never raises for what the peer does."""
    client = HostedClient(link, address, log, budget.charge_idle)
    network = network_of(address)
    admission = reception.connections.enter(network)
    reception.metrics.connections_opened.add()
    reception.links[link] = network
    arrived = Arrival(reception, link, client, admission)
    with ExitStack() as stack:
        stack.callback(_ended, arrived)
        if admission.admit is Admit.CLOSED:
            client.outcome = ConnectionEnd.REFUSED
            return
        with trio.move_on_after(REGISTRATION_LIMIT) as waited:
            await budget.turn()
        if waited.cancelled_caught:
            client.refuse(
                RegistrationEnded(Refusal.SERVER_FULL, "too many connect at the same time")
            )
        elif admission.admit is Admit.OUT:
            assert admission.refusal is not None
            client.refuse(RegistrationEnded(admission.refusal))
        else:
            await _register(LobbyOffer(arrived, budget), admission)
        if client.speaks_dealer:
            link.piece = FRAMES_AT_ONCE
        # It goes without the offer, which a plain client that plays has no use for: 1 kB.
        link.begin(client.receive, partial(_ran, arrived))
        stack.pop_all()


def _ran(arrived: Arrival, error: Exception | None) -> None:
    if error is not None:
        log.exception("connection-failed", address=arrived.client.who)
    arrived.client.left()
    _ended(arrived)


def _ended(arrived: Arrival) -> None:
    reception, link, client = arrived.reception, arrived.link, arrived.client
    link.close()
    del reception.links[link]
    client.leave()
    client.leave = stay  # It held the offer, which holds the client.
    reception.connections.leave(arrived.admission)
    # A client that has seen the tables may go as it likes.
    told = link.why_lost is not None and not arrived.only_lists
    reception.metrics.count_end(client.outcome, lost=told and link.why_lost != _LEFT)
    if told and arrived.name:
        log.info("lost", address=client.who, why=link.why_lost)
    elif told:
        # As a balancer does, and a node that stands by, again and again.
        log.debug("looked-in", address=client.who, why=link.why_lost)


async def _register(offer: LobbyOffer, admission: Admission) -> None:
    link, client = offer.link, offer.client
    # A seat is given to nobody who has not even begun to talk.
    if not await link.ready():
        return
    try:
        player = await offer.sit_down()
        client.send(encode_int(player))
        limit = RESERVE_LIMIT if offer.refusal else REGISTRATION_LIMIT
        with trio.fail_after(limit):
            registered = await register(client.registration, offer, offer.read, client.send)
        if registered is None:
            raise LeftEarly
        offer.accept(registered)
        match offer.place:
            case Return() as claimed:
                recall = claimed.rejoin.come_back(claimed, client)
                await send_missed(recall, link, offer.reception.replays)
                if claimed.rejoin.sit_again(recall):
                    offer.reception.connections.came_back(admission)
                    offer.reception.metrics.come_backs.add()
            case HostedTable() as watched:
                watched.watch(client)
            case _:
                offer.reception.metrics.registrations.add()
    except LeftEarly:
        link.abort(link.why_lost or _LEFT)
        offer.leave()
    except RegistrationEnded as refused:
        client.refuse(refused, told=isinstance(refused, WrongPassword))
        offer.leave()
    except trio.TooSlowError:
        client.refuse(RegistrationEnded(offer.refusal or Refusal.TOO_SLOW, offer.why))
        offer.leave()


async def send_missed(recall: Recall, link: Link, turns: trio.Lock) -> None:
    """Tell a client what it missed over its new link, until it knows all or the link ends.

    Of all replays of a server only one goes on at a time: it has ``turns`` while it tells. What was
    said waits for the peer to read it. Nothing else runs between the last step and the return.
    """
    link.allow(BACKLOG_LIMIT)
    while not recall.is_over:
        if link.backlog > BACKLOG_AT_MOST:
            await _wait_for_reader(recall, link)
        async with turns:
            recall.send_some()


async def _wait_for_reader(recall: Recall, link: Link) -> None:
    """Wait until the peer has read. It may be waiting itself for somebody to read its answers."""

    async def read() -> None:
        while data := await link.read():
            recall.client.receive(data)
        link.abort(link.why_lost or "left while it was told what it had missed")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(read)
        with trio.move_on_after(READING_LIMIT) as waited:
            await link.wait_sent(BACKLOG_AT_MOST)
        nursery.cancel_scope.cancel()
    if waited.cancelled_caught:
        link.abort(f"too far behind: {link.backlog} bytes unsent")
