"""What is to be said to the client: what the table says, as frames, in their order."""

from __future__ import annotations

from collections import Counter, deque

from msgspec import Struct
from msgspec.structs import replace

from hearts.dealer.frames import HEADER
from hearts.errors import Reason
from hearts.game.events import HandScored
from hearts.table import (
    AgainSettled,
    Ask,
    GameAborted,
    GameBegun,
    GameScored,
    HandAborted,
    Question,
    RestClaimed,
    RulesAgreed,
    TableEvent,
)
from hearts_conformance.checks import Check
from hearts_conformance.session.script import Twist

from . import checks
from . import cut_checks as cuts
from .judge import DealerJudge
from .script import DealerScript
from .seat import AnswerHeader, DealerKitSeat


class OutgoingFrames(Struct, frozen=True, gc=False):
    """Frames for the client."""

    data: bytes
    event: TableEvent | None = None
    """What it tells of the game; None for what may be said at any time."""


class QueryDue(Struct, frozen=True, gc=False):
    """A query for a choice."""

    data: bytes
    header: AnswerHeader
    question: Question
    check: Check
    """What fails if no answer comes."""
    twist: Twist | None = None
    """What happens at it."""
    aborts: int = 0
    """How often something had been broken off when it was asked."""


class LineLost(Struct, frozen=True, gc=False):
    """Here the connection is lost."""


Item = OutgoingFrames | QueryDue | LineLost


def is_score(item: Item) -> bool:
    """Whether it tells how a hand or a game ended."""
    return isinstance(item, OutgoingFrames) and isinstance(item.event, HandScored | GameScored)


def is_forced(item: Item) -> bool:
    """Whether the choice that it asks for is made for the client at once."""
    return isinstance(item, QueryDue) and item.twist is Twist.FORCE_FIRST


class Speech:
    """The frames that are still to be said over one connection after the other."""

    def __init__(self, script: DealerScript, judge: DealerJudge) -> None:
        self.items: deque[Item] = deque()
        self.due: QueryDue
        """The query that was said last."""
        self.games = 0
        """Games that have begun."""
        self.ended = False
        """Whether it is said that there is no other game."""
        self.by_new_rules = False
        """Whether the game is played by rules that were agreed in the game before."""
        self.aborts = 0
        """How often a hand or a game was broken off."""
        self._claimed: RestClaimed | None = None
        """The rest of the hand, if somebody has claimed it."""
        self._seat: DealerKitSeat
        self._script = script
        self._judge = judge
        self._asked: Counter[Question] = Counter()
        self._rules_agreed = False
        self._loses_end = script.loses_end

    def connect(self, seat: DealerKitSeat) -> None:
        """Another connection has the seat."""
        self._seat = seat
        self.items.clear()

    def recall(self) -> None:
        """Take up what the client has missed."""
        for cause, data in self._seat.link.take():
            self._judge.note(cause)
            if isinstance(cause, AgainSettled):
                self.ended = not cause.yes
            self._say(data)

    def hear(self, *, is_back: bool = False) -> None:
        """Take up what the table has said to the client.

        A client that is back is asked again what it was asked before.
        """
        for cause, data in self._seat.link.take():
            match cause:
                case None:
                    self._say(data)
                case Ask(_, Question.CARD) if self._claimed is not None:
                    # It is decided: nobody is waited for.
                    self._say(data, self._claimed)
                case Ask(_, question):
                    header = self._seat.header(question)
                    if header is None:
                        # A stand-in has chosen at once.
                        self._say(data)
                        continue
                    check, twist = checks.STILL_OPEN, None
                    if question is Question.CUT:
                        check = cuts.AGAIN
                    if not is_back:
                        check = checks.ANSWERS[question]
                        twist = self._script.twists.get((question, self._asked[question]))
                        self._asked[question] += 1
                    self.items.append(QueryDue(data, header, question, check, twist, self.aborts))
                case Reason():
                    # The answer was refused, and the query is open as before.
                    self._say(data)
                    check = checks.RETRIES[self.due.question]
                    self.items.append(replace(self.due, data=b"", check=check, twist=None))
                case _:
                    self._tell(cause, data)

    def is_void(self, due: QueryDue) -> bool:
        """Whether what a query was about is broken off."""
        return due.aborts != self.aborts

    def _say(self, data: bytes, event: TableEvent | None = None) -> None:
        if data:
            self.items.append(OutgoingFrames(data, event))

    def _tell(self, event: TableEvent, data: bytes) -> None:
        self._judge.note(event)
        match event:
            case GameBegun():
                self.games += 1
                self.by_new_rules, self._rules_agreed = self._rules_agreed, False
            case RulesAgreed():
                self._rules_agreed = True
            case RestClaimed():
                self._claimed = event
            case HandScored():
                self._claimed = None
            case HandAborted() | GameAborted():
                self.aborts += 1
                others = [item for item in self.items if not isinstance(item, QueryDue)]
                self.items.clear()
                self.items.extend(others)
            case AgainSettled(_, yes):
                self.ended = not yes
            case GameScored() if self._loses_end:
                self._loses_end = False
                done, end = split_frame(data)
                self._say(done, event)
                self.items.append(LineLost())
                data = end
            case _:
                pass
        self._say(data, event)


def split_frame(data: bytes) -> tuple[bytes, bytes]:
    """The first of some frames, and the others."""
    _, _, length = HEADER.unpack_from(data)
    place = HEADER.size + length
    return data[:place], data[place:]
