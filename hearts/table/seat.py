"""A seat of a table: who sits there, what it was asked, and until when it may answer.

SocketSpec.md section 5 has the clocks.
"""

from __future__ import annotations

from enum import Enum
from math import inf

from msgspec import Struct

from hearts.game.events import ChosenBy

from .inputs import Question, Setting

MAX_TRIES = 10
"""The illegal try for one choice at which the server decides."""
OWING_LIMITS = 1
"""A clock starts at the latest after so many limits, whatever the client still owes."""
LOST_LIMITS = 2
"""Limits that the table loses to the clock, at most, for one player in one hand."""
HURRIED_LIMIT = 3.0
"""Seconds for a choice of a player for whom they are lost, and of whom something was heard."""
MOST_UNCUT = 2
"""Cuts in a row that a client does not answer before it is asked for none any more."""

COMPUTER_NAMES = ("Moe", "Larry", "Curly", "Shemp")
CUT_LIMIT = 5.0
"""Seconds to cut a deal, if the turn limit is not less."""


class Kind(Enum):
    """What a seat was taken by."""

    CLIENT = "client"
    COMPUTER = "computer"


class Request(Struct):
    """A choice that a seat was asked for."""

    number: int
    question: Question
    legal: int
    """The cards that may be played, as a mask; 0 if no card is asked for."""
    owing: bool
    """Whether the client still owes something earlier, so that its clock has not begun."""
    limit: float
    """Seconds to choose in, from the moment at which the clock begins."""
    asked_at: float
    latest: float
    """The latest time that the deadline can have, whatever the client does."""
    deadline: float
    pending: bool = False
    """Whether the choice is made, and waits to be durable."""
    tries: int = 0
    bot: ChosenBy | None = None
    """As whom a bot was asked to choose."""

    @property
    def is_unanswered(self) -> bool:
        """Whether the player may still answer, so that the clock runs."""
        return not self.pending and self.bot is None

    def shift(self, seconds: float) -> None:
        """So much time has passed that does not count."""
        self.asked_at += seconds
        self.latest += seconds
        self.deadline += seconds


class Seat:
    """One of the four seats."""

    __slots__ = (
        "connected",
        "gone_at",
        "is_absent",
        "is_out",
        "is_removed",
        "keeps_seat",
        "kind",
        "name",
        "open",
        "patience",
        "request",
        "self_made",
        "silent",
        "uncut",
        "votes",
        "wants_to_cut",
    )

    def __init__(self, name: str, kind: Kind) -> None:
        self.name = name
        self.kind = kind
        self.votes = False
        """Whether the client that is there can be asked about other rules, and for its seat."""
        self.wants_to_cut = False
        """Whether it wants to cut each deal."""
        self.keeps_seat = False
        """Whether its player was asked in this game to give it up, and has not."""
        self.open = False
        """Whether a computer's seat is open for a person."""
        self.connected = kind is Kind.CLIENT
        """Whether a client has the seat, and is there."""
        self.gone_at: float | None = None
        """When the client's connection was lost."""
        self.patience = inf
        """Seconds that the table waits for the clock in this hand still."""
        self.silent = False
        """Whether a bot plays until something is heard of the player."""
        self.is_out = False
        """Whether a bot plays until the hand is over, whatever is heard of him."""
        self.is_removed = False
        """Whether the host has taken the player from the table; a computer follows."""
        self.is_absent = False
        """Whether the limits of a hand were lost, and nothing has shown since that he is there.

        A choice that is late shows nothing: programs send it by themselves (5.2).
        """
        self.uncut = 0
        """Cuts in a row that it was asked for and did not answer."""
        self.self_made = False
        """Whether the latest choice was the player's own."""
        self.request: Request | None = None

    @property
    def is_cutter(self) -> bool:
        """Whether its client is asked for a cut of the next deal."""
        return self.wants_to_cut and self.connected and self.uncut < MOST_UNCUT

    @property
    def stand_in(self) -> bool:
        """Whether a bot plays for the client, which is gone or does not answer."""
        return self.silent or self.is_out

    @property
    def is_played_for(self) -> bool:
        """Whether the others are told so: also while it has a short limit now and then."""
        return self.silent or self.is_out or self.is_absent

    @property
    def bot(self) -> ChosenBy | None:
        """As whom a bot plays this seat now; None if its client does."""
        if self.kind is Kind.COMPUTER:
            return ChosenBy.COMPUTER
        return ChosenBy.STAND_IN if self.silent or self.is_out else None

    def begin_hand(self, setting: Setting) -> None:
        """The clock may take so much in this hand, whatever it took in the one before."""
        self.patience = 0.0 if self.is_absent else LOST_LIMITS * (setting.turn_limit or inf)
        self.is_out = False

    def ask(
        self, number: int, question: Question, legal: int, setting: Setting, now: float
    ) -> Request:
        """Open a request and set its deadline."""
        turn_limit = setting.turn_limit or inf
        patience = self.patience or min(turn_limit, HURRIED_LIMIT)
        limit = min(turn_limit, patience)
        latest = now + min(patience, (1 + OWING_LIMITS) * turn_limit)
        owing = self.connected
        request = Request(number, question, legal, owing, limit, now, latest, latest)
        self.request = request
        if not owing:
            self.start_clock(request, setting, now)
        return request

    def ask_for_cut(self, number: int, setting: Setting, now: float) -> Request:
        """Open a request for a cut; a client that is gone has its grace period to come for it."""
        limit = min(setting.turn_limit or inf, CUT_LIMIT)
        deadline = now + limit if self.gone_at is None else self.gone_at + setting.grace
        latest = deadline + limit
        self.request = Request(number, Question.CUT, 0, False, limit, now, latest, deadline)
        return self.request

    def start_clock(self, request: Request, setting: Setting, now: float) -> None:
        """The client owes nothing earlier than what it is asked for."""
        request.owing = False
        request.deadline = min(request.latest, now + request.limit)
        if self.gone_at is not None:
            request.deadline = min(request.deadline, self.gone_at + setting.grace)

    def lose(self, request: Request) -> None:
        """The clock has decided; a bot plays from now on if the table has waited enough."""
        self.self_made = False
        if self.patience:
            # Deadlines are sums of seconds: what is left of them below this is their rounding.
            left = self.patience - (request.deadline - request.asked_at)
            self.patience = left if left > 0.001 else 0.0
            self.is_absent = self.is_absent or not self.patience
        else:
            self.is_out = True
        self.silent = self.silent or not self.patience

    def leave(self, setting: Setting, now: float) -> None:
        """The connection is gone: nothing is owed any more, and the grace period begins."""
        self.gone_at = now
        self.connected = False
        if self.wants_to_cut and self.request is not None and self.request.question is Question.CUT:
            self.uncut += 1
        self.votes = self.wants_to_cut = False
        request = self.request
        if request is not None:
            if request.owing:
                self.start_clock(request, setting, now)
            request.deadline = min(request.deadline, now + setting.grace)

    def remove(self) -> None:
        """The player is gone for good: a bot plays at once, and nobody waits for him."""
        self.is_removed = self.silent = True
        self.gone_at = -inf

    def stood_still(self, seconds: float) -> None:
        """So much time has passed that does not count, whoever has the seat."""
        if self.gone_at is not None:
            self.gone_at += seconds
        if self.request is not None:
            self.request.shift(seconds)

    def come_back(self, now: float) -> None:
        """The connection is there again; the clock of an open request begins anew.

        What the table has waited for that request counts as before.
        """
        self.gone_at = None
        self.connected = True
        self.silent = self.is_absent = False
        request = self.request
        if request is None or request.pending:
            return
        if request.question is Question.CUT:
            request.deadline = min(request.latest, now + request.limit)
        else:
            request.owing = True
            request.deadline = request.latest

    def remember(self, by: ChosenBy, setting: Setting) -> None:
        """A choice of this seat is read back from the store."""
        if by is ChosenBy.COMPUTER:
            return  # It says nothing of a player who is there: the rest of the hand was claimed.
        if self.is_removed:
            return  # It was on its way when he was removed.
        self.self_made = by is ChosenBy.PLAYER
        self.silent = by is ChosenBy.STAND_IN
        self.is_absent = self.is_absent and not self.self_made
        if by is ChosenBy.CLOCK and setting.turn_limit:
            # How long it took is not stored; it was one limit if nothing was owed.
            self.patience = max(0.0, self.patience - setting.turn_limit)
            self.silent = not self.patience
            self.is_absent = self.is_absent or self.silent

    def out_of_grace(self, setting: Setting, now: float) -> bool:
        """Whether a stand-in is to play from now on."""
        return self.gone_at is not None and now >= self.gone_at + setting.grace
