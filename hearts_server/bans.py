"""The networks that the host lets in no more: until when, and why."""

from __future__ import annotations

import time
from collections.abc import Callable

import trio
from msgspec import MsgspecError, Struct, json

from hearts.net.logline import EventLog

from .datadir import KeptBytes

log = EventLog(__name__)

MOST_BANS = 1000
"""Bans at the same time."""


class Ban(Struct, frozen=True, gc=False):
    """A network that is let in no more."""

    network: str
    """The narrowest one: an IPv4 address, or an IPv6 /64."""
    until: float | None = None
    """Unix time; None for good."""
    why: str = ""
    """The reason, which people there are told."""

    def is_over(self, now: float) -> bool:
        return self.until is not None and self.until <= now

    @property
    def text(self) -> str:
        """Say it to a person who is banned."""
        return f"the host does not let you in{self.term}{self.because}"

    @property
    def because(self) -> str:
        return f": {self.why}" if self.why else ""

    @property
    def term(self) -> str:
        if self.until is None:
            return ""
        return time.strftime(" until %Y-%m-%d %H:%M %Z", time.localtime(self.until))


class BannedNetworks:
    """The bans of a server, which outlast it."""

    def __init__(self, kept: KeptBytes, clock: Callable[[], float] = time.time) -> None:
        """``clock`` tells Unix time. What is stored and makes no sense is passed over."""
        self._keep = kept.keep
        self._clock = clock
        self._changing = trio.Lock()
        self._bans: dict[str, Ban] = {}
        if kept.stored:
            try:
                self._bans = {ban.network: ban for ban in json.decode(kept.stored, type=list[Ban])}
            except MsgspecError as error:
                log.error("cannot-read-bans", why=error)

    def of(self, network: str) -> Ban | None:
        """Return the ban of a narrowest network, if there is one."""
        ban = self._bans.get(network)
        return None if ban is None or ban.is_over(self._clock()) else ban

    def all(self) -> list[Ban]:
        return [ban for ban in self._bans.values() if not ban.is_over(self._clock())]

    async def put(self, *bans: Ban) -> None:
        """Ban networks, as soon as that is stored. Raises OSError, and ValueError if there are too
        many.
        """
        async with self._changing:
            there = {ban.network: ban for ban in (*self.all(), *bans)}
            if len(there) > MOST_BANS:
                raise ValueError(f"there are {MOST_BANS} bans at most")
            await self._store(there)

    async def lift(self, network: str) -> bool:
        """Let a network in again; False if it was not banned. Raises OSError."""
        async with self._changing:
            there = {ban.network: ban for ban in self.all()}
            if there.pop(network, None) is None:
                return False
            await self._store(there)
            return True

    async def _store(self, bans: dict[str, Ban]) -> None:
        await trio.to_thread.run_sync(self._keep, json.encode(list(bans.values())))
        self._bans = bans
