"""The offer of a server to a client that registers: its tables, a seat to come back to, a view.

SocketSpec.md section 3.
"""

from __future__ import annotations

from collections.abc import Sequence

import trio
from msgspec import Struct, field

from hearts.hosting.hosted_client import EARLY_LIMIT, HostedClient
from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.registrar import RegisteredClient
from hearts.hosting.rejoin import Newcomer, Return
from hearts.limits.tries import Looks
from hearts.limits.work import ITEM_WORK, LIST_WORK, PROOF_WORK, READ_WORK
from hearts.net import Link
from hearts.net.logline import EventLog
from hearts.session.messages import (
    DEALER_VERSION,
    HOSTS_LEVELS,
    STANDINGS_BYTES,
    ListedTable,
    LookedTable,
    LookReply,
    Refusal,
)
from hearts.session.registration import (
    AskChallenge,
    AskGreeting,
    ComeBack,
    GivenLevels,
    GivenName,
    GivenPassword,
    GivenProof,
    Item,
    JoinTable,
    ListTables,
    LookAt,
    RegistrationEnded,
    Skipped,
    SpeakDealer,
    Watch,
)
from hearts.session.table_words import Introduction, PlayerKind
from hearts_server.config import Guests
from hearts_server.days import DAY_OPTIONS, Days, is_day_table, token_of
from hearts_server.greeting import Greeting
from hearts_server.metrics.figures import Metrics
from hearts_server.names.desk import GuestDesk

from .forming import Sitter
from .lobby import Lobby
from .open_connections import Admission, OpenConnections
from .passwords import PasswordGuard
from .turns import Budget
from .wishes import LobbyWishes

log = EventLog(__name__)


class LeftEarly(Exception):
    """The client left while it had to wait."""


class Reception(Struct, frozen=True):
    """The parts of a server that a client has to do with when it registers."""

    connections: OpenConnections
    lobby: Lobby
    passwords: PasswordGuard
    metrics: Metrics
    days: Days
    greeting: Greeting = field(default_factory=Greeting)
    links: dict[Link, str] = field(default_factory=dict)
    """The open connections, with their narrowest networks."""
    replays: trio.Lock = field(default_factory=trio.Lock)
    """Of all replays of a server only one goes on at a time."""


class Arrival(Struct, eq=False):
    """A connection, from its admission to its end."""

    reception: Reception
    link: Link
    client: HostedClient
    admission: Admission
    name: str = ""
    """The name of the player; empty until they have said it."""
    only_lists: bool = False
    """True if the client has asked for the tables, and has not registered."""


class LobbyOffer:
    """The offer of a server to one connection that registers (an :class:`~.registrar.Offer`)."""

    def __init__(self, arrived: Arrival, budget: Budget) -> None:
        self._arrived = arrived
        self.reception = reception = arrived.reception
        self.link, self.client = arrived.link, arrived.client
        self.place: Sitter | Return | Newcomer | HostedTable | None = None
        """A seat of a table that forms, the seat that the client comes back to, the open seat of a
        table that plays, or the table that it watches."""
        self.refusal = arrived.admission.refusal
        """The reason that the client can only come back; None if it can do anything."""
        self.why = arrived.admission.why
        """The reason in words, if it has words of its own."""
        office = reception.lobby.names
        self.names = None if office is None else GuestDesk(office, self.client.who)
        self._levels: Sequence[int] = HOSTS_LEVELS
        """The levels of the computers at a table that the client opens."""
        self._budget = budget
        self._lobby = reception.lobby
        self._trusted = not reception.passwords.is_asked
        self.looks = Looks(reception.lobby.looks, self.client.who)
        self.client.leave = self.leave

    async def sit_down(self) -> int:
        """Seat the client for now; return its Player ID. A client that gets no seat may still come
        back to one.
        """
        if self.refusal is None:
            try:
                self.place = sitter = await self._lobby.waiting_line.seat(self.client)
                return sitter.player
            except RegistrationEnded as refused:
                self.refusal, self.why = refused.refusal, str(refused)
        return 0

    def leave(self) -> None:
        match self.place:
            case Sitter() as sitter:
                self._lobby.leave(sitter)
            case Newcomer() as newcomer:
                newcomer.rejoin.leave(newcomer)

    async def read(self) -> bytes:
        """Return the client's next bytes, when it is its turn; none at the end."""
        data = await self.link.read()
        if data:
            await self._budget.turn()
            self._budget.charge(READ_WORK)
        return data

    # What the client says

    def receive(self, item: Item) -> None:
        self._budget.charge(LIST_WORK if isinstance(item, ListTables) else ITEM_WORK)
        match item:
            case (
                Skipped() | LookAt() | GivenLevels() | AskGreeting() | AskChallenge() | GivenProof()
            ):
                if self.names is not None and isinstance(item, AskChallenge | GivenProof):
                    self._budget.charge(PROOF_WORK)
                    self._check_trusted()
                if self.place is None:
                    self._seat()
                elif isinstance(self.place, Sitter):
                    self.place.check_seated()
            case GivenPassword() | SpeakDealer():
                if self.names is not None and isinstance(item, SpeakDealer):
                    self.names.dialect = min(item.version, DEALER_VERSION)
                # Who has lost this seat to another may be about to come back to their own.
                is_lost = isinstance(self.place, Sitter) and self.place.is_given_away
                if self.refusal is None and not is_lost:
                    self._seat()
            case Watch() | ListTables() | JoinTable():
                self._seat()
                self._check_trusted()
            case GivenName(name):
                self._arrived.name = name
                if self.names is not None:
                    self.names.name = name

    def set_options(self, ints: tuple[int, ...]) -> None:
        if isinstance(self.place, Sitter) and not is_day_table(self.place.table.name):
            self.place.table.set_options(self.place, ints)

    def set_levels(self, levels: tuple[int, ...]) -> int:
        allowed = self._lobby.levels
        if not levels:
            return sum(1 << level for level in allowed)
        if not allowed.issuperset(levels):
            return 0
        self._levels = levels
        return 1

    async def greeting(self, visitor: bytes) -> Sequence[str]:
        if not self._trusted:
            return ()
        if len(visitor) == STANDINGS_BYTES:
            return self.reception.greeting.standings.get(visitor[0], ())
        if visitor:
            self._budget.charge(LIST_WORK)
            return await self.reception.days.texts(visitor)
        return self.reception.greeting.texts

    async def check_password(self, password: bytes) -> None:
        await self.reception.passwords.check(self.client.who, password, self._wait)
        self._trusted = True

    def list_tables(self) -> Sequence[ListedTable]:
        listed = self._lobby.listing(self._seat())
        self._arrived.only_lists = True
        log.info("tables-listed", address=self.client.who, tables=len(listed))
        return listed

    def look(self, name: str) -> LookedTable | LookReply:
        if not isinstance(self.place, Sitter) or not self._trusted:
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
        days, token = self.reception.days, token_of(name)
        if token is not None:
            name = days.table_name(token)
            if (state := days.state(name)) != "open":
                how = "played" if state == "played" else "under way"
                why = f"the deal of the day is {how} already: it is one try"
                raise RegistrationEnded(Refusal.TABLE_TAKEN, why)
        elif is_day_table(name):
            raise RegistrationEnded(Refusal.TABLE_TAKEN)
        self.place = place = await self._lobby.join(self._seat(), name)
        if token is not None and isinstance(place, Sitter):
            place.table.options = DAY_OPTIONS
            place.table.computers = set(DAY_OPTIONS.computers)
        return place.player

    async def come_back(self, asked: ComeBack) -> int:
        if self.refusal is Refusal.BANNED:
            raise RegistrationEnded(self.refusal, self.why)
        self.leave()
        self.place = None
        try:
            self.place = claimed = await self._lobby.sessions.claim(
                self.client.who, asked, self._wait
            )
        except RegistrationEnded:
            # A table that stopped for the end of the server goes on in its next life.
            if self.reception.connections.draining:
                raise RegistrationEnded(Refusal.SHUTTING_DOWN) from None
            raise
        return claimed.decided

    async def watch(self, game_number: int) -> None:
        self.leave()
        self.place = None
        self.place = await self._lobby.sessions.to_watch(game_number)

    def accept(self, registered: RegisteredClient) -> None:
        """Give the client what it was offered, because the registration is complete.

        Raises RegistrationEnded.
        """
        self._arrived.only_lists = False
        match self.place:
            case HostedTable():
                self.client.watch()
            case Return(credentials=shown):
                self.client.take_seat(shown.player, dealer=registered.dealer)
            case place:
                self.client.take_seat(
                    0 if place is None else place.player, dealer=registered.dealer
                )
        self.client.receive(registered.rest)
        name, process_id = registered.name, registered.process_id
        if self.names is not None:
            name = self.names.shown
            if self.names.is_program:
                self.client.introduced = Introduction(PlayerKind.PROGRAM)
        if why := self._lobby.is_unwelcome(self._arrived.admission.address, name):
            raise RegistrationEnded(Refusal.BANNED, why)
        match self.place:
            case HostedTable():
                pass
            case Return(credentials=shown):
                if process_id != shown.process_id:
                    why = "a Process ID that is not that of block -5"
                    raise RegistrationEnded(Refusal.NO_SUCH_GAME, why)
            case Newcomer() as newcomer:
                self._check_guest(None)
                newcomer.rejoin.register(newcomer, name, process_id)
            case _:
                sitter = self._seat()
                self._check_trusted()
                self._check_guest(sitter)
                self._lobby.register(sitter, name, process_id, self._levels)
        if registered.dealer:
            self.client.answer_wishes(LobbyWishes(self))

    def _check_guest(self, sitter: Sitter | None) -> None:
        """Raise RegistrationEnded for a guest who may not play, or only alone."""
        if self.names is None or self.names.proved or self._lobby.guests is Guests.YES:
            return
        if self._lobby.guests is Guests.NO:
            raise RegistrationEnded(Refusal.BANNED, "guests are not let in here: claim a name")
        table = None if sitter is None else sitter.table
        if table is None or table.opened or len(table.options.computers) < 3:
            why = "guests play alone with computers here: claim a name to play with others"
            raise RegistrationEnded(Refusal.BANNED, why)

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
    def game_number(self) -> int:
        """The number of the table at which the client sits or which it watches; 0 for none."""
        match self.place:
            case Return() | Newcomer():
                return self.place.rejoin.game_number
            case HostedTable():
                return self.place.game_number
        return 0

    def _seat(self) -> Sitter:
        """Return the seat at a forming table. Raises RegistrationEnded if there is none, or no
        more.
        """
        if not isinstance(self.place, Sitter):
            raise RegistrationEnded(self.refusal or Refusal.BAD_OPTION, self.why)
        self.place.check_seated()
        return self.place

    def _check_trusted(self) -> None:
        if not self._trusted:
            raise RegistrationEnded(Refusal.BAD_PASSWORD)
