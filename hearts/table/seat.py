"""A seat of a table: its player, its open question, and the deadline of the answer.

SocketSpec.md section 5 has the clocks.
"""

from __future__ import annotations

from enum import Enum
from math import inf
from typing import Final

from msgspec import Struct

from hearts.game.events import BY_COMPUTER, ChosenBy

from .inputs import Question, Setting

MAX_TRIES = 10
"""The illegal try for one choice at which the server decides."""
RETURN_TIME = 5.0
"""Extra seconds for a choice if its player has come back in the middle of it."""
REPLAY_LIMIT = 30.0
"""Seconds that a client may owe what it owes for what it missed, before that time begins."""
GRACES_IN_GAME = 3
"""Grace periods after which somebody who is away has none any more until the game ends."""
COMPUTER_NAMES = ("Moe", "Larry", "Curly", "Shemp")

OWING_LIMITS = 1
"""A clock starts at the latest after so many limits, whatever the client still owes."""
LOST_LIMITS = 2
"""The most time limits in one hand that the table waits out in vain for one player."""
HURRIED_LIMIT = 3.0
"""Seconds for a choice of a player who has used up LOST_LIMITS and of whom something was heard."""

FREE_PART = 3
"""For each choice, the limit divided by this is free: it is not taken from the bank."""
BANK_LIMITS = 4
"""Limits in the bank of a hand."""
LEAST_BANK = 120.0
"""Seconds in it, at least."""
LEAST_LIMIT = 8.0
"""Seconds for a choice with an empty bank, at least, if the turn limit is not less."""

_ROUNDING = 0.001
"""Deadlines are sums of seconds: what is left of a bank below this is their rounding."""


class Kind(Enum):
    """The kinds of player in a seat."""

    CLIENT = "client"
    COMPUTER = "computer"


_COMPUTER: Final = Kind.COMPUTER  # To ask the Enum takes a call; see hearts/README.md.


class TimeAccount(Struct):
    """The seconds that a player has in one hand, for each choice and for all together."""

    turn_limit: float
    """Seconds for a choice; inf for no clock."""
    patience: float
    """Seconds that the table waits for choices that the clock makes in the end."""
    bank: float
    """Seconds for what takes longer than :attr:`free`; inf if that is not counted."""
    free: float
    """Seconds of each choice that are taken from no bank; inf if there is none."""
    longest: float = 0.0
    """Seconds from a question to its decision, at most, whatever the client still owes."""

    @classmethod
    def open(cls, turn_limit: int, lost_limits: float, *, has_bank: bool) -> TimeAccount:
        """Open the account of a hand; ``turn_limit`` is 0 for no clock."""
        limit = turn_limit or inf
        bank = max(BANK_LIMITS * limit, LEAST_BANK) if has_bank else inf
        free = limit / FREE_PART if has_bank else inf
        return cls(limit, lost_limits * limit if lost_limits else 0.0, bank, free)

    def __post_init__(self) -> None:
        turn_limit = self.turn_limit
        self.longest = min(
            self.patience or min(turn_limit, HURRIED_LIMIT),
            (1 + OWING_LIMITS) * turn_limit,
            max(self.free + self.bank, min(turn_limit, LEAST_LIMIT)),
        )

    def after(self, seconds: float) -> tuple[float, float]:
        """Give what is left of :attr:`free` and of the bank after some seconds of a choice."""
        return max(self.free - seconds, 0.0), _left(self.bank, seconds - self.free)

    def take(self, seconds: float) -> None:
        """Take the seconds of a choice from the bank."""
        _, self.bank = self.after(seconds)
        self.__post_init__()

    def lose(self, seconds: float) -> None:
        """Take the seconds of a choice that the clock makes now."""
        self.patience = _left(self.patience, seconds)
        self.take(seconds)


def _left(seconds: float, taken: float) -> float:
    left = seconds - max(taken, 0.0)
    return left if left > _ROUNDING else 0.0


class Request(Struct, gc=False):
    """A choice that a seat was asked for."""

    number: int
    question: Question
    legal: int
    """The cards that may be played, as a mask; 0 if no card is asked for."""
    owing: bool
    """True if the client still owes something earlier, so that its clock has not begun."""
    limit: float
    """Seconds to choose in, from the moment at which the clock begins."""
    asked_at: float
    """The time from which its seconds are taken from the account."""
    latest: float
    """The latest time at which the clock can end, whatever the client does."""
    ends: float
    """The time at which the clock ends, or would at the latest while the client owes something."""
    deadline: float
    """That, or the end of the grace period if it comes before."""
    is_extended: bool = False
    """True if its player has come back in the middle of it, and has had more time for that."""
    pending: bool = False
    """True if the choice is made, and waits to be durable."""
    tries: int = 0
    bot: ChosenBy | None = None
    """The role in which a bot was asked to choose; None if no bot was asked."""
    is_for_hash: bool = False
    """True if nothing is asked: the promise waits until the client has said whether it cuts."""

    @property
    def is_unanswered(self) -> bool:
        """Tell whether the player may still answer, so that the clock runs."""
        return not self.pending and self.bot is None

    def shift(self, seconds: float) -> None:
        """Postpone its times by seconds that do not count."""
        self.asked_at += seconds
        self.latest += seconds
        self.ends += seconds
        self.deadline += seconds


class Seat:
    """One of the four seats."""

    def __init__(self, name: str, kind: Kind) -> None:
        self.name = name
        self.kind = kind
        self.votes = False
        """True if the client that is there can be asked about other rules, and for its seat."""
        self.used_hash = b""
        """The hash of its value in the latest promise; it holds for no other one."""
        self.next_hash: bytes | None = b""
        """The hash of its value for the next promise; empty if it does not cut, and None if it has
        not said so yet."""
        self.keeps_seat = False
        """True if its player was asked in this game to give it up, and has not."""
        self.open = False
        """True if a computer's seat is open for a person."""
        self.connected = kind is Kind.CLIENT
        """True if a client has the seat, and is there."""
        self.gone_at: float | None = None
        """The time at which the client's connection was lost."""
        self.absence = 0.0
        """Seconds that the client was away in this game before."""
        self.account = TimeAccount(inf, inf, inf, inf)
        """The time that the player has in this hand."""
        self.silent = False
        """True if a bot plays until something is heard of the player."""
        self.is_out = False
        """True if a bot plays until the hand is over, whatever is heard of the player."""
        self.skips_pass = False
        """True if a bot passes in this hand, because the player showed no value for its deal."""
        self.is_removed = False
        """True if the host has taken the player from the table; a computer follows."""
        self.is_absent = False
        """True if the limits of a hand were lost, and nothing has shown the player since.

        A choice that is late shows nothing: programs send it by themselves (5.2).
        """
        self.self_made = False
        """True if the latest choice was the player's own."""
        self.request: Request | None = None

    @property
    def stand_in(self) -> bool:
        """Tell whether a bot plays for the client, which is gone or does not answer."""
        return self.silent or self.is_out

    @property
    def is_played_for(self) -> bool:
        """Tell whether the others see the seat as played by a bot, also while it has a short
        limit.
        """
        return self.silent or self.is_out or self.is_absent or self.skips_pass

    def bot_for(self, question: Question) -> ChosenBy | None:
        """Return the role in which a bot answers a question to this seat now; None if its client
        does.
        """
        if self.kind is _COMPUTER:
            return BY_COMPUTER
        skips = self.skips_pass and question is Question.PASS
        return ChosenBy.STAND_IN if self.silent or self.is_out or skips else None

    def begin_game(self) -> None:
        """Allow requests for the seat again, and begin the player's grace time of a game anew."""
        self.keeps_seat = False
        self.absence = 0.0

    def begin_hand(self, turn_limit: int, lost_limits: float, *, has_bank: bool) -> None:
        """Open the account of a hand, whatever the one before it has taken."""
        lost_limits = 0.0 if self.is_absent else lost_limits
        self.account = TimeAccount.open(turn_limit, lost_limits, has_bank=has_bank)
        self.is_out = self.skips_pass = False

    def start_clock(self, request: Request, setting: Setting, now: float) -> None:
        """Begin the clock of a request, because the client owes nothing earlier."""
        request.owing = False
        request.ends = request.deadline = min(request.latest, now + request.limit)
        if self.gone_at is not None:
            request.deadline = min(request.deadline, self.grace_ends(setting))

    def take(self, request: Request, now: float) -> None:
        """Take the time of a request, because the player has chosen or has tried too often."""
        seconds = now - request.asked_at
        if seconds > self.account.free and request.is_unanswered:
            self.account.take(seconds)

    def lose(self, request: Request) -> None:
        """Let the clock decide; a bot plays from now on if the table has waited enough."""
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
        """Begin the grace period of a client that is gone, and owes nothing any more."""
        self.gone_at = now
        self.connected = False
        self.votes = False
        request = self.request
        if request is not None:
            if request.owing:
                self.start_clock(request, setting, now)
            until = request.latest if request.is_for_hash else request.deadline
            request.deadline = min(until, self.grace_ends(setting))

    def stood_still(self, seconds: float) -> None:
        """Postpone all times by seconds that do not count."""
        if self.gone_at is not None:
            self.gone_at += seconds
        if self.request is not None:
            self.request.shift(seconds)

    def come_back(self, now: float) -> None:
        """Let the clock of an open request go on, because the client is there again.

        Once for each request it is stopped as long as the client owes something of what it missed,
        and has a little more, unless the table has waited for the player enough.
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
        """Note who made a choice of this seat that is read back from the store."""
        if by is ChosenBy.COMPUTER:
            return  # It says nothing of a player who is there: the rest of the hand was claimed.
        if self.is_removed:
            return  # It was on its way when the player was removed.
        self.self_made = by is ChosenBy.PLAYER
        self.silent = by is ChosenBy.STAND_IN
        self.is_absent = self.is_absent and not self.self_made
        if by is ChosenBy.CLOCK and setting.limit:
            # How long it took is not stored; it was the limit if nothing was owed.
            account = self.account
            account.lose(min(account.turn_limit, account.longest))
            self.silent = not account.patience
            self.is_absent = self.is_absent or self.silent

    def out_of_grace(self, setting: Setting, now: float) -> bool:
        """Tell whether a client is away for longer than the others have to wait for it.

        A stand-in plays from then on, and the seat may be given away.
        """
        return self.gone_at is not None and now >= self.grace_ends(setting)

    def grace_ends(self, setting: Setting) -> float:
        """Return the time at which the grace period of a client who is away ends."""
        assert self.gone_at is not None
        grace = setting.grace
        return self.gone_at + min(grace, max(GRACES_IN_GAME * grace - self.absence, 0.0))
