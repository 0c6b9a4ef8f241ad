"""What is to be said to the client: what the table says, as frames, in their order."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hearts.dealer.seat import Introduced
from hearts.dealer.structures import PlayerInfo
from hearts.errors import Reason
from hearts.table import (
    AgainSettled,
    Ask,
    Change,
    Decline,
    GameBegun,
    Question,
    RulesAgreed,
    TableEvent,
)
from hearts.wire.credentials import SeatCredentials
from hearts_conformance.checks import Check
from hearts_conformance.hall.host import Heard, Host, Missed
from hearts_conformance.hall.script import Twist

from . import checks
from .judge import Judge
from .script import DealerScript
from .seat import KitSeat, Query, people

_FORMING_MS = 20_000


@dataclass(frozen=True, slots=True)
class Said:
    """Frames for the client."""

    data: bytes
    event: TableEvent | None = None
    """What it tells of the game."""
    is_reply: bool = False
    """Whether it answers something that the client has sent."""


@dataclass(frozen=True, slots=True)
class Due:
    """A query for a choice."""

    data: bytes
    query: Query
    question: Question
    check: Check
    """What fails where no answer comes."""
    twist: Twist | None = None
    """What happens at it."""


class Speech:
    """The frames that are still to be said over one connection after the other."""

    def __init__(self, script: DealerScript, host: Host, judge: Judge, table: str) -> None:
        """``table`` is the name of the table."""
        self.seat: KitSeat
        self.items: deque[Said | Due] = deque()
        self.games = 0
        """Games that have begun."""
        self.ended = False
        """Whether it is said that there is no other game."""
        self.by_new_rules = False
        """Whether the game is played by rules that were agreed in the game before."""
        self.introduced: Introduced | None = None
        """What the client has said about itself."""
        self._script = script
        self._host = host
        self._judge = judge
        self._table = table
        self._credentials: SeatCredentials
        self._asked: Counter[Question] = Counter()
        self._rules_agreed = False

    @property
    def people(self) -> list[PlayerInfo]:
        """Who sits at the table."""
        return people(self._host.table.seats, self._host.me, self.introduced)

    # A connection begins

    def connect(self, credentials: SeatCredentials) -> None:
        """Another connection has the seat."""
        self._credentials = credentials
        self.seat = KitSeat(self._host.me, self._script)
        self.items.clear()
        self.say(self.seat.register_query())

    def form(self) -> None:
        """The table seems to form."""
        me = self._host.me
        infos = people(self._host.table.seats, me, None, forming=True)
        self.say(self.seat.forming(infos, 0b1111 & ~(1 << me), 0, _FORMING_MS))

    def sit(self) -> None:
        """The table has its players."""
        self.say(self.seat.welcome(self._credentials, self._table, self.people))

    def recall(self, missed: Missed) -> None:
        """The client is back, and is told what it has missed."""
        seat = self.seat
        seat.stand(missed.standing)
        self.sit()
        self.say(seat.replay(True))
        self.say(seat.tell(missed.begun))
        for told in missed.told:
            if not isinstance(told, Question):
                self._judge.note(told)
                if isinstance(told, AgainSettled):
                    self.ended = not told.yes
            self.say(seat.recall(told))
        self.say(seat.replay(False))

    # The game

    def say(self, data: bytes, event: TableEvent | None = None, *, is_reply: bool = False) -> None:
        """Say this behind everything else."""
        if data:
            self.items.append(Said(data, event, is_reply))

    def hear(self, heard: Sequence[Heard]) -> None:
        """The table says this to the client."""
        for one in heard:
            match one:
                case Ask(_, question):
                    twist = self._script.twists.get((question, self._asked[question]))
                    self._asked[question] += 1
                    self.ask(one, checks.ANSWERS[question], twist)
                case Reason():
                    self.say(self.seat.refuse(one), is_reply=True)
                case Decline():
                    self.say(self.seat.decline(one), is_reply=True)
                case _:
                    self._tell(one)

    def ask(self, asked: Ask, check: Check, twist: Twist | None = None) -> None:
        """Ask the client for a choice."""
        data, question = self.seat.ask(asked), asked.question
        query = self.seat.query(question)
        if self._script.asides:
            data += self.seat.asides(question, self.people)
        self.items.append(Due(data, query, question, check, twist))

    def ask_again(self, due: Due) -> None:
        """The answer was refused, and the query is open as before."""
        check = checks.RETRIES[due.question]
        self.items.append(replace(due, data=b"", check=check, twist=None))

    def introduce(self, said: Introduced) -> None:
        """The client has said who it is; at the table everybody hears of it."""
        self.introduced = said
        if self.games:
            self.say(self.seat.change(Change.INTRODUCED, self.people[said.player]), is_reply=True)

    def _tell(self, event: TableEvent) -> None:
        self._judge.note(event)
        match event:
            case GameBegun():
                self.games += 1
                self.by_new_rules, self._rules_agreed = self._rules_agreed, False
            case RulesAgreed():
                self._rules_agreed = True
            case AgainSettled(_, yes):
                self.ended = not yes
            case _:
                pass
        self.say(self.seat.tell(event), event)
