"""The sessions that somebody can come back to, by game number (SocketSpec.md section 5.6)."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable

import trio

from hearts.credentials import SeatCredentials, are_genuine
from hearts.errors import CorruptRecord
from hearts.limits import GuessLimiter, network_of
from hearts.logline import EventLog
from hearts.plain.messages import Refusal
from hearts.plain.registration import ComeBack, Refused
from hearts.table import Kind

from .door import Return
from .host import TableHost

log = EventLog(__name__)

FINISHED_KEPT = 600.0
"""Seconds for which a session that is over can be come back to."""
MOST_FINISHED = 1000
"""Sessions kept after their end; beyond that the one that ended longest ago is forgotten."""


class Sessions:
    """Sessions that go on, and those that have just ended."""

    def __init__(self, secret: bytes) -> None:
        """``secret`` is that of the data dir: it proves who has a seat."""
        self._secret = secret
        self._running: dict[int, TableHost] = {}
        self._finished: OrderedDict[int, tuple[float, Callable[[], TableHost]]] = OrderedDict()
        self._guesses = GuessLimiter()

    @property
    def running(self) -> list[TableHost]:
        """Those that go on."""
        return list(self._running.values())

    @property
    def has_running(self) -> bool:
        return bool(self._running)

    def seats_by_network(self) -> Counter[str]:
        """How many seats of running tables the clients of each network have, or had last."""
        return Counter(
            seat.network
            for host in self._running.values()
            for seat in host.company.seats
            if seat.network and seat.kind is Kind.CLIENT
        )

    def add(self, host: TableHost) -> None:
        """A session goes on."""
        self._running[host.game_number] = host

    def finish(self, host: TableHost) -> None:
        """A session does not go on; who comes back for a while is told how it ended."""
        self._running.pop(host.game_number, None)
        if host.is_worth_keeping:
            self.keep(host.game_number, lambda: host)

    def keep(self, game_number: int, restore: Callable[[], TableHost]) -> None:
        """A session is over; ``restore`` gives it, and may raise CorruptRecord."""
        now = trio.current_time()
        while self._finished:
            ended, _ = next(iter(self._finished.values()))
            if now - ended < FINISHED_KEPT and len(self._finished) < MOST_FINISHED:
                break
            self._finished.popitem(last=False)
        self._finished[game_number] = now, restore

    def forget_finished(self) -> None:
        """Let nobody come back any more to what is over."""
        self._finished.clear()

    async def claim(
        self, address: str, asked: ComeBack, wait_for: Callable[[float], Awaitable[None]]
    ) -> Return:
        """A seat that somebody comes back to; its old connection is closed.

        Wrong numbers make the next tries from that address slow, never those for that seat:
        ``wait_for`` waits for so many seconds. Raises Refused.
        """
        shown = asked.shown
        genuine = shown.player in range(4) and are_genuine(self._secret, shown)
        wait = self._guesses.attempt(network_of(address), genuine, trio.current_time())
        if wait is None:
            raise Refused(Refusal.NO_SUCH_GAME, "too many wrong tries from your address; wait")
        await wait_for(wait)
        host = self._find(shown) if genuine else None
        if host is None:
            raise Refused(Refusal.NO_SUCH_GAME)
        return host.door.claim(shown, asked.hands)

    def to_watch(self, game_number: int) -> TableHost:
        """The public table that plays this game. Raises Refused."""
        host = self._running.get(game_number)
        if host is None or host.session.private or host.gallery.is_full:
            raise Refused(Refusal.TABLE_TAKEN)
        return host

    def _find(self, shown: SeatCredentials) -> TableHost | None:
        host = self._running.get(shown.game_number)
        if host is not None:
            return host
        ended, restore = self._finished.get(shown.game_number, (0.0, None))
        if restore is None or trio.current_time() - ended >= FINISHED_KEPT:
            return None
        try:
            return restore()
        except CorruptRecord as error:
            log.error("session-unreadable", game=shown.game_number, why=error)
            return None
