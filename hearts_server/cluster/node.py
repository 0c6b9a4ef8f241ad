"""A node at work: it beats, fences the silent, and tells when it is the lobby."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from typing import Protocol, TypeVar, assert_never

import trio

from hearts.errors import HeartsError
from hearts.net import Link
from hearts.net.logline import EventLog
from hearts_server.journal.store import Fenced

from .calling import lives_known_to
from .membership import Act, Beaten, Fence, Membership, Peer, SendBeat, TakeLobby

log = EventLog(__name__)

T = TypeVar("T")

END_LIMIT = 2.0
"""Seconds for a node that ends to say so."""
_ASK_EVERY = 1.0
OVER = (
    "--node: the other nodes have gone on without this one, which was silent for too long; it "
    "ends, and may begin again at once"
)


class ClubAway(HeartsError):
    """The database does not answer, or not in the right way; the text says why."""


class LifeOver(HeartsError):
    """This life is over: another node has ended it."""


class Club(Protocol):
    """What a node can do in the database; each waits for it, and may raise ClubAway."""

    @property
    def life(self) -> int: ...

    def beat(self, sent: float) -> Beaten:
        """Beat, and see who else does. Raises LifeOver."""

    def fence(self, act: Fence) -> bool:
        """End the life of another node, unless it has beaten meanwhile; whether it is over."""

    def take_lobby(self) -> bool:
        """Become the lobby, unless a live node is; whether this one is it."""

    def end(self) -> None:
        """End the own life."""


def own_time() -> float:
    """Seconds of a clock that goes on while the machine sleeps, where there is one."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class Node:
    """One life of a node; it is the gate of what the connections of its players may say."""

    def __init__(
        self,
        club: Club,
        address: str,
        *,
        lives_changed: Callable[[Collection[int]], None],
        clock: Callable[[], float] = own_time,
    ) -> None:
        """``address`` is where nodes reach this one; ``lives_changed`` is called with the lives
        that are live now, the own one among them."""
        self._own = Peer(club.life, "this one", address, 0)
        self._club = club
        self._clock = clock
        self._member = Membership(club.life, clock())
        self._lives_changed = lives_changed
        self._lives: frozenset[int] = frozenset((club.life,))
        self._held: dict[Link, None] = {}
        self._limiter = trio.CapacityLimiter(1)
        self.became_lobby = trio.Event()
        """Set when this node is the lobby; it stays so until its life is over."""
        self._away = False
        self._peers: Sequence[Peer] = ()

    @property
    def has_peers(self) -> bool:
        """Whether there are other live nodes."""
        return bool(self._peers)

    @property
    def life(self) -> int:
        """The own life."""
        return self._own.life

    @property
    def peers(self) -> Sequence[Peer]:
        """The other live nodes, as the last good beat has found them."""
        return self._peers

    def peer(self, life: int) -> Peer | None:
        """The other node of a live life."""
        return next((peer for peer in self._peers if peer.life == life), None)

    @property
    def live_lives(self) -> Collection[int]:
        """The lives that the last good beat has found to be live, the own one among them."""
        return self._lives

    @property
    def certain_lives(self) -> list[int]:
        """The lives that are certain to be live, the own one first; none if the lease is over."""
        return [self.life, *(peer.life for peer in self._peers)] if self.is_open else []

    # The gate

    @property
    def is_open(self) -> bool:
        """Whether the lease is valid, so that what is not stored may be told."""
        return self._member.is_valid(self._clock())

    def hold(self, link: Link) -> None:
        """Flush a connection when the lease is valid again."""
        self._held[link] = None

    # Where the lobby is

    @property
    def lobby(self) -> Peer | None:
        """The live node that is the lobby, which may be this one; None for none."""
        return self._own if self._member.is_lobby else self._member.lobby

    def refused(self, peer: Peer) -> None:
        """A node took no connection."""
        self._member.refused(peer)

    # Work

    async def run(self) -> None:
        """Beat until cancelled. Raises Fenced when this life is over."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._ask_around)
            await self._beat()

    async def _ask_around(self) -> None:
        """Find out whether others go on without this node, if it cannot see for itself."""
        while True:
            await trio.sleep(_ASK_EVERY)
            peers = () if self.is_open else self._peers
            for peer in peers:
                lives = await lives_known_to(peer.address)
                # It has beaten with others; only after a fence do these not know it.
                if lives and self.life not in lives and not self.is_open:
                    raise Fenced(OVER)

    async def _beat(self) -> None:
        while True:
            await trio.sleep(max(0.0, self._member.due - self._clock()))
            acts = self._member.wake(self._clock())
            while acts:
                acts = [then for act in acts for then in await self._do(act)]
            self._look()

    def leave(self) -> None:
        """Do not become the lobby any more."""
        self._member.draining = True

    async def end(self) -> None:
        """End this life, so that the others need not wait for its silence; :meth:`run` is over."""
        try:
            await self._in_thread(self._club.end)
        except ClubAway as error:
            log.info("end-not-said", why=error)

    async def _do(self, act: Act) -> list[Act]:
        member = self._member
        try:
            match act:
                case SendBeat():
                    sent = self._clock()
                    found = await self._in_thread(lambda: self._club.beat(sent))
                    self._say_away(None)
                    self._peers = found.peers
                    return member.beaten(found, self._clock())
                case Fence(life, beat):
                    if await self._in_thread(lambda: self._club.fence(act)):
                        log.warning("node-silent", life=life, beat=beat)
                        return member.fenced(life)
                case TakeLobby():
                    if await self._in_thread(self._club.take_lobby):
                        member.took_lobby()
                case _:
                    assert_never(act)
        except ClubAway as error:
            self._say_away(str(error))
            member.failed()
        except LifeOver:
            raise Fenced(OVER) from None
        return []

    async def _in_thread(self, call: Callable[[], T]) -> T:
        # A connection that hangs must not hold up the end of the process.
        return await trio.to_thread.run_sync(call, abandon_on_cancel=True, limiter=self._limiter)

    def _say_away(self, why: str | None) -> None:
        if why is None and self._away:
            log.warning("beats-again")
        elif why is not None and not self._away:
            log.warning("cannot-beat", why=why)
        self._away = why is not None

    def _look(self) -> None:
        """Do what follows from the last answers."""
        member = self._member
        if self.is_open and self._held:
            held, self._held = self._held, {}
            for link in held:
                link.flush()
        lives = frozenset((self.life, *(peer.life for peer in self._peers)))
        if lives != self._lives:
            self._lives = lives
            self._lives_changed(lives)
        if member.is_lobby:
            self.became_lobby.set()
