"""The people at one table: who has which seat, and the clients that are connected."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from hearts.dealer.numbers import PlayerKind, Presence
from hearts.dealer.scene import Scene
from hearts.dealer.seat import DealerSeat, Introduced
from hearts.dealer.structures import PlayerInfo
from hearts.errors import Reason, RemoteProtocolError
from hearts.limits import network_of
from hearts.plain.seat import PlainSeat
from hearts.table import Ask, Change, Decline, Kind, SessionTotals, Table, TableEvent
from hearts.wire.credentials import SeatCredentials
from hearts_server.journal.store import Session, StoredSeat

from .client import Client, ClientSeat, Give
from .seat_news import SeatNews


class Company:
    """Four seats; each client is told things in its own dialect."""

    def __init__(self, session: Session, table: Table, moved: Callable[[int, str], None]) -> None:
        """``moved`` is told the network of a player whose client comes from another than before."""
        self.seats: list[StoredSeat] = list(session.seats)
        for player, change in table.past.seat_changes.items():
            network = session.seats[player].network
            self.seats[player] = StoredSeat(change.name, change.kind, change.process_id, network)
        self._moved = moved
        self._session = session
        self._table = table
        self._clients: list[Client | None] = [None] * 4
        self._chairs: list[ClientSeat | None] = [None] * 4
        self._introduced: list[Introduced | None] = [None] * 4
        self._scene = Scene(SessionTotals())
        self.news = SeatNews(self.info)
        self.dealers: list[tuple[Client, DealerSeat]] = []
        """The clients that speak the dealer dialect."""

    @property
    def names(self) -> tuple[str, str, str, str]:
        """The names of players 0-3."""
        a, b, c, d = (seat.name for seat in self.seats)
        return (a, b, c, d)

    @property
    def computers(self) -> frozenset[int]:
        """The players who are computers."""
        return frozenset(
            player for player, seat in enumerate(self.seats) if seat.kind is Kind.COMPUTER
        )

    @property
    def infos(self) -> list[PlayerInfo]:
        """What everybody knows of players 0-3."""
        return [self.news.shown(player) for player in range(4)]

    def info(self, player: int) -> PlayerInfo:
        """What everybody may know of a player."""
        seat = self._table.seats[player]
        name = self.seats[player].name
        if seat.kind is Kind.COMPUTER:
            return PlayerInfo(player, PlayerKind.CPU, name=name)
        presence = Presence.THERE if seat.connected else Presence.AWAY
        if seat.is_played_for:
            presence = Presence.STAND_IN
        said = self._introduced[player]
        if said is None:
            return PlayerInfo(player, PlayerKind.EXTERNAL_NETWORK, presence=presence, name=name)
        return PlayerInfo(player, said.kind, said.level, presence, name, said.comment)

    def client(self, player: int) -> Client | None:
        """The client that has a seat now."""
        return self._clients[player]

    def __iter__(self) -> Iterator[Client]:
        return (client for client in self._clients if client is not None)

    # Coming and going

    def chair(
        self, player: int, client: Client, standing: SessionTotals | None = None
    ) -> ClientSeat:
        """What a client of this seat plays through, in the dialect that it speaks."""
        if client.dealer is None:
            return PlainSeat(player, self.computers)
        if standing is None:
            client.dealer.share(self._scene)
        else:
            client.dealer.stand(standing)
        return client.dealer

    def welcome(self, chair: ClientSeat, credentials: SeatCredentials) -> bytes:
        """What a client hears first: which session it is, and who is at the table."""
        if isinstance(chair, DealerSeat):
            return chair.seated(credentials, self._session.table_name, self.infos)
        assert isinstance(chair, PlainSeat)
        return chair.welcome(credentials, self.names)

    def sit(self, player: int, client: Client, chair: ClientSeat, give: Give) -> None:
        """A client has its seat."""
        self._clients[player] = client
        self._chairs[player] = chair
        self._find_dealers()
        self.meet(player, client)
        network = network_of(client.who)
        if self.seats[player].network != network:
            self.seats[player] = replace(self.seats[player], network=network)
            self._moved(player, network)
        client.attach(give, chair)

    def meet(self, player: int, client: Client) -> None:
        """Take note of what a player has said about himself while the table was forming."""
        if client.introduced is not None:
            self._introduced[player] = client.introduced

    def empty(self, player: int) -> None:
        """A client has its seat no more."""
        self._clients[player] = None
        self._find_dealers()

    def _find_dealers(self) -> None:
        self.dealers = [(client, client.dealer) for client in self if client.dealer is not None]

    def change_seat(self, player: int, seat: StoredSeat) -> None:
        """Somebody else has a seat."""
        self.seats[player] = seat
        self._introduced[player] = None
        computers = self.computers
        for chair in self._chairs:
            if isinstance(chair, PlainSeat):
                chair.computers = computers

    def introduce(self, introduced: Introduced) -> None:
        """A player has said who he is."""
        self._introduced[introduced.player] = introduced

    # Telling

    def tell(self, player: int, event: TableEvent) -> None:
        """Tell one player; a client that owes too much is dropped."""
        client = self._clients[player]
        if client is None or client.link.ending:
            return
        chair = self._chairs[player]
        assert chair is not None
        try:
            data = chair.tell(event)
        except RemoteProtocolError as error:
            client.drop(str(error))
            return
        if data:
            client.link.write(data)

    def ask(self, asked: Ask) -> bool:
        """Ask a client; whether it owes nothing earlier."""
        client, chair = self._clients[asked.player], self._chairs[asked.player]
        if client is None or chair is None:
            return False
        data = chair.ask(asked)
        if data:
            client.link.write(data)
        return chair.has_caught_up

    def wake(self, player: int) -> None:
        """Read on from a client that was asked for something."""
        client = self._clients[player]
        if client is not None:
            client.wake()

    def refuse(self, player: int, reason: Reason) -> None:
        """A choice is not legal."""
        client, chair = self._clients[player], self._chairs[player]
        if client is not None and chair is not None:
            client.link.write(chair.refuse(reason))

    def decline(self, declined: Decline) -> None:
        """A player's wish cannot be met."""
        client = self._clients[declined.player]
        if client is not None and client.dealer is not None:
            client.link.write(client.dealer.decline(declined))

    def changed(self, change: Change, info: PlayerInfo) -> None:
        """Tell those who can hear it that something has happened to a seat."""
        for client, dealer in self.dealers:
            client.link.write(dealer.change(change, info))

    def notice(self, text: str) -> None:
        """Tell those who can hear it something in words."""
        for client, dealer in self.dealers:
            client.say(dealer.notice(text))

    def abort(self, later: bool, why: str) -> None:
        """Tell those who can hear it that the table ends before the players are done."""
        for client, dealer in self.dealers:
            client.link.write(dealer.abort(later, why))

    def dismiss(self) -> None:
        """The table is over: end all connections."""
        for player, client in enumerate(self._clients):
            if client is not None:
                client.finish()
                self._clients[player] = None
        self.dealers.clear()

    def flush(self) -> None:
        """Send what was written."""
        for client in self._clients:
            if client is not None:
                client.link.flush()

    def take_early(self) -> None:
        """Look again at what came before it was due."""
        for client in self._clients:
            if client is not None and client.place.early:
                client.take_early()
