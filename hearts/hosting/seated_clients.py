"""The people at one table: the holders of seats, the clients that are there, and news of seats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from hearts.dealer.public_table import PublicTable
from hearts.errors import Reason, RemoteProtocolError
from hearts.game.cards import four
from hearts.limits.networks import network_of
from hearts.limits.news import NewsLimiter
from hearts.session import table_words as words
from hearts.table.effects import Ask, Change, GameBegun, SessionTotals, TableEvent
from hearts.table.inputs import ClientCaughtUp, Input
from hearts.table.seat import Kind
from hearts.table.table import Table
from hearts.wire.credentials import SeatCredentials

from .hosted_client import HostedClient
from .ports import ClientSeat, Give
from .store import NoStore, Session, Store, StoredSeat

Told = tuple[Change, words.PlayerInfo]

_OFTEN = (Change.LEFT, Change.BACK, Change.STAND_IN, Change.INTRODUCED)
"""Changes that a client alone can bring about, as often as it likes."""


class SeatNews:
    """The changes of four seats that are still to be told, and their times."""

    def __init__(self) -> None:
        self.waiting: NewsLimiter[int, words.PlayerInfo] = NewsLimiter()
        """The news that has to wait, by player."""

    def shown(self, info: words.PlayerInfo) -> words.PlayerInfo:
        """Return the part of a player's ``info`` that everybody at the table knows."""
        return self.waiting.told_before(info.player) or info

    @staticmethod
    def since(then: Iterable[words.PlayerInfo], now: Iterable[words.PlayerInfo]) -> Iterator[Told]:
        """Return the changes between the players as shown before and as shown now."""
        for told, info in zip(then, now, strict=True):
            if info.kind is told.kind or words.PlayerKind.COMPUTER not in (info.kind, told.kind):
                yield from _steps(told, info)
            else:
                yield (
                    Change.COMPUTER if info.kind is words.PlayerKind.COMPUTER else Change.TAKEN,
                    info,
                )

    def happened(self, info: words.PlayerInfo, change: Change, now: float) -> list[Told]:
        """Return the news to tell at once about a change; ``info`` is the player after it."""
        player = info.player
        if change not in _OFTEN:
            self.waiting.was_told(player, info)
        elif not self.waiting.offer(player, info, now):
            return []
        return [(change, info)]

    def take(self, now: float) -> list[Told]:
        return [step for _, told, info in self.waiting.take(now) for step in _steps(told, info)]

    def settle(self, player: int) -> list[Told]:
        """Take the news of a player that waits, because they are about to lose their seat."""
        told, info = self.waiting.told_before(player), self.waiting.waiting(player)
        if told is None or info is None:
            return []
        self.waiting.was_told(player, info)
        return list(_steps(told, info))


def _steps(told: words.PlayerInfo, info: words.PlayerInfo) -> Iterator[Told]:
    """Return the changes from the state that was told to the present one, without those in
    between.
    """
    presence = told.presence
    if info.presence is words.Presence.THERE != presence:
        yield Change.BACK, replace(told, presence=words.Presence.THERE)
    if info.presence is words.Presence.AWAY and presence is words.Presence.STAND_IN:
        yield Change.BACK, replace(told, presence=words.Presence.THERE)
        presence = words.Presence.THERE
    if info.presence is not words.Presence.THERE and presence is words.Presence.THERE:
        yield Change.LEFT, replace(told, presence=words.Presence.AWAY)
        presence = words.Presence.AWAY
    if info.presence is words.Presence.STAND_IN and presence is words.Presence.AWAY:
        yield Change.STAND_IN, replace(told, presence=words.Presence.STAND_IN)
    if info != replace(told, presence=info.presence):
        yield Change.INTRODUCED, info


Seated = tuple[HostedClient, ClientSeat]
"""A client and the seat that it has."""


class SeatedClients:
    """Four seats; each client is told things in its own dialect."""

    def __init__(self, session: Session, table: Table, store: Store) -> None:
        """``store`` is told of all news of a seat, except of a new holder."""
        self.seats: list[StoredSeat] = list(session.seats)
        """The seats as they are stored."""
        for player, change in table.past.seat_changes.items():
            self.seats[player] = replace(
                session.seats[player],
                name=change.name,
                kind=change.kind,
                process_id=change.process_id,
            )
        self._store: Store = store
        self._session = session
        self._table = table
        self._at: list[tuple[()] | tuple[Seated]] = [(), (), (), ()]
        """The client of each seat, if there is one."""
        self._seated: list[Seated] = []
        self._said = [seat.said for seat in self.seats]
        """The players' words of themselves; the store has what everybody was told of them."""
        self._public = PublicTable(SessionTotals())
        self.news = SeatNews()
        self.hearing: list[Seated] = []
        """The clients whose dialect has words for more than the game."""

    @property
    def names(self) -> tuple[str, str, str, str]:
        return four(seat.name for seat in self.seats)

    @property
    def people(self) -> list[str]:
        return [self.seats[seat.player].name for _, seat in self._seated]

    @property
    def computers(self) -> frozenset[int]:
        return frozenset(
            player for player, seat in enumerate(self.seats) if seat.kind is Kind.COMPUTER
        )

    @property
    def infos(self) -> list[words.PlayerInfo]:
        return [self.news.shown(self.info(player)) for player in range(4)]

    def info(self, player: int) -> words.PlayerInfo:
        seat = self._table.seats[player]
        name = self.seats[player].name
        if seat.kind is Kind.COMPUTER:
            return words.computer(player, name, self.seats[player].level)
        presence = words.Presence.THERE if seat.connected else words.Presence.AWAY
        if seat.is_played_for:
            presence = words.Presence.STAND_IN
        return words.person(player, name, self._said[player], presence)

    def client(self, player: int) -> HostedClient | None:
        """Return the client that has a seat now."""
        return next((client for client, _ in self._at[player]), None)

    def __iter__(self) -> Iterator[HostedClient]:
        return (client for client, _ in self._seated)

    # Coming and going

    def welcome(
        self,
        client: HostedClient,
        credentials: SeatCredentials,
        standing: SessionTotals | None = None,
    ) -> ClientSeat:
        """Tell a client the session and the players at the table; return the seat it plays through.

        ``standing`` is that of the players, for a client that comes to a game under way.
        """
        seat = client.seat
        assert seat is not None
        seat.seats_changed(self.computers)
        if standing is None:
            seat.share(self._public)
        else:
            seat.stand(standing)
        client.link.write(seat.welcome(credentials, self._session.table_name, self.infos))
        return seat

    def send_since(
        self, client: HostedClient, seat: ClientSeat, infos: Sequence[words.PlayerInfo]
    ) -> None:
        """Tell a client what became of the seats since it was told of them."""
        seat.seats_changed(self.computers)
        for change, info in self.news.since(infos, self.infos):
            client.link.write(seat.beside(words.PlayerChange(change, info)))

    def sit(self, client: HostedClient, seat: ClientSeat, give: Give) -> None:
        player = seat.player
        self._put(player, ((client, seat),))
        self.meet(player, client)
        network = network_of(client.who)
        self._note(player, replace(self.seats[player], network=network, said=self._said[player]))
        client.attach(give, seat)

    def meet(self, player: int, client: HostedClient) -> None:
        """Take note of the words of a player about themselves, if they have said any.

        A program that comes back as a person stays one.
        """
        if (said := client.introduced) is not None:
            if self._said[player].kind is words.PlayerKind.PROGRAM:
                said = replace(said, kind=words.PlayerKind.PROGRAM)
            self._said[player] = words.description(said)

    def _describe(self, player: int, said: words.Description) -> None:
        self._note(player, replace(self.seats[player], said=said))

    def _note(self, player: int, seat: StoredSeat) -> None:
        if seat != self.seats[player]:
            self.seats[player] = seat
            self._store.change_seat(player, seat)

    def empty(self, player: int) -> None:
        self._put(player, ())

    def _put(self, player: int, at: tuple[()] | tuple[Seated]) -> None:
        self._at[player] = at
        self._seated = [seated for at in self._at for seated in at]
        self.hearing = [(client, seat) for client, seat in self._seated if seat.speaks_dealer]

    def change_seat(self, player: int, name: str, kind: Kind, process_id: int) -> None:
        level = self.seats[player].level
        self._note(player, replace(self.seats[player], said=words.UNSAID))
        self.seats[player] = StoredSeat(name, kind, process_id, level=level)
        self._said[player] = words.UNSAID
        computers = self.computers
        for _, taken in self._seated:
            taken.seats_changed(computers)

    # Telling

    def notify(self, event: TableEvent, player: int | None = None) -> None:
        """Notify a player, or all if there is none; drop a client that owes too much."""
        for client, seat in self._seated if player is None else self._at[player]:
            link = client.link
            # One that is gone is still here, perhaps after its seat has become somebody else's.
            if link.ending:
                continue
            try:
                data = seat.encode_event(event)
            except RemoteProtocolError as error:
                client.drop(str(error))
                continue
            if data:
                link.write(data)

    def tell_again(self, player: int) -> None:
        """Tell a player the game as it stands, from the begin of the hand that was dealt last."""
        past = self._table.past
        for client, seat in self._at[player]:
            seat.stand(past.standing(player, -1))
            write = client.link.write
            write(seat.beside(words.Replay(begins=True)))
            write(seat.encode_event(GameBegun(past.setting(player, -1))))
            for missed in past.replay(player, -1):
                write(seat.recall(missed))
            write(seat.beside(words.Replay(begins=False)))

    def ask(self, asked: Ask, given: list[Input]) -> None:
        """Ask a client and read on; ``given`` gets the news if it owes nothing earlier."""
        for client, seat in self._at[asked.player]:
            if data := seat.ask(asked):
                client.link.write(data)
            if seat.has_caught_up:
                given.append(ClientCaughtUp(asked.player))
            client.wake()

    def refuse(self, player: int, reason: Reason) -> None:
        for client, seat in self._at[player]:
            client.link.write(seat.refuse(reason))
            client.wake()

    def notify_beside(self, player: int, told: words.Beside) -> None:
        for client, seat in self._at[player]:
            client.link.write(seat.beside(told))

    def let_go(self, player: int) -> None:
        """Let a player go who has left for good."""
        for client, _ in self._at[player]:
            client.finish()
        self.empty(player)

    def changed(self, change: Change, info: words.PlayerInfo) -> None:
        """Tell those who can hear it that something has happened to a seat."""
        if change is Change.INTRODUCED:
            # News of a seat is limited; so a flood of it is no flood of writes to the disk.
            self._describe(info.player, words.description(info))
        self.notify_listening(words.PlayerChange(change, info))

    def notify_listening(self, told: words.Beside) -> None:
        """Tell those who can hear it something beside the game."""
        for client, seat in self.hearing:
            client.link.write(seat.beside(told))

    def abort(self, later: bool, why: str) -> None:
        """Tell those who can hear it that the table ends before the players are done."""
        if later:
            # What waits to be told never will be.
            for player, said in enumerate(self._said):
                self._describe(player, said)
        follows = words.AbortLater.COME_BACK if later else words.AbortLater.NOTHING
        self.notify_listening(words.AbortGame(follows, why))

    def dismiss(self) -> None:
        """End all connections, because the table is over."""
        for client, _ in self._seated:
            client.finish()
        for player in range(4):
            self.empty(player)

    def store_no_more(self) -> None:
        """Store nothing more about the seats, because the session is over."""
        self._store = NoStore()

    def flush(self) -> None:
        for client, _ in self._seated:
            client.link.flush()

    def read_early(self) -> None:
        """Look again at what came before it was due."""
        for client, seat in self._seated:
            if seat.early:
                client.read_early()
