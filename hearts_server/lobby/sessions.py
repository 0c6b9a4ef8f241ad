"""The sessions that somebody can come back to, by game number (SocketSpec.md section 5.6)."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import chain
from math import inf

import trio
from msgspec import Struct

from hearts.errors import CorruptRecord
from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.rejoin import Return
from hearts.hosting.store import Session, StoredSeat
from hearts.limits.buckets import put_last
from hearts.limits.table_limits import TablesByNetwork
from hearts.limits.tries import GuessLimiter
from hearts.net.logline import EventLog
from hearts.session.messages import Refusal
from hearts.session.registration import ComeBack, RegistrationEnded
from hearts.table.seat import Kind
from hearts.wire.credentials import SeatCredentials, are_genuine, issue

from .awaited import AwaitedSessions

log = EventLog(__name__)

FINISHED_KEPT = 600.0
"""Seconds for which a session that is over can be come back to."""
STOPPED = "the table has stopped here; come back when the server has been started again"
MOST_FINISHED = 1000
"""Sessions kept after their end; beyond that the one that ended longest ago is forgotten."""
_SEATS_KNOWN = 1.0
"""Seconds for which the networks with seats are remembered before all tables are read again."""


class _Finished(Struct, frozen=True):
    """A session that is over."""

    ended: float
    seats: Sequence[StoredSeat]
    """The seats, as far as they are known; ``restore`` may know of later owners."""
    restore: Callable[[], HostedTable]

    def is_over(self, now: float) -> bool:
        return now - self.ended >= FINISHED_KEPT


class Sessions:
    """Sessions that go on, and those that have just ended."""

    def __init__(self, secret: bytes) -> None:
        """``secret`` is that of the data dir: it proves that a client has a seat."""
        self._secret = secret
        self.awaited = AwaitedSessions()
        """Sessions that an earlier server left, and that are not taken up yet."""
        self._running: dict[int, HostedTable] = {}
        self.by_name: dict[str, HostedTable] = {}
        """The same tables by their names, of which no two are alike."""
        self.by_network = TablesByNetwork[HostedTable]()
        self.added: Callable[[HostedTable], None] = lambda host: None
        """Called with a table that is about to play."""
        self._some_ended = trio.Event()
        self.ended = 0
        """The sessions that have ended here."""
        self._stopped: set[int] = set()
        """Sessions stopped by an error of ours; they go on from where they are stored."""
        self._finished: OrderedDict[int, _Finished] = OrderedDict()
        self._guesses = GuessLimiter()
        self._seats: Counter[str] = Counter()
        self._seats_known_until = -inf
        self._close_guesses = GuessLimiter()
        """For guesses that show the Process ID of the seat, which a stranger does not know."""

    @property
    def running(self) -> list[HostedTable]:
        return list(self._running.values())

    @property
    def count(self) -> int:
        return len(self._running)

    def seats_by_network(self) -> Counter[str]:
        """Count the seats of running tables by the networks of people who have or had them.

        It is as it was a second ago at most: it is asked for each connection beyond the limits,
        which may be many at once, so that no crowd keeps these people out.
        """
        now = trio.current_time()
        if now >= self._seats_known_until:
            self._seats_known_until = now + _SEATS_KNOWN
            tables: Iterator[Sequence[StoredSeat]] = chain(
                (host.clients.seats for host in self._running.values()),
                (session.seats for session in self.awaited.going_on),
            )
            self._seats = Counter(
                seat.network
                for seats in tables
                for seat in seats
                if seat.network and seat.kind is Kind.CLIENT
            )
        return self._seats

    def seats_held(self, network: str) -> int:
        return self.seats_by_network()[network]

    def seats_of(self, name: str, since: int) -> list[SeatCredentials]:
        """Return the seats of people of this name at tables that began after a Unix time and go
        on, the latest first.
        """
        tables: Iterator[tuple[Session, Sequence[StoredSeat]]] = chain(
            ((host.session, host.clients.seats) for host in self._running.values()),
            ((session, session.seats) for session in self.awaited.going_on),
        )
        found = [
            issue(self._secret, session.game_number, player, seat.process_id)
            for session, seats in tables
            for player, seat in enumerate(seats)
            if seat.name == name and seat.kind is Kind.CLIENT and session.begun > since
        ]
        return sorted(found, key=lambda seat: -seat.game_number)

    def playing(self, game_number: int) -> HostedTable | None:
        return self._running.get(game_number)

    def add(self, host: HostedTable) -> None:
        self._running[host.game_number] = host
        self.by_network.add(host.game_number, host)
        self.by_name[host.session.table_name] = host
        self.added(host)

    def finish(self, host: HostedTable) -> None:
        """Note that a session is over; players who come back for a while are told its end."""
        self._running.pop(host.game_number, None)
        self.by_network.remove(host.game_number, host.opener)
        if self.by_name.get(host.session.table_name) is host:
            del self.by_name[host.session.table_name]
        if host.has_ended:
            self.ended += 1
            self.keep(host.game_number, host.clients.seats, lambda: host)
        else:
            self._stopped.add(host.game_number)
        self._some_ended.set()
        self._some_ended = trio.Event()

    async def wait_ended(self, host: HostedTable) -> None:
        """Wait until a table has ended, and its name is free."""
        while not host.is_over or self.by_name.get(host.session.table_name) is host:
            await self._some_ended.wait()

    async def wait_empty(self) -> None:
        """Wait until no table plays."""
        while self._running:
            await self._some_ended.wait()

    def keep(
        self, game_number: int, seats: Sequence[StoredSeat], restore: Callable[[], HostedTable]
    ) -> None:
        """Keep a session that is over; ``restore`` gives it, and may raise CorruptRecord."""
        now = trio.current_time()
        finished = _Finished(now, seats, restore)
        put_last(
            self._finished, game_number, finished, MOST_FINISHED, lambda each: each.is_over(now)
        )

    async def claim(
        self, address: str, asked: ComeBack, wait_for: Callable[[float], Awaitable[None]]
    ) -> Return:
        """Find the seat that somebody comes back to, and close its old connection.

        Wrong numbers make the next tries slow, by network and by seat, but never those of the
        seat's owner: ``wait_for`` waits for so many seconds. Raises RegistrationEnded.
        """
        shown = asked.shown
        genuine = shown.player in range(4) and are_genuine(self._secret, shown)
        if genuine:
            await self.awaited.wait_for(shown.game_number)
        seat = self._seat(shown)
        is_close = seat is not None and seat.process_id == shown.process_id
        wait = self._turn(address, shown, seat, is_close=is_close, right=genuine and is_close)
        if wait is None:
            why = "too many wrong tries from your address or at this seat, try again later"
            raise RegistrationEnded(Refusal.TOO_MANY_FROM_ADDRESS, why)
        await wait_for(wait)
        host = self._find(shown) if genuine else None
        if genuine and shown.game_number in self._stopped:
            raise RegistrationEnded(Refusal.SHUTTING_DOWN, STOPPED)
        if host is None:
            raise RegistrationEnded(Refusal.NO_SUCH_GAME)
        return host.rejoin.claim(shown, asked.hands)

    def _turn(
        self,
        address: str,
        shown: SeatCredentials,
        seat: StoredSeat | None,
        *,
        is_close: bool,
        right: bool,
    ) -> float | None:
        """Return the seconds until a try is looked at; None if it is refused unseen.

        Strangers, however many, do not know the Process ID, so a client that shows it is held up
        only by others that do. That helps nobody to guess it: a wrong try waits its turn with all
        others.
        """
        key, now = (shown.game_number, shown.player), trio.current_time()
        home = "" if seat is None else seat.network
        wait = self._guesses.attempt(key, address, home=home, right=right, now=now)
        if not is_close:
            return wait
        close = self._close_guesses.attempt(key, address, home=home, right=right, now=now)
        if not right or close is None:
            return wait
        return close if wait is None else min(wait, close)

    async def to_watch(self, game_number: int) -> HostedTable:
        """Return the public table that plays this game. Raises RegistrationEnded."""
        await self.awaited.wait_for(game_number)
        host = self._running.get(game_number)
        if host is None or host.session.private or host.watchers.is_full:
            raise RegistrationEnded(Refusal.TABLE_TAKEN)
        return host

    def _seat(self, shown: SeatCredentials) -> StoredSeat | None:
        """Return the seat, as far as it is known without restoring a session."""
        if shown.player not in range(4):
            return None
        host = self._running.get(shown.game_number)
        if host is not None:
            return host.clients.seats[shown.player]
        finished = self._finished.get(shown.game_number)
        return None if finished is None else finished.seats[shown.player]

    def _find(self, shown: SeatCredentials) -> HostedTable | None:
        host = self._running.get(shown.game_number)
        if host is not None:
            return host
        finished = self._finished.get(shown.game_number)
        if finished is None or finished.is_over(trio.current_time()):
            return None
        try:
            return finished.restore()
        except CorruptRecord as error:
            log.error("session-unreadable", game=shown.game_number, why=error)
            return None
