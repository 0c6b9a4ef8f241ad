"""The way of a connection: admission, registration, then whatever its table brings."""

from __future__ import annotations

import hmac
import logging
from typing import assert_never

import trio

from hearts.plain.messages import Refusal
from hearts.plain.registration import (
    GivenName,
    GivenOptions,
    GivenPassword,
    GivenProcessId,
    JoinTable,
    ListTables,
    ReasonsWanted,
    Refused,
    Skipped,
)

from .client import Client
from .gate import Gate
from .lobby import Lobby, Sitter

log = logging.getLogger(__name__)

REGISTRATION_LIMIT = 60.0
"""Seconds from the Player ID to the Process ID."""


class Reception:
    """Leads connections to their tables."""

    def __init__(self, gate: Gate, lobby: Lobby, password: str) -> None:
        """An empty password means that none is asked for."""
        self._gate = gate
        self._lobby = lobby
        self._password = password.encode()

    async def serve(self, client: Client, address: str) -> None:
        """Own a connection from here to its end; never raises for what the peer does."""
        refusal = self._gate.enter(address)
        arrival = _Arrival(client, self._lobby, self._password)
        try:
            if self._gate.overrun:
                return
            if refusal is not None:
                client.refuse(Refused(refusal))
            else:
                await self._register(client, arrival)
            await client.link.run(client.receive)
            client.left()
        finally:
            client.link.close()
            arrival.leave()
            self._gate.leave(address)
        if client.link.why_lost is not None:
            log.info("lost who=%s why=%r", client.who, client.link.why_lost)

    async def _register(self, client: Client, arrival: _Arrival) -> None:
        try:
            arrival.sitter = await self._lobby.seat_newcomer(client)
            client.link.write(client.registration.accept(arrival.sitter.player))
            client.link.flush()
            with trio.fail_after(REGISTRATION_LIMIT):
                if await arrival.register():
                    return
        except Refused as refused:
            client.refuse(refused)
        except trio.TooSlowError:
            client.refuse(Refused(Refusal.TOO_SLOW))
        arrival.leave()


class _Arrival:
    """One registration under way."""

    def __init__(self, client: Client, lobby: Lobby, password: bytes) -> None:
        self.sitter: Sitter | None = None
        self._client = client
        self._lobby = lobby
        self._password = password
        self._trusted = not password
        self._name = ""

    def leave(self) -> None:
        """Free the seat at a forming table, if there is one."""
        if self.sitter is not None:
            self._lobby.leave(self.sitter)

    async def register(self) -> bool:
        """Lead the client to its Process ID; False when it left. Raises Refused."""
        link, registration = self._client.link, self._client.registration
        while True:
            item = registration.take()
            if item is None:
                data = await link.read()
                if not data:
                    link.abort(link.why_lost or "left while registering")
                    return False
                registration.feed(data)
                continue
            assert self.sitter is not None
            # A block without a reply says nothing, and after that of -10 a reason may follow.
            has_other_reply = not isinstance(item, GivenName | GivenOptions | ReasonsWanted)
            if has_other_reply and self.sitter.evicted is not None:
                raise self.sitter.evicted
            match item:
                case GivenName(name):
                    self._name = name
                case ReasonsWanted():
                    link.write(registration.accept())
                case Skipped():
                    link.write(registration.accept(0))
                case GivenPassword(password):
                    if self._password and not hmac.compare_digest(password, self._password):
                        raise Refused(Refusal.BAD_PASSWORD)
                    self._trusted = True
                    link.write(registration.accept())
                case ListTables():
                    self._check_trusted()
                    link.write(registration.listing(self._lobby.listing(self.sitter)))
                case JoinTable(name):
                    self._check_trusted()
                    self.sitter = await self._lobby.join(self.sitter, name)
                    link.write(registration.accept(self.sitter.player))
                case GivenOptions(ints):
                    self._lobby.set_options(self.sitter, ints)
                case GivenProcessId(process_id):
                    self._check_trusted()
                    self._client.receive(registration.take_rest())
                    self._lobby.register(self.sitter, self._name, process_id)
                    return True
                case _:
                    assert_never(item)
            link.flush()

    def _check_trusted(self) -> None:
        if not self._trusted:
            raise Refused(Refusal.BAD_PASSWORD)
