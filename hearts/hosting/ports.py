"""Ports of a table's host to the outside: clients' seats, links, a clock, a log, counters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Protocol

from hearts.dealer.public_table import PublicTable
from hearts.errors import Reason
from hearts.game.view import View
from hearts.session.table_words import Beside, Given, Introduced, PlayerInfo
from hearts.table.effects import Ask, Effect, SessionTotals, TableEvent
from hearts.table.inputs import Choice, Input, Question
from hearts.wire.credentials import SeatCredentials

Give = Callable[[Input | Introduced], None]


class Receiver(Protocol):
    """Takes the bytes of a client from its Process ID on: a player's or a watcher's."""

    early: bytes
    idle: int
    """Frames that nobody waited for, since it was set to 0."""
    follows: bool
    """True if the client has asked to be told of its table."""
    pieces: int
    """Pieces that bytes came in which brought nothing that was due."""

    @property
    def player(self) -> int:
        """0-3; 4 for a watcher."""

    @property
    def asked(self) -> bool:
        """True if the client's bytes matter now."""

    @property
    def speaks_dealer(self) -> bool:
        """True if the dialect has words for more than the game."""

    def receive(self, data: bytes) -> Sequence[Given]:
        """Return the inputs that the bytes amount to. Raises RemoteProtocolError."""

    def take_replies(self) -> bytes:
        """Take the bytes that are to be written at once for what was just received."""

    def beside(self, told: Beside, /) -> bytes:
        """Return the bytes of something beside the game."""


class ClientSeat(Receiver, Protocol):
    """The seat of a client. An event for which its dialect has no words gives no bytes."""

    player: int
    """0-3; another one only while the table is forming."""

    # Beside the game

    def share(self, public: PublicTable) -> None:
        """Go by the public side of the table, from the first event on."""

    def stand(self, standing: SessionTotals) -> None:
        """Learn where the players stand at the first event, which begins a game under way."""

    def welcome(
        self, credentials: SeatCredentials, table_name: str, infos: Sequence[PlayerInfo]
    ) -> bytes:
        """Return the bytes that begin a session, whose table has its players."""

    def seats_changed(self, computers: frozenset[int]) -> None:
        """Learn which players are computers now."""

    # The game

    def encode_event(self, event: TableEvent) -> bytes:
        """Return the bytes of an event. Raises RemoteProtocolError."""

    def ask(self, asked: Ask) -> bytes:
        """Return the bytes of a question."""

    def refuse(self, reason: Reason) -> bytes:
        """Return the bytes that say that a choice is not legal."""

    @property
    def has_caught_up(self) -> bool:
        """True if the client owes nothing earlier than the open choice."""

    # Coming back

    def recall(self, missed: TableEvent | Question) -> bytes:
        """Return the bytes of an event or question from the time when the client was away."""

    @property
    def owes_recalled_choice(self) -> bool:
        """True if the client owes a choice that what is recalled next decides."""

    def made_before(self) -> None:
        """Note that the open choice was made over a connection that is lost."""


Clock = Callable[[], float]
"""Seconds that only go forward, from any begin."""


class PeerLink(Protocol):
    """A connection. It takes bytes at once, and never waits for its peer."""

    ending: bool
    """True if nothing more is read from or written to the peer."""

    def write(self, data: bytes) -> None:
        """Collect bytes for the next :meth:`flush`."""

    def flush(self) -> None:
        """Send what was collected."""

    @property
    def backlog(self) -> int:
        """Bytes that the peer has not taken yet."""

    def allow(self, size: int) -> None:
        """Let so many more bytes wait for the peer."""

    def rest(self, *, talks: bool) -> None:
        """Read nothing until :meth:`catch_up`; if the peer ``talks``, what it says is read soon."""

    def catch_up(self) -> bytes:
        """Read again; return the bytes that arrived while reading rested."""

    def quick_ack(self) -> None:
        """Let the peer's next small write leave at once."""

    def end(self) -> None:
        """Send what is left, and end in order."""


class Log(Protocol):
    """Takes events with their values."""

    def info(self, event: str, /, **values: object) -> None:
        """Log something that happened."""

    def exception(self, event: str, /, **values: object) -> None:
        """Log an error of ours that is being handled."""


class StrictLog:
    """Keeps nothing; an error of ours ends the program."""

    def info(self, event: str, /, **values: object) -> None:
        pass

    def exception(self, event: str, /, **values: object) -> None:
        raise


class Umpire(Protocol):
    """Takes the inputs of a table in its place, to count its choices or to give it another end.

    What it does not know better it leaves to the table. A table is an umpire of its own.
    """

    @property
    def is_complete(self) -> bool:
        """True if the session ended as it should, because the players wanted no more."""

    def step(self, given: Input, now: float, /) -> Sequence[Effect]:
        """Take one input; return the effects that follow, in order."""


class Thinker(Protocol):
    """Thinks about choices for longer than a table can wait, somewhere else."""

    def think(
        self, question: Question, view: View, answered: Callable[[Choice | None], None], /
    ) -> float | None:
        """Think about the choice of a computer; return the seconds to wait for the answer.

        None if there is too much to think about already. ``answered`` is called later, never from
        here, and at most once: with the choice, or with None if there is none to come.
        """


class TableCounts:
    """Counts what happens at tables; this one counts nothing."""

    def count_stored(self, line: str, seconds: float) -> None:
        """Count a line that is durable so long after it was to be stored."""

    def count_illegal(self, reason: Reason) -> None:
        """Count a choice that was not legal."""

    def count_game(self, people: Sequence[str]) -> None:
        """Count a game that is over; ``people`` are the names of players who are there."""

    def count_failure(self) -> None:
        """Count an error of ours that has ended a table."""


class Alarm(Protocol):
    """Wakes the table: its owner calls ``wake`` when the deadline is reached."""

    deadline: float


class NoAlarm:
    """An alarm for a table that nobody runs yet."""

    def __init__(self) -> None:
        self.deadline = inf
