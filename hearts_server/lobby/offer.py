"""The offer of a server to a client that registers: its tables, a seat to come back to, a view.

SocketSpec.md section 3.
"""

from __future__ import annotations

from collections.abc import Sequence

import trio
from msgspec import Struct

from hearts.hosting.client import EARLY_LIMIT, HostedClient
from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.registrar import RegisteredClient
from hearts.hosting.rejoin import Newcomer, Return
from hearts.limits.tries import Looks
from hearts.limits.work import ITEM_WORK, LIST_WORK, READ_WORK
from hearts.net import Link
from hearts.net.logline import EventLog
from hearts.session.messages import ListedTable, LookedTable, LookReply, Refusal
from hearts.session.registration import (
    ComeBack,
    GivenName,
    GivenPassword,
    Item,
    JoinTable,
    ListTables,
    LookAt,
    RegistrationEnded,
    Skipped,
    SpeakDealer,
    Watch,
)

from .forming import Sitter
from .lobby import Lobby
from .open_connections import Admission, OpenConnections
from .passwords import PasswordGuard
from .sessions import Sessions
from .turns import Budget
from .wishes import LobbyWishes

log = EventLog(__name__)


class LeftEarly(Exception):
    """The client left while it had to wait."""


class Reception(Struct, frozen=True):
    """The parts of a server that a client has to do with when it registers."""

    connections: OpenConnections
    lobby: Lobby
    sessions: Sessions
    passwords: PasswordGuard


class LobbyOffer:
    """The offer of a server to one connection that registers (an :class:`~.registrar.Offer`)."""

    def __init__(
        self,
        reception: Reception,
        link: Link,
        client: HostedClient,
        budget: Budget,
        admission: Admission,
    ) -> None:
        self.reception = reception
        self.link = link
        self.client = client
        self.admission = admission
        self.name = ""
        """The name of the player; empty until they have said it."""
        self.sitter: Sitter | None = None
        self.claimed: Return | None = None
        """The seat that the client comes back to."""
        self.newcomer: Newcomer | None = None
        """The open seat of a table that plays, kept for the client."""
        self.watched: HostedTable | None = None
        """The table that the client watches."""
        self.refusal = admission.refusal
        """The reason that the client can only come back; None if it can do anything."""
        self.why: str | None = None
        """The reason in words, if it has words of its own."""
        self.only_lists = False
        """True if the client has asked for the tables, and has not registered."""
        self._budget = budget
        self._lobby = reception.lobby
        self._trusted = not reception.passwords.is_asked
        self.looks = Looks(reception.lobby.looks, client.who)

    async def sit_down(self) -> int:
        """The Player ID, provisional as it is. A client that gets no seat may still
        come back to one."""
        if self.refusal is None:
            try:
                self.sitter = await self._lobby.waiting_line.seat(self.client)
                return self.sitter.player
            except RegistrationEnded as refused:
                self.refusal, self.why = refused.refusal, str(refused)
        return 0

    def leave(self) -> None:
        if self.sitter is not None:
            self._lobby.leave(self.sitter)
        if self.newcomer is not None:
            self.newcomer.rejoin.leave(self.newcomer)

    async def read(self) -> bytes:
        """The client's next bytes, when it is its turn; none at the end."""
        data = await self.link.read()
        if data:
            await self._budget.turn()
            self._budget.charge(READ_WORK)
        return data

    # What the client says

    def hear(self, item: Item) -> None:
        self._budget.charge(LIST_WORK if isinstance(item, ListTables) else ITEM_WORK)
        match item:
            case Skipped() | LookAt():
                if self.claimed is None and self.newcomer is None and self.watched is None:
                    self._seat()
            case GivenPassword() | SpeakDealer():
                if self.refusal is None:
                    self._seat()
            case Watch() | ListTables() | JoinTable():
                self._seat()
                self._check_trusted()
            case GivenName(name):
                self.name = name

    def set_options(self, ints: tuple[int, ...]) -> None:
        if self.sitter is not None:
            self.sitter.table.set_options(self.sitter, ints)

    async def check_password(self, password: bytes) -> None:
        await self.reception.passwords.check(self.client.who, password, self._wait)
        self._trusted = True

    def list_tables(self) -> Sequence[ListedTable]:
        listed = self._lobby.listing(self._seat())
        self.only_lists = True
        log.info("tables-listed", address=self.client.who, tables=len(listed))
        return listed

    def look(self, name: str) -> LookedTable | LookReply:
        if self.sitter is None or not self._trusted:
            return LookReply.UNKNOWN
        now = trio.current_time()
        if not self.looks.admits(name, now):
            why = "too many questions about tables that are not there, try again later"
            raise RegistrationEnded(Refusal.TOO_MANY_FROM_ADDRESS, why)
        looked = self._lobby.look(self._seat(), name)
        if looked is LookReply.NO_TABLE:
            self.looks.missed(now)
        return looked

    async def join(self, name: str) -> int:
        place = await self._lobby.join(self._seat(), name)
        if isinstance(place, Newcomer):
            self.sitter, self.newcomer = None, place
        else:
            self.sitter = place
        return place.player

    async def come_back(self, asked: ComeBack) -> int:
        self.leave()
        self.sitter = None
        try:
            self.claimed = await self.reception.sessions.claim(self.client.who, asked, self._wait)
        except RegistrationEnded:
            # A table that stopped for the end of the server goes on in its next life.
            if self.reception.connections.draining:
                raise RegistrationEnded(Refusal.SHUTTING_DOWN) from None
            raise
        return self.claimed.decided

    async def watch(self, game_number: int) -> None:
        self.leave()
        self.sitter = None
        self.watched = await self.reception.sessions.to_watch(game_number)

    def take(self, registered: RegisteredClient) -> None:
        """The registration is complete, and the client gets what it was offered.

        Raises RegistrationEnded.
        """
        self.only_lists = False
        if self.watched is not None:
            self.client.watch()
        else:
            self.client.take_seat(self._player, dealer=registered.dealer)
        self.client.receive(registered.rest)
        name, process_id = registered.name, registered.process_id
        if self.claimed is not None:
            if process_id != self.claimed.credentials.process_id:
                raise RegistrationEnded(
                    Refusal.NO_SUCH_GAME, "a Process ID that is not that of block -5"
                )
        elif self.newcomer is not None:
            self.newcomer.rejoin.register(self.newcomer, name, process_id)
        elif self.watched is None:
            sitter = self._seat()
            self._check_trusted()
            self._lobby.register(sitter, name, process_id)
        self.client.answer_wishes(LobbyWishes(self))

    async def _wait(self, seconds: float) -> None:
        """Wait, but not longer than the client does. Raises LeftEarly."""
        if not seconds:
            return
        with trio.move_on_after(seconds):
            waiting = 0
            while waiting <= EARLY_LIMIT:
                data = await self.link.read()
                if not data:
                    raise LeftEarly
                self._budget.charge(READ_WORK)
                self.client.registration.feed(data)
                waiting += len(data)
            await trio.sleep_forever()

    @property
    def _player(self) -> int:
        if self.claimed is not None:
            return self.claimed.credentials.player
        place = self.newcomer or self.sitter
        return 0 if place is None else place.player

    @property
    def game_number(self) -> int:
        """That of the table that plays and that the client has to do with; 0 for none."""
        if self.claimed is not None:
            return self.claimed.credentials.game_number
        if self.newcomer is not None:
            return self.newcomer.rejoin.game_number
        return 0 if self.watched is None else self.watched.game_number

    def _seat(self) -> Sitter:
        """The seat at a forming table. Raises RegistrationEnded if there is none, or no more."""
        if self.sitter is None:
            raise RegistrationEnded(self.refusal or Refusal.BAD_OPTION, self.why)
        self.sitter.check_seated()
        return self.sitter

    def _check_trusted(self) -> None:
        if not self._trusted:
            raise RegistrationEnded(Refusal.BAD_PASSWORD)
