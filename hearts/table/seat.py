"""A seat of a table: who sits there, what it was asked, and until when it may answer.

SocketSpec.md section 5 has the clocks.
"""

from __future__ import annotations

from enum import Enum
from math import inf

from hearts.events import By

from .messages import Question, Setting

MAX_TRIES = 10
"""The illegal try for one choice at which the server decides."""
MISSES_BEFORE_HURRY = 2
HURRIED_LIMIT = 3.0
"""Seconds for a choice of a player who missed two in a row."""
OWING_LIMITS = 2
"""A clock starts at the latest after so many limits, whatever the client still owes."""


COMPUTER_NAMES = ("Moe", "Larry", "Curly", "Shemp")
CUT_LIMIT = 5.0
"""Seconds to cut a deal, where the turn limit is not less."""


class Kind(Enum):
    """What a seat was taken by."""

    CLIENT = "client"
    COMPUTER = "computer"


class Request:
    """A choice that a seat was asked for."""

    __slots__ = (
        "bot",
        "deadline",
        "limit",
        "number",
        "owing",
        "pending",
        "question",
        "refreshed",
        "tries",
    )

    def __init__(
        self, number: int, question: Question, owing: bool, limit: float, deadline: float
    ) -> None:
        self.number = number
        self.question = question
        self.limit = limit
        """Seconds to choose in, from where the clock begins."""
        self.owing = owing
        """Whether the client still owes something earlier, so that its clock has not begun."""
        self.deadline = deadline
        self.pending = False
        """Whether the choice is made, and waits to be durable."""
        self.tries = 0
        self.bot: By | None = None
        """As whom a bot was asked to choose."""
        self.refreshed = False
        """Whether the clock began anew for a player who came back."""

    @property
    def open(self) -> bool:
        """Whether the clock runs."""
        return not self.pending and self.bot is None


class Seat:
    """One of the four seats."""

    __slots__ = (
        "cuts",
        "gone_at",
        "kind",
        "misses",
        "name",
        "open",
        "request",
        "self_made",
        "stand_in",
        "votes",
    )

    def __init__(self, name: str, kind: Kind) -> None:
        self.name = name
        self.kind = kind
        self.votes = False
        """Whether the client that is there can be asked about other rules."""
        self.cuts = False
        """Whether it wants to cut each deal."""
        self.open = False
        """Whether a computer's seat is open for a person."""
        self.gone_at: float | None = None
        """When the client's connection was lost."""
        self.stand_in = False
        """Whether a bot plays for the client that is gone."""
        self.misses = 0
        """Choices in a row that the clock made."""
        self.self_made = False
        """Whether the latest choice was the player's own."""
        self.request: Request | None = None

    @property
    def connected(self) -> bool:
        return self.kind is Kind.CLIENT and self.gone_at is None

    @property
    def bot(self) -> By | None:
        """As whom a bot plays this seat now; None where the client does."""
        if self.kind is Kind.COMPUTER:
            return By.COMPUTER
        return By.STAND_IN if self.stand_in else None

    def limit(self, setting: Setting, question: Question) -> float:
        """Seconds that the player has now for a choice."""
        limit = setting.turn_limit or inf
        if question is Question.CUT:
            return min(limit, CUT_LIMIT)
        return min(limit, HURRIED_LIMIT) if self.misses >= MISSES_BEFORE_HURRY else limit

    def ask(self, number: int, question: Question, setting: Setting, now: float) -> Request:
        """Open a request and set its deadline."""
        limit = self.limit(setting, question)
        deadline = now + limit
        if self.connected:
            deadline += OWING_LIMITS * limit
        elif self.gone_at is not None:
            deadline = min(deadline, self.gone_at + setting.grace)
        self.request = Request(number, question, self.connected, limit, deadline)
        return self.request

    def caught_up(self, setting: Setting, now: float) -> None:
        """Start the clock of the open request, if it has not begun."""
        request = self.request
        if request is not None and request.owing:
            request.owing = False
            request.deadline = min(request.deadline, now + self.limit(setting, request.question))

    def came_late(self, setting: Setting, now: float) -> None:
        """A late choice arrived: the full limit holds again, for an open request as well."""
        self.misses = 0
        request = self.request
        if request is not None and request.owing:
            request.deadline = now + (1 + OWING_LIMITS) * self.limit(setting, request.question)

    def leave(self, setting: Setting, now: float) -> None:
        """The connection is gone: nothing is owed any more, and the grace period begins."""
        self.gone_at = now
        self.votes = self.cuts = False
        self.caught_up(setting, now)
        if self.request is not None:
            self.request.deadline = min(self.request.deadline, now + setting.grace)

    def shift(self, seconds: float) -> None:
        """So much time has passed that does not count for a seat whose client is gone."""
        if self.gone_at is not None:
            self.gone_at += seconds
            if self.request is not None:
                self.request.deadline += seconds

    def stood_still(self, seconds: float) -> None:
        """So much time has passed that does not count, whoever has the seat."""
        if self.gone_at is not None:
            self.gone_at += seconds
        if self.request is not None:
            self.request.deadline += seconds

    def come_back(self, setting: Setting, now: float) -> None:
        """The connection is there again; the clock of an open request begins anew, once."""
        self.gone_at = None
        self.stand_in = False
        self.misses = 0
        request = self.request
        if request is None or request.pending:
            return
        request.owing = not request.refreshed
        if not request.refreshed:
            request.refreshed = True
            request.deadline = now + (1 + OWING_LIMITS) * self.limit(setting, request.question)

    def remember(self, by: By) -> None:
        """A choice of this seat is read back from where it was stored."""
        self.self_made = by is By.PLAYER
        self.stand_in = by is By.STAND_IN
        self.misses = self.misses + 1 if by is By.CLOCK else 0

    def out_of_grace(self, setting: Setting, now: float) -> bool:
        """Whether a stand-in is to play from now on."""
        return self.gone_at is not None and now >= self.gone_at + setting.grace
