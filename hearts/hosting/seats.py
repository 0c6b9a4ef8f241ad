"""What a seat can do, in whatever dialect its client speaks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from hearts.dealer.message import Message
from hearts.dealer.numbers import DealerState
from hearts.dealer.public_table import PublicTable
from hearts.dealer.requests import HostRequest
from hearts.dealer.seat import Introduced
from hearts.dealer.structures import PlayerInfo
from hearts.errors import Fault, Reason
from hearts.table import (
    Ask,
    Change,
    Decline,
    Input,
    Question,
    SessionTotals,
    TableEvent,
    Wish,
)
from hearts.wire.credentials import SeatCredentials

Given = Input | Introduced
"""What a client's bytes amount to."""
Give = Callable[[Given], None]


class Receiver(Protocol):
    """Takes the bytes of a client from its Process ID on: a player's or a watcher's."""

    early: bytes
    idle: int
    """Frames that nobody waited for, since it was set to 0."""
    follows: bool
    """Whether the client has asked to be told of its table."""
    pieces: int
    """Pieces that bytes came in which brought nothing that was due."""

    @property
    def player(self) -> int:
        """0-3; 4 for a watcher."""

    @property
    def asked(self) -> bool:
        """Whether the client's bytes matter now."""

    @property
    def has_words(self) -> bool:
        """Whether the dialect has words for more than the game."""

    def receive(self, data: bytes) -> Sequence[Given]:
        """What the bytes amount to. Raises RemoteProtocolError."""

    def take_replies(self) -> bytes:
        """What is to be written at once for what was just received."""

    def take_requests(self) -> Sequence[HostRequest]:
        """What was asked of the host; it is given out once."""

    def decline_request(self, request: HostRequest, fault: Fault) -> bytes:
        """The host cannot do that."""

    def say(self, message: Message) -> bytes:
        """The bytes of a message of the dealer dialect."""

    def notice(self, text: str) -> bytes:
        """Something in words."""

    def refused(self, code: int, why: str) -> bytes:
        """The registration ends here after all."""


class ClientSeat(Receiver, Protocol):
    """The seat of a client. What its dialect has no words for is no bytes."""

    player: int
    """0-3; another one only while the table is forming."""

    # Beside the game

    def share(self, public: PublicTable) -> None:
        """Go by the public side of the table, from the first event on."""

    def stand(self, standing: SessionTotals) -> None:
        """Where the players stand at the first event, which begins a game under way."""

    def forming(
        self, infos: Sequence[PlayerInfo], open_seats: int, waited_ms: int, left_ms: int
    ) -> bytes:
        """Who is at the table that is forming, and how long until computers take free seats."""

    def welcome(
        self, credentials: SeatCredentials, table_name: str, infos: Sequence[PlayerInfo]
    ) -> bytes:
        """The table has its players, and this is the session."""

    def seats_changed(self, computers: frozenset[int]) -> None:
        """These players are computers now."""

    def ask_for_host(self, query: Message) -> bytes:
        """The host asks something; the answer is a request to it."""

    def settle_for_host(self, query: type[Message]) -> None:
        """The host waits for the answer no more."""

    def change(self, change: Change, info: PlayerInfo) -> bytes:
        """Something has happened to a seat."""

    def waiting(self, state: DealerState, players: int, waited_ms: int, left_ms: int) -> bytes:
        """Who is waited for, as bits; ``left_ms`` is -1 for no limit."""

    def decline(self, declined: Decline) -> bytes:
        """A wish cannot be met."""

    def granted(self, wish: Wish) -> bytes:
        """A wish is met, now or when its time has come."""

    def abort(self, later: bool, why: str) -> bytes:
        """The table ends before the players are done; ``later`` if it can be come back to."""

    # The game

    def tell(self, event: TableEvent) -> bytes:
        """The bytes of an event. Raises RemoteProtocolError."""

    def ask(self, asked: Ask) -> bytes:
        """The bytes of a question."""

    def refuse(self, reason: Reason) -> bytes:
        """The bytes that say that a choice is not legal."""

    @property
    def has_caught_up(self) -> bool:
        """Whether the client owes nothing earlier than the open choice."""

    # Coming back

    def replay(self, begins: bool) -> bytes:
        """The past begins, or it is over."""

    def recall(self, missed: TableEvent | Question) -> bytes:
        """The bytes of what was told while the client was away."""

    @property
    def owes_recalled_choice(self) -> bool:
        """Whether the client owes a choice that what is recalled next decides."""

    def made_before(self) -> None:
        """The open choice was made over a connection that is lost."""
