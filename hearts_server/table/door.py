"""The door of a table that plays: who comes back to a seat, and who takes an open one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import trio

from hearts.dealer.seat import DealerSeat, Introduced
from hearts.net.logline import EventLog
from hearts.session.messages import Refusal
from hearts.session.registration import Refused
from hearts.table import (
    Able,
    CameBack,
    CaughtUp,
    GameBegun,
    Input,
    Kind,
    LeaveSeat,
    Left,
    Table,
    TakeSeat,
)
from hearts.wire.credentials import SeatCredentials
from hearts_server.metrics.figures import ConnectionEnd

from .client import Client, ClientSeat
from .company import Company
from .recall import tell_missed

log = EventLog(__name__)

Issue = Callable[[int, int], SeatCredentials]
"""The credentials of a player with a Process ID."""


class TableOfDoor(Protocol):
    """What the door needs of its table's host."""

    @property
    def is_over(self) -> bool:
        """Whether the table takes no more input."""

    def give(self, given: Input | Introduced, /) -> None:
        """Give the table an input."""


@dataclass(slots=True, eq=False)
class Return:
    """A seat that waits for the rest of its owner's registration."""

    door: Door
    credentials: SeatCredentials
    hands: int
    decided: int
    """Choices of the replay that are decided already."""
    client: Client | None = None
    """Who is told what he missed."""


@dataclass(slots=True, eq=False)
class Newcomer:
    """Somebody who registers for an open seat, or waits for the hand's end to have it."""

    door: Door
    player: int
    client: Client
    process_id: int = -1


class Door:
    """Gives seats of a table that plays."""

    def __init__(
        self,
        game_number: int,
        table: Table,
        company: Company,
        host: TableOfDoor,
        issue: Issue,
        replays: trio.Lock,
    ) -> None:
        """``replays`` has whoever tells a client what it missed, for a few steps."""
        self._game_number = game_number
        self._table = table
        self._company = company
        self._host = host
        self._issue = issue
        self._replays = replays
        self._returns: list[Return | None] = [None] * 4
        self._newcomers: dict[int, Newcomer] = {}

    # Coming back (SocketSpec.md section 5.6)

    def claim(self, credentials: SeatCredentials, hands: int) -> Return:
        """The seat of these credentials, which are genuine; its connection is closed.

        Raises Refused.
        """
        player = credentials.player
        past = self._table.past
        seat = self._company.seats[player]
        if seat.kind is not Kind.CLIENT or seat.process_id != credentials.process_id:
            raise Refused(Refusal.NO_SUCH_GAME)
        scored = past.hands_scored(player)
        if not -1 <= hands <= scored:
            raise Refused(Refusal.NO_SUCH_GAME, f"{scored} hands are scored, not {hands}")
        if self._host.is_over and not self._table.is_complete:
            raise Refused(Refusal.TABLE_TAKEN, "the table has ended")
        earlier = self._returns[player]
        for client in (self._company.client(player), earlier.client if earlier else None):
            if client is not None and not client.gone:
                client.drop("its player comes back on another connection")
                client.outcome = ConnectionEnd.REPLACED
        self._company.empty(player)
        claimed = Return(self, credentials, hands, past.decided(player, hands))
        self._returns[player] = claimed
        return claimed

    async def come_back(self, claimed: Return, client: Client) -> bool:
        """Tell a client what it missed, and let it play on; False if it ended meanwhile.

        Raises Refused.
        """
        credentials = claimed.credentials
        player, hands = credentials.player, claimed.hands
        if self._returns[player] is not claimed:
            raise Refused(
                Refusal.TOO_MANY_FROM_ADDRESS, "the seat was claimed on another connection"
            )
        claimed.client = client
        past, link = self._table.past, client.link
        chair = self._company.chair(player, client, past.standing(player, hands))
        link.write(self._company.welcome(chair, credentials))
        if isinstance(chair, DealerSeat):
            link.write(chair.replay(True))
        link.write(chair.tell(GameBegun(past.setting(player, hands))))
        await tell_missed(client, chair, past.replay_steps(player, hands), self._replays)
        # From here on nothing else runs until the client has its seat.
        if link.ending:
            return False
        if isinstance(chair, DealerSeat):
            link.write(chair.replay(False))
        self._returns[player] = None
        log.info("came-back", game=self._game_number, player=player, address=client.who)
        if self._host.is_over:
            client.link.end()
            return True
        if self._table.is_deciding(player):
            chair.made_before()
        self._sit(player, client, chair)
        self._host.give(CameBack(player))
        if isinstance(chair, DealerSeat):
            self._ask_again(player, client, chair)
        return True

    def _ask_again(self, player: int, client: Client, dealer: DealerSeat) -> None:
        self._host.give(CaughtUp(player))
        asked = self._table.open_question(player, trio.current_time())
        # What followed from his return may have asked him already.
        if asked is not None and not dealer.has_caught_up and not self._host.is_over:
            client.say(dealer.ask(asked))

    # Taking an open seat (SocketSpec.md section 14.8)

    @property
    def open_seats(self) -> list[int]:
        """The seats that somebody could register for."""
        return [
            player
            for player, seat in enumerate(self._table.seats)
            if seat.open and player not in self._newcomers
        ]

    def hold(self, client: Client) -> Newcomer:
        """Keep an open seat for a client that registers. Raises Refused."""
        seats = self.open_seats
        if not seats or self._host.is_over:
            raise Refused(Refusal.TABLE_TAKEN)
        newcomer = self._newcomers[seats[0]] = Newcomer(self, seats[0], client)
        return newcomer

    def register(self, newcomer: Newcomer, name: str, process_id: int) -> None:
        """A newcomer is registered, and has the seat when the hand is over. Raises Refused."""
        if self._newcomers.get(newcomer.player) is not newcomer or self._host.is_over:
            raise Refused(Refusal.TABLE_TAKEN)
        newcomer.process_id = process_id
        self._host.give(TakeSeat(newcomer.player, name, process_id))

    def leave(self, newcomer: Newcomer) -> None:
        """A newcomer is gone, if he has no seat yet."""
        player = newcomer.player
        if self._newcomers.get(player) is newcomer:
            del self._newcomers[player]
            if newcomer.process_id >= 0:
                self._host.give(LeaveSeat(player))

    def seat_newcomer(self, player: int) -> None:
        """The seat is his now; it was stored as his, so he has left it if he is gone."""
        newcomer = self._newcomers.pop(player, None)
        if newcomer is None:
            self._host.give(Left(player))
            return
        client, past = newcomer.client, self._table.past
        chair = self._company.chair(player, client, past.standing(player, 0))
        credentials = self._issue(player, newcomer.process_id)
        log.info("seat-taken", game=self._game_number, player=player, address=client.who)
        client.link.write(self._company.welcome(chair, credentials))
        client.link.write(chair.tell(GameBegun(self._table.setting)))
        self._sit(player, client, chair)

    def _sit(self, player: int, client: Client, chair: ClientSeat) -> None:
        self._company.sit(player, client, chair, self._host.give)
        able = able_of(player, client)
        if able is not None:
            self._host.give(able)

    def close(self, refused: Refused) -> None:
        """The table is over: nobody gets a seat any more."""
        newcomers = list(self._newcomers.values())
        self._newcomers.clear()
        for newcomer in newcomers:
            if newcomer.process_id >= 0:
                newcomer.client.refuse(refused)


def able_of(player: int, client: Client) -> Input | None:
    """What a client can do beside playing; None for nothing."""
    if client.dealer is None:
        return None
    said = client.introduced
    return Able(player, votes=True, wants_to_cut=said is not None and said.wants_to_cut)
