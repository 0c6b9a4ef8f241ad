"""The way to a seat of a table that plays: coming back to a seat, and taking an open one.

A long session is the work of seconds. So a client that comes back is told of it a few steps at a
time, and between two times the tables that play get their turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING
from weakref import ref

from msgspec import Struct

from hearts.session.messages import Refusal
from hearts.session.registration import RegistrationEnded
from hearts.session.table_words import PlayerInfo, Replay
from hearts.table import inputs
from hearts.table.effects import GameBegun, TableEvent
from hearts.table.seat import Kind
from hearts.table.table import Table
from hearts.wire.credentials import SeatCredentials

from .hosted_client import ConnectionEnd, HostedClient
from .ports import ClientSeat, Clock, Log
from .seated_clients import SeatedClients

if TYPE_CHECKING:
    from .hosted_table import HostedTable

STEPS_AT_ONCE = 64
"""Steps that are told at once; a hand has 53 to 57."""


class Recall:
    """The steps that one client is still to be told, over the connection that it came back on."""

    def __init__(
        self,
        client: HostedClient,
        seat: ClientSeat,
        steps: Iterator[Sequence[TableEvent | inputs.Question]],
        infos: Sequence[PlayerInfo],
    ) -> None:
        """``infos`` are what the client was told of players 0-3 before."""
        self.client = client
        self.seat = seat
        self.infos = infos
        self._steps = steps
        self.is_over = False
        """True if the client has been told everything, or is gone."""
        client.recall(seat)

    def send_some(self) -> None:
        link = self.client.link
        if link.ending:
            self.is_over = True
            return
        for count, missed in enumerate(self._steps, 1):
            for item in missed:
                link.write(self.seat.recall(item))
            # A choice that the next steps decide must not be taken from the client.
            if count >= STEPS_AT_ONCE and not self.seat.owes_recalled_choice:
                break
        else:
            self.is_over = True
        link.flush()


REMOVED = "the host has removed you from this table"
ELSEWHERE = Refusal.SEAT_ELSEWHERE.text
GIVEN_AWAY = "your seat was given away"

Issue = Callable[[int, int], SeatCredentials]
"""The credentials of a player with a Process ID."""


class Return(Struct, eq=False):
    """A seat that waits for the rest of its owner's registration."""

    rejoin: Rejoin
    credentials: SeatCredentials
    hands: int
    decided: int
    """Choices of the replay that are decided already."""
    client: HostedClient | None = None
    """The client that is told what it missed."""


class Newcomer(Struct, eq=False):
    """Somebody who registers for an open seat, or waits for the hand's end to have it."""

    rejoin: Rejoin
    player: int
    client: HostedClient
    process_id: int = -1


class Rejoin:
    """Gives seats of a table that plays."""

    def __init__(
        self,
        game_number: int,
        table: Table,
        clients: SeatedClients,
        host: HostedTable,
        issue: Issue,
        clock: Clock,
        log: Log,
    ) -> None:
        self.game_number = game_number
        self._table = table
        self._clients = clients
        # The host owns us: so both are gone as soon as the host is, without a garbage collector.
        self._host = ref(host)
        self._issue = issue
        self._clock = clock
        self._log = log
        self._returns: list[Return | None] = [None] * 4
        self._reasons: dict[int, str] = {}
        """The words to players whom the host has removed, if there are special ones."""
        self.newcomers: dict[int, Newcomer] = {}
        """The newcomers who register for an open seat, or wait for it, by seat."""

    @property
    def is_closed(self) -> bool:
        host = self._host()
        return host is None or host.is_closed

    @property
    def is_over(self) -> bool:
        host = self._host()
        return host is None or host.is_over

    def _give(self, given: inputs.Input) -> None:
        host = self._host()
        if host is not None:
            host.give(given)

    # Coming back (SocketSpec.md section 5.6)

    def claim(self, credentials: SeatCredentials, hands: int) -> Return:
        """Claim the seat of these genuine credentials; its present connection is closed.

        Raises RegistrationEnded.
        """
        player = credentials.player
        past = self._table.past
        self._check_owner(credentials)
        scored = past.hands_scored(player)
        if not -1 <= hands <= scored:
            raise RegistrationEnded(Refusal.NO_SUCH_GAME, f"{scored} hands are scored, not {hands}")
        if self.is_over and not self._table.is_complete:
            raise RegistrationEnded(Refusal.TABLE_TAKEN, "the table has ended")
        self._drop(player, ELSEWHERE, ConnectionEnd.REPLACED)
        claimed = Return(self, credentials, hands, past.decided(player, hands))
        self._returns[player] = claimed
        return claimed

    def _check_owner(self, credentials: SeatCredentials) -> None:
        """Raise RegistrationEnded if the seat is not that of its first owner any more."""
        player = credentials.player
        seat = self._clients.seats[player]
        if seat.kind is not Kind.CLIENT or seat.process_id != credentials.process_id:
            is_given = player in self._table.past.seat_changes
            raise RegistrationEnded(Refusal.NO_SUCH_GAME, GIVEN_AWAY if is_given else "")
        if self._table.seats[player].is_removed:
            raise RegistrationEnded(Refusal.NO_SUCH_GAME, self._reasons.get(player, REMOVED))

    def _drop(self, player: int, why: str, outcome: ConnectionEnd) -> None:
        """End the connections of a player: the one that has the seat, and one that comes back."""
        earlier = self._returns[player]
        for client in (self._clients.client(player), earlier.client if earlier else None):
            if client is not None:
                client.drop(why, outcome)
        self._clients.empty(player)

    def remove(self, player: int, why: str = "") -> None:
        """Remove a player, as the host wants, once that is durable; ``why`` is what they hear."""
        if why:
            self._reasons[player] = why
        self._give(inputs.RemovePlayer(player))

    def shut_out(self, player: int) -> None:
        """Remove a player: they hear nothing more, and cannot come back."""
        self._drop(player, self._reasons.get(player, REMOVED), ConnectionEnd.REMOVED)
        self._returns[player] = None

    def give_away(self, player: int) -> None:
        """End the return of a player to a seat, because somebody else has it now."""
        claimed, self._returns[player] = self._returns[player], None
        if claimed is not None and claimed.client is not None:
            claimed.client.drop(GIVEN_AWAY, ConnectionEnd.REMOVED)

    def drop_unfinished(self, why: str) -> None:
        """Disconnect clients that are being replayed an aborted hand; they must come back again."""
        for claimed in self._returns:
            if claimed is not None and claimed.client is not None:
                claimed.client.drop(why, ConnectionEnd.FINISHED)

    def come_back(self, claimed: Return, client: HostedClient) -> Recall:
        """Take a client that has registered for its seat; return what it has missed.

        Raises RegistrationEnded. When the client has been told, :meth:`sit_again` gives it the
        seat, before anything else happens.
        """
        credentials = claimed.credentials
        player, hands = credentials.player, claimed.hands
        self._check_owner(credentials)
        if self._returns[player] is not claimed:
            raise RegistrationEnded(
                Refusal.TOO_MANY_FROM_ADDRESS, "the seat was claimed on another connection"
            )
        claimed.client = client
        past, infos = self._table.past, self._clients.infos
        seat = self._clients.welcome(client, credentials, past.standing(player, hands))
        client.link.write(seat.beside(Replay(begins=True)))
        client.link.write(seat.encode_event(GameBegun(past.setting(player, hands))))
        return Recall(client, seat, past.replay_steps(player, hands), infos)

    def sit_again(self, recall: Recall) -> bool:
        """Let a client play on after it was told what it missed; False if it has left meanwhile."""
        client, seat = recall.client, recall.seat
        if client.link.ending:
            return False
        player = seat.player
        client.link.write(seat.beside(Replay(begins=False)))
        self._clients.send_since(client, seat, recall.infos)
        self._returns[player] = None
        self._log.info(
            "came-back",
            game=self.game_number,
            player=player,
            name=self._clients.names[player],
            address=client.who,
        )
        if self.is_over:
            client.link.end()
            return True
        if self.is_closed:
            # They hear what became of it with the others.
            self._sit(client, seat)
            client.link.flush()
            return True
        if self._table.is_deciding(player):
            seat.made_before()
        self._sit(client, seat)
        self._give(inputs.ClientCameBack(player))
        if seat.speaks_dealer:
            self._give(inputs.ClientCaughtUp(player))
            asked = self._table.open_question(player, self._clock())
            # What followed from their return may have asked them already.
            if asked is not None and not seat.has_caught_up and not self.is_over:
                client.send(seat.ask(asked))
        return True

    # Taking an open seat (DealerSpec.md section 14.8)

    @property
    def open_seats(self) -> list[int]:
        """The seats that somebody could register for."""
        return [
            player
            for player, seat in enumerate(self._table.seats)
            if seat.open and player not in self.newcomers
        ]

    @property
    def following(self) -> list[tuple[HostedClient, ClientSeat]]:
        """The clients that wait for a seat, and want to be told of the table."""
        return [
            (newcomer.client, newcomer.client.seat)
            for newcomer in self.newcomers.values()
            if newcomer.client.seat is not None and newcomer.client.follows
        ]

    def hold(self, client: HostedClient) -> Newcomer:
        """Keep an open seat for a client that registers. Raises RegistrationEnded."""
        seats = self.open_seats
        if not seats or self.is_closed:
            raise RegistrationEnded(Refusal.TABLE_TAKEN)
        newcomer = self.newcomers[seats[0]] = Newcomer(self, seats[0], client)
        return newcomer

    def register(self, newcomer: Newcomer, name: str, process_id: int) -> None:
        """Keep the seat for a newcomer who has registered, until the hand is over.

        Raises RegistrationEnded.
        """
        if self.newcomers.get(newcomer.player) is not newcomer or self.is_over:
            raise RegistrationEnded(Refusal.TABLE_TAKEN)
        newcomer.process_id = process_id
        self._give(inputs.TakeSeat(newcomer.player, name, process_id))

    def leave(self, newcomer: Newcomer) -> None:
        """Forget a newcomer who has left, if they have no seat yet."""
        player = newcomer.player
        if self.newcomers.get(player) is newcomer:
            del self.newcomers[player]
            if newcomer.process_id >= 0:
                self._give(inputs.LeaveSeat(player))

    def seat_newcomer(self, player: int) -> None:
        """Give a newcomer the seat, which is stored as theirs; if they are gone, they leave it."""
        newcomer = self.newcomers.pop(player, None)
        if newcomer is None:
            self._give(inputs.ClientLeft(player))
            return
        client, past = newcomer.client, self._table.past
        credentials = self._issue(player, newcomer.process_id)
        self._log.info(
            "seat-taken",
            game=self.game_number,
            player=player,
            name=self._clients.names[player],
            address=client.who,
        )
        seat = self._clients.welcome(client, credentials, past.standing(player, 0))
        client.link.write(seat.encode_event(GameBegun(self._table.setting)))
        self._sit(client, seat)

    def _sit(self, client: HostedClient, seat: ClientSeat) -> None:
        host = self._host()
        assert host is not None, "a table that plays has a host"
        self._clients.sit(client, seat, host.give)
        if client.ability is not None:
            host.give(client.ability)

    def close(self, later: bool, why: str) -> None:
        """Give nobody a seat any more: the table is over, or stops and goes on later."""
        refused = RegistrationEnded(Refusal.SHUTTING_DOWN if later else Refusal.TABLE_TAKEN, why)
        newcomers = list(self.newcomers.values())
        self.newcomers.clear()
        for newcomer in newcomers:
            if newcomer.process_id >= 0:
                newcomer.client.refuse(refused)
