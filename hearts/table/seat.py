"""A seat of a table: who sits there, what it was asked, and until when it may answer.

SocketSpec.md section 5 has the clocks.
"""

from __future__ import annotations

from enum import Enum
from math import inf

from msgspec import Struct

from hearts.game.events import ChosenBy

from .account import TimeAccount
from .inputs import Question, Setting

MAX_TRIES = 10
"""The illegal try for one choice at which the server decides."""
RETURN_TIME = 5.0
"""Seconds more for a choice in the middle of which its player has come back."""
REPLAY_LIMIT = 30.0
"""Seconds that a client may owe what it owes for what it missed, before that time begins."""
GRACES_IN_GAME = 3
"""Grace periods after which somebody who is away has none any more until the game ends."""
COMPUTER_NAMES = ("Moe", "Larry", "Curly", "Shemp")
HASH_LIMIT = 2.0
"""Seconds that a promise waits for a client that has just come to say whether it cuts."""


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
    """Since when its time is taken from the account."""
    latest: float
    """The latest time at which the clock can end, whatever the client does."""
    ends: float
    """When the clock ends, or would at the latest while the client still owes something."""
    deadline: float
    """That, or the end of the grace period if it comes before."""
    is_extended: bool = False
    """Whether its player has come back in the middle of it, and has had more time for that."""
    pending: bool = False
    """Whether the choice is made, and waits to be durable."""
    tries: int = 0
    bot: ChosenBy | None = None
    """As whom a bot was asked to choose."""
    is_for_hash: bool = False
    """Whether nothing is asked: the promise waits until the client has said whether it cuts."""

    @property
    def is_unanswered(self) -> bool:
        """Whether the player may still answer, so that the clock runs."""
        return not self.pending and self.bot is None

    def shift(self, seconds: float) -> None:
        """So much time has passed that does not count."""
        self.asked_at += seconds
        self.latest += seconds
        self.ends += seconds
        self.deadline += seconds


class Seat:
    """One of the four seats."""

    __slots__ = (
        "absence",
        "account",
        "connected",
        "gone_at",
        "is_absent",
        "is_out",
        "is_removed",
        "keeps_seat",
        "kind",
        "name",
        "next_hash",
        "open",
        "request",
        "self_made",
        "silent",
        "used_hash",
        "votes",
    )

    def __init__(self, name: str, kind: Kind) -> None:
        self.name = name
        self.kind = kind
        self.votes = False
        """Whether the client that is there can be asked about other rules, and for its seat."""
        self.used_hash = b""
        """The hash of its value in the latest promise; it holds for no other one."""
        self.next_hash: bytes | None = b""
        """The hash of its value for the next promise; empty if it does not cut, and None if it has
        not said so yet."""
        self.keeps_seat = False
        """Whether its player was asked in this game to give it up, and has not."""
        self.open = False
        """Whether a computer's seat is open for a person."""
        self.connected = kind is Kind.CLIENT
        """Whether a client has the seat, and is there."""
        self.gone_at: float | None = None
        """When the client's connection was lost."""
        self.absence = 0.0
        """Seconds that the client was away in this game before."""
        self.account = TimeAccount(inf, inf, inf, inf)
        """How long the table waits for its player in this hand."""
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
        self.self_made = False
        """Whether the latest choice was the player's own."""
        self.request: Request | None = None

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

    def begin_game(self) -> None:
        """In each game a player may be asked for his seat once, and may be away for so long."""
        self.keeps_seat = False
        self.absence = 0.0

    def begin_hand(self, setting: Setting, *, has_bank: bool) -> None:
        """A hand has an account of its own, whatever the one before it has taken."""
        self.account = TimeAccount.open(
            setting.turn_limit, is_absent=self.is_absent, has_bank=has_bank
        )
        self.is_out = False

    def ask(
        self, number: int, question: Question, legal: int, setting: Setting, now: float
    ) -> Request:
        """Open a request and set its deadline."""
        longest = self.account.longest
        limit = min(self.account.turn_limit, longest)
        latest = now + longest
        owing = self.connected
        request = Request(number, question, legal, owing, limit, now, latest, latest, latest)
        self.request = request
        if not owing:
            self.start_clock(request, setting, now)
        return request

    def wait_for_hash(self, number: int, setting: Setting, now: float) -> Request:
        """Open a request that a client settles by saying whether it cuts.

        A client that is gone has its grace period to come, or the turn limit if that is less.
        """
        away = min(setting.grace, setting.turn_limit or inf)
        ends = now + HASH_LIMIT if self.gone_at is None else self.gone_at + away
        latest = now + away + HASH_LIMIT
        self.request = Request(
            number, Question.CUT, 0, False, HASH_LIMIT, now, latest, ends, ends, is_for_hash=True
        )
        return self.request

    def start_clock(self, request: Request, setting: Setting, now: float) -> None:
        """The client owes nothing earlier than what it is asked for."""
        request.owing = False
        request.ends = request.deadline = min(request.latest, now + request.limit)
        if self.gone_at is not None:
            request.deadline = min(request.deadline, self.grace_ends(setting))

    def take(self, request: Request, now: float) -> None:
        """The player has chosen, or has tried too often."""
        if self.account.bank != inf and request.is_unanswered:
            self.account.take(now - request.asked_at)

    def lose(self, request: Request) -> None:
        """The clock has decided; a bot plays from now on if the table has waited enough."""
        self.self_made = False
        account = self.account
        if account.patience:
            account.lose(request.deadline - request.asked_at)
            # The player may be back before the bot has chosen, and be asked on.
            request.asked_at = request.deadline
            self.is_absent = self.is_absent or not account.patience
        else:
            self.is_out = True
        self.silent = self.silent or not account.patience

    def leave(self, setting: Setting, now: float) -> None:
        """The connection is gone: nothing is owed any more, and the grace period begins."""
        self.gone_at = now
        self.connected = False
        self.votes = False
        request = self.request
        if request is not None:
            if request.owing:
                self.start_clock(request, setting, now)
            until = request.latest if request.is_for_hash else request.deadline
            request.deadline = min(until, self.grace_ends(setting))

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
        """The connection is there again; the clock of an open request goes on where it stood.

        Once for each it is stopped as long as the client owes something of what it missed, and has
        a little more, unless the table has waited for the player enough.
        """
        if self.gone_at is not None:
            self.absence += now - self.gone_at
        self.gone_at = None
        self.connected = True
        self.silent = self.is_absent = False
        request, account = self.request, self.account
        if request is None or request.pending:
            return
        if request.is_for_hash:
            request.deadline = min(request.latest, now + request.limit)
        elif request.is_extended or not account.patience:
            request.deadline = request.ends
        else:
            request.is_extended = request.owing = True
            left = max(request.ends - now, 0.0)
            request.limit = min(left + RETURN_TIME, account.turn_limit)
            request.latest = now + request.limit + (REPLAY_LIMIT if account.bank else 0.0)
            request.ends = request.deadline = request.latest

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
            # How long it took is not stored; it was the limit if nothing was owed.
            account = self.account
            account.lose(min(account.turn_limit, account.longest))
            self.silent = not account.patience
            self.is_absent = self.is_absent or self.silent

    def out_of_grace(self, setting: Setting, now: float) -> bool:
        """Whether a stand-in is to play from now on, and the seat may be given away."""
        return self.gone_at is not None and now >= self.grace_ends(setting)

    def grace_ends(self, setting: Setting) -> float:
        """When the grace period of a client who is away ends."""
        assert self.gone_at is not None
        grace = setting.grace
        return self.gone_at + min(grace, max(GRACES_IN_GAME * grace - self.absence, 0.0))
