"""A node at work: it beats, fences the silent, and takes over when nobody plays."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar, assert_never

import trio

from hearts.net import Link
from hearts.net.logline import EventLog
from hearts.net.places import connect_to
from hearts.settings.readers import place
from hearts_server.journal.store import StoreTrouble

from .membership import BEAT_EVERY, LEASE, Act, Beaten, Fence, Membership, Peer, TakeOver

log = EventLog(__name__)

T = TypeVar("T")

END_LIMIT = 2.0
"""Seconds for a node that ends to say so."""
LOST_AFTER = 3.0
"""Seconds after the end of its lease after which the active node lets its players go."""
PROBE_EVERY = 0.5
"""Seconds between two tries of the port of the node that plays; for one of them as well."""
_LOOK_EVERY = 0.25
OVER = (
    "--node: another node has ended this life, for it was silent for too long or was told to take "
    "over; this one ends, and may begin again at once"
)


class NodeRows(Protocol):
    """The rows of a node in the database; each call waits for it, and may raise StoreTrouble."""

    @property
    def life(self) -> int: ...

    def beat(self, sent: float) -> Beaten:
        """Beat, and see who else does. Raises Fenced."""

    def fence(self, act: Fence) -> bool:
        """End the life of another node, unless it has beaten meanwhile; True if it is over."""

    @property
    def waits_for(self) -> str:
        """The sessions of the database that hold a fence up; empty if none waits."""

    def take_over(self) -> bool:
        """Become the active node, unless another live node is active; True if it is active then."""

    def end(self) -> None:
        """End the own life."""


def own_time() -> float:
    """Read a clock that goes on while the machine sleeps, if there is one; in seconds."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class Node:
    """One life of a node; its players' connections may write only what it lets through."""

    def __init__(self, rows: NodeRows, *, clock: Callable[[], float] = own_time) -> None:
        self.life = rows.life
        self._rows = rows
        self._clock = clock
        self._member = Membership(rows.life)
        self._held: dict[Link, None] = {}
        self._limiter = trio.CapacityLimiter(1)
        self.took_over = trio.Event()
        """Set when this node plays; it does so until its life is over."""
        self.is_lost = False
        """True if the lease has been over for so long that nobody is let in."""
        self.lost: Callable[[], None] = lambda: None
        """Called when that begins, to let the players go."""
        self._away = False
        self._said_to_wait = ""
        self._peers: Sequence[Peer] = ()
        self._reached: set[int] = set()
        """The lives whose ports took a connection before."""

    # For people

    @property
    def plays(self) -> bool:
        return self._member.is_active

    @property
    def others(self) -> int:
        """The number of other nodes that are live."""
        return len(self._peers)

    @property
    def lease_left(self) -> float:
        """Seconds until the lease is over; 0 if it is."""
        return max(0.0, self._member.valid_until - self._clock())

    @property
    def beat_age(self) -> float:
        """Seconds since the sending of the last good beat; inf before the first one."""
        return self._clock() - (self._member.valid_until - LEASE)

    @property
    def waits_for(self) -> str:
        """The sessions of the database that hold a fence up; empty if none waits."""
        return self._rows.waits_for

    # The gate

    @property
    def is_open(self) -> bool:
        """True while the lease is valid, so that what is not stored may be told."""
        return self._member.is_valid(self._clock())

    def hold(self, link: Link) -> None:
        """Flush a connection when the lease is valid again."""
        self._held[link] = None

    # Work

    async def run(self) -> None:
        """Beat until cancelled. Raises Fenced when this life is over."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._probe)
            nursery.start_soon(self._watch_lease)
            await self._beat()

    async def _beat(self) -> None:
        while True:
            due = self._clock() + BEAT_EVERY
            acts = await self._do(None)
            while acts:
                acts = [then for act in acts for then in await self._do(act)]
            if self.is_open and self._held:
                held, self._held = self._held, {}
                for link in held:
                    link.flush()
            if self._member.is_active:
                self.took_over.set()
            await trio.sleep(max(0.0, due - self._clock()))

    async def _probe(self) -> None:
        """Try the port of the node that plays: one whose process is gone refuses at once."""
        while True:
            await trio.sleep(PROBE_EVERY)
            peer = self._member.active
            if peer is not None:
                await self._try(peer)

    async def _try(self, peer: Peer) -> None:
        with trio.move_on_after(PROBE_EVERY):
            try:
                stream = await connect_to(place(peer.address))
            except OSError as error:
                if peer.life in self._reached and _is_refused(error):
                    self._member.refused(peer)
            else:
                self._reached.add(peer.life)
                await trio.aclose_forcefully(stream)

    async def _watch_lease(self) -> None:
        while True:
            await trio.sleep(_LOOK_EVERY)
            over_for = self._clock() - self._member.valid_until
            is_lost = self.plays and over_for > LOST_AFTER
            if is_lost and not self.is_lost:
                log.warning("lease-lost", seconds=LOST_AFTER)
                self.lost()
            self.is_lost = is_lost

    def leave(self) -> None:
        """Do not take over any more."""
        self._member.draining = True

    async def end(self) -> None:
        """End this life, so that the others need not wait for its silence; :meth:`run` is over."""
        try:
            await self._in_thread(self._rows.end)
        except StoreTrouble as error:
            log.info("end-not-said", why=error)

    async def _do(self, act: Act | None) -> list[Act]:
        """Do an act, or beat if there is none; return what follows."""
        member = self._member
        try:
            match act:
                case None:
                    sent = self._clock()
                    found = await self._in_thread(lambda: self._rows.beat(sent))
                    self._report_unreachable(None)
                    self._peers = found.peers
                    return member.beaten(found, self._clock())
                case Fence(life, beat, refused):
                    if await self._in_thread(lambda: self._rows.fence(act)):
                        log.warning("node-silent", life=life, beat=beat, refused=refused)
                        return member.fenced(life)
                    if self.waits_for not in ("", self._said_to_wait):
                        log.warning("fence-waits", life=life, waits_for=self.waits_for)
                    self._said_to_wait = self.waits_for
                case TakeOver():
                    if await self._in_thread(self._rows.take_over):
                        member.took_over()
                case _:
                    assert_never(act)
        except StoreTrouble as error:
            self._report_unreachable(str(error))
            member.failed()
        return []

    async def _in_thread(self, call: Callable[[], T]) -> T:
        # A connection that hangs must not hold up the end of the process.
        return await trio.to_thread.run_sync(call, abandon_on_cancel=True, limiter=self._limiter)

    def _report_unreachable(self, why: str | None) -> None:
        if why is None and self._away:
            log.warning("beats-again")
        elif why is not None and not self._away:
            log.warning("cannot-beat", why=why)
        self._away = why is not None


def _is_refused(error: OSError) -> bool:
    """Tell whether nobody listens at any of the addresses that were tried."""
    cause = error.__cause__
    return isinstance(cause, ExceptionGroup) and cause.split(ConnectionRefusedError)[1] is None
