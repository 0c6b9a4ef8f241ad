"""What a seat can do, in whatever dialect its client speaks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from hearts.dealer.public_table import PublicTable
from hearts.errors import Reason
from hearts.session.table_words import Beside, Given, Introduced, PlayerInfo
from hearts.table import Ask, Input, Question, SessionTotals, TableEvent
from hearts.wire.credentials import SeatCredentials

Give = Callable[[Input | Introduced], None]


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

    def beside(self, told: Beside, /) -> bytes:
        """The bytes of something beside the game."""


class ClientSeat(Receiver, Protocol):
    """The seat of a client. What its dialect has no words for is no bytes."""

    player: int
    """0-3; another one only while the table is forming."""

    # Beside the game

    def share(self, public: PublicTable) -> None:
        """Go by the public side of the table, from the first event on."""

    def stand(self, standing: SessionTotals) -> None:
        """Where the players stand at the first event, which begins a game under way."""

    def welcome(
        self, credentials: SeatCredentials, table_name: str, infos: Sequence[PlayerInfo]
    ) -> bytes:
        """The table has its players, and this is the session."""

    def seats_changed(self, computers: frozenset[int]) -> None:
        """These players are computers now."""

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

    def recall(self, missed: TableEvent | Question) -> bytes:
        """The bytes of what was told while the client was away."""

    @property
    def owes_recalled_choice(self) -> bool:
        """Whether the client owes a choice that what is recalled next decides."""

    def made_before(self) -> None:
        """The open choice was made over a connection that is lost."""
