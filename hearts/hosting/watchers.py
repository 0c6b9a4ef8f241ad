"""The watchers of one table. The public events are rendered once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf

from hearts.dealer.public_table import Broadcast
from hearts.session.messages import Refusal
from hearts.session.registration import RegistrationEnded
from hearts.session.table_words import (
    AbortGame,
    AbortLater,
    Introduced,
    PlayerChange,
    PlayerInfo,
    ServerNotice,
    Waiting,
)
from hearts.table.effects import Change, GameBegun, TableEvent
from hearts.table.inputs import ClientLeft, Input, Question
from hearts.table.table import Table

from .hosted_client import HostedClient
from .ports import Clock
from .seated_clients import SeatedClients
from .store import Session

MOST_WATCHERS = 100
"""Watchers of one table."""


class Watchers:
    """The watchers of one table. They cost nothing while nobody watches."""

    def __init__(
        self, session: Session, table: Table, clients: SeatedClients, delay: float, clock: Clock
    ) -> None:
        """``delay`` is that of everything that watchers see, in seconds."""
        self._session = session
        self._table = table
        self._clients = clients
        self._delay = delay
        self._clock = clock
        self.broadcast: Broadcast | None = None
        """The source of the news for watchers; None while nobody watches."""
        self._watchers: list[HostedClient] = []
        self._waiting: list[HostedClient] = []
        """The watchers who may see nothing yet, because their delay has only begun."""
        self._closed = False
        self._coming: list[tuple[float, Callable[[], bytes]]] = []
        self.due = inf
        """The time at which watchers are to see something; ``inf`` for never."""

    @property
    def is_full(self) -> bool:
        return self.count >= MOST_WATCHERS

    @property
    def count(self) -> int:
        return len(self._watchers) + len(self._waiting)

    def admit(self, client: HostedClient) -> None:
        """Let a client watch. Raises RegistrationEnded."""
        if self.is_full or self._closed:
            raise RegistrationEnded(Refusal.TABLE_TAKEN)
        seat = client.watcher or client.watch()
        broadcast = self.broadcast or self._open()
        infos = self._clients.infos
        session = self._session
        client.link.write(broadcast.seated(session.game_number, session.table_name, infos))
        client.attach(lambda given: self._receive(client, given), seat)
        if client.gone:
            return
        if broadcast.has_begun:
            self._show_past(client, broadcast)
        else:
            client.link.flush()
            self._waiting.append(client)

    def _open(self) -> Broadcast:
        past = self._table.past
        broadcast = self.broadcast = Broadcast(past.standing(None, -1))
        events: list[TableEvent] = [GameBegun(past.setting(None, -1))]
        for event in past.replay(None, -1):
            assert not isinstance(event, Question), "nobody asks a watcher"
            events.append(event)
        if self._delay:
            self._later(lambda: self._begin(broadcast, events))
        else:
            self._begin(broadcast, events)
        return broadcast

    def _begin(self, broadcast: Broadcast, events: Iterable[TableEvent]) -> bytes:
        for event in events:
            broadcast.encode_event(event)
        for client in self._waiting:
            self._show_past(client, broadcast)
        self._waiting.clear()
        return b""

    def _show_past(self, client: HostedClient, broadcast: Broadcast) -> None:
        past = broadcast.past()
        client.link.allow(len(past))
        client.send(past)
        self._watchers.append(client)

    def _receive(self, client: HostedClient, given: Input | Introduced) -> None:
        if isinstance(given, ClientLeft):
            for watchers in (self._watchers, self._waiting):
                if client in watchers:
                    watchers.remove(client)
            if not self.count:
                self.broadcast = None
                self._coming.clear()
                self._set_due()

    def notify(self, event: TableEvent) -> None:
        self._send_later(lambda broadcast: broadcast.encode_event(event))

    def changed(self, change: Change, info: PlayerInfo) -> None:
        self._send_later(lambda broadcast: broadcast.beside(PlayerChange(change, info)))

    def waiting(self, waiting: Waiting) -> None:
        """Tell the watchers who have asked for it which players the table waits for."""
        watching = (*self._watchers, *self._waiting)
        if self.broadcast is None or not any(client.follows for client in watching):
            return
        told = self.broadcast.beside(waiting)
        if self._delay:
            self._later(lambda: self._send_followers(told))
        else:
            self._send_followers(told)
            self.flush()

    def _send_followers(self, data: bytes) -> bytes:
        for client in self._watchers:
            if client.follows:
                client.link.write(data)
        return b""

    def abort(self, later: bool, why: str) -> None:
        follows = AbortLater.COME_BACK if later else AbortLater.NOTHING
        self._send_later(lambda broadcast: broadcast.beside(AbortGame(follows, why)))
        self.flush()

    def let_go(self, why: str) -> None:
        """End the connections of all watchers; they may come again at once.

        A client that knows no hands that are broken off could not follow.
        """
        self._send_later(lambda broadcast: self._let_go(broadcast.beside(ServerNotice(why))))

    def _let_go(self, notice: bytes) -> bytes:
        for client in self._watchers:
            client.link.write(notice)
            client.finish()
        self._watchers.clear()
        if not self._waiting:
            self.broadcast = None
            self._coming.clear()
            self._set_due()
        return b""

    def notice(self, text: str) -> None:
        if self.broadcast is not None:
            self._send(self.broadcast.beside(ServerNotice(text)))
            self.flush()

    def _send_later(self, speak: Callable[[Broadcast], bytes]) -> None:
        broadcast = self.broadcast
        if broadcast is None:
            return
        if self._delay:
            self._later(lambda: speak(broadcast))
        else:
            self._send(speak(broadcast))

    def _later(self, speak: Callable[[], bytes]) -> None:
        self._coming.append((self._clock() + self._delay, speak))
        self._set_due()

    def _set_due(self) -> None:
        self.due = self._coming[0][0] if self._coming else inf

    def show(self, now: float) -> None:
        """Let watchers see what is due."""
        while self.due <= now:
            _, speak = self._coming.pop(0)
            self._set_due()
            self._send(speak())
        self.flush()

    def _send(self, data: bytes) -> None:
        if data:
            for client in self._watchers:
                client.link.write(data)

    def flush(self) -> None:
        for client in self._watchers:
            client.link.flush()

    def close(self) -> None:
        """Let nobody in any more; those who watch see what is still to come."""
        self._closed = True

    def dismiss(self) -> None:
        for client in [*self._watchers, *self._waiting]:
            client.finish()
        self._watchers.clear()
        self._waiting.clear()
        self.broadcast = None
