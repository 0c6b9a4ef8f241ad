"""The conversation with a client that has its seat, over all its connections.

What the table says is queued; it is said up to the next choice of the client, and then the choice
is taken. A dialect says how, in a class of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from hearts.errors import Reason
from hearts.hosting.rejoin import Return
from hearts.table.effects import Ask, TableEvent
from hearts.table.inputs import Chosen, Question
from hearts_conformance.checks import ClientFault, Marks
from hearts_conformance.line import DOES_NOT_READ, KitLine, Silence

from .host import Host
from .judge import Judge
from .kept_link import KeptSeat
from .script import Script, Twist

RETRIES = {
    Question.PASS: "retry.pass",
    Question.CARD: "retry.card",
    Question.MOON: "retry.moon",
    Question.AGAIN: "again.answer",
    Question.CUT: "cut.answer",
}
FORCED = {
    Question.PASS: "forced.pass",
    Question.CARD: "forced.card",
    Question.MOON: "forced.moon",
    Question.AGAIN: "forced.again",
    Question.CUT: "cut.answer",
}


class Dropped(Exception):
    """The signal to lose the connection here; :attr:`twist` says how."""

    def __init__(self, twist: Twist) -> None:
        super().__init__(twist.name)
        self.twist = twist


class Outgoing(Struct, frozen=True, gc=False):
    data: bytes
    event: TableEvent | None = None
    ack: str | None = None


class ChoiceDue(Struct, frozen=True, gc=False):
    question: Question
    check: str
    twist: Twist | None = None
    data: bytes = b""
    """The query for it, in a dialect that has one."""
    query: tuple[int, int] = (0, 0)
    """The type and the number of that query."""
    aborts: int = 0
    """The number of hands and games that were broken off before."""


class LineLost(Struct, frozen=True, gc=False):
    """Here the connection is lost."""


Item = Outgoing | ChoiceDue | LineLost


class KitConversation(ABC):
    choices: ClassVar[Mapping[Question, str]]
    welcome: ClassVar[str | None] = None
    """The check of the ack for what does not come from the game."""

    def __init__(
        self, script: Script, host: Host, marks: Marks, judge: Judge, own: Callable[[], str]
    ) -> None:
        """``own`` gives the check that fails if something goes wrong that went right before."""
        self.ended = False
        """The client was told that there is no other game."""
        self._script = script
        self._host = host
        self._marks = marks
        self._judge = judge
        self._own = own
        self._faults = marks.played[-1].faults
        self._why: str | None = None
        """The check that is to blame until the client is seen to be in step."""
        self._proving: list[str] = []
        """The checks that the next right choice shows."""
        self._items: deque[Item] = deque()
        self._asked: Counter[Question] = Counter()
        self._to_refuse: Counter[Question] = Counter()
        """Legal choices that are still to be refused."""
        self._games = 0
        self._hands = 0
        """The number of hands whose scores the client has had."""
        self._returns = -1

    # What a dialect says

    @abstractmethod
    def _causes(self, check: str) -> Iterable[str]:
        """Give the checks that are to blame for a fault if they have failed before."""

    @abstractmethod
    def _new_seat(self) -> KeptSeat:
        """Make a seat for another connection."""

    @abstractmethod
    async def begin(self) -> None:
        """Queue what a client is told that has its seat for the first time."""

    @abstractmethod
    def recall(self, claimed: Return) -> None:
        """Queue what a client is told that is back."""

    @abstractmethod
    def _choice_due(self, asked: Ask, data: bytes, *, is_back: bool) -> ChoiceDue | None:
        """Make the choice for a question; if it is decided queue its bytes, and give None."""

    @abstractmethod
    def _queue_event(self, event: TableEvent, data: bytes) -> None:
        """Queue the bytes of an event."""

    @abstractmethod
    async def _go_on(self) -> None:
        """Send what can be sent at once, and take what is answered."""

    @abstractmethod
    async def _read_choice(self, due: ChoiceDue) -> bytes | None:
        """Read the bytes of a choice; None if none is needed any more."""

    @abstractmethod
    async def _understand(self, due: ChoiceDue, answer: bytes) -> Chosen | None:
        """Find the choice that the bytes are; None if it counts for nothing."""

    @abstractmethod
    async def _cross(self, due: ChoiceDue, answer: bytes) -> None:
        """Let the time be up while the choice is on its way."""

    @abstractmethod
    def _refuse_legal(self, due: ChoiceDue, answer: bytes, reason: Reason) -> None:
        """Tell the client that a legal choice is not legal."""

    @abstractmethod
    async def _finish(self) -> None:
        """Mark what the end of the session shows."""

    # What all have

    def miscount(self, hands: int) -> str | None:
        """Give the check that fails if the client says that it has had so many hands, or None."""
        return None if hands <= self._hands else "back.hands"

    def seat(self, line: KitLine, provisional: int) -> None:
        """Seat the client on this line; it was given another Player ID before."""
        self._line = line
        self._provisional = provisional
        self._returns += 1
        self._seat = self._new_seat()
        self._host.connect(self._seat)
        self._items.clear()

    async def run(self) -> None:
        """Lead the client to the end of the session. Raises ClientFault and Dropped."""
        try:
            while self._items:
                await self._go_on()
                self._host.limit(self._games, self._hands)
            await self._finish()
        finally:
            self._judge.settle()
        self._prove()

    def _take_up(self, *, is_back: bool = False) -> None:
        """Queue what the table has said; nothing happens at choices that are asked again."""
        for cause, data in self._seat.link.take():
            match cause:
                case None:
                    self._items.append(Outgoing(data, None, self.welcome))
                case Ask(_, question):
                    due = self._choice_due(cause, data, is_back=is_back)
                    if due is not None and is_back:
                        self._items.append(due)
                    elif due is not None:
                        twist = self._script.twists.get((question, self._asked[question]))
                        self._asked[question] += 1
                        self._items.append(replace(due, twist=twist))
                case Reason():
                    self._queue(data)
                    check = RETRIES[self._due.question]
                    self._items.append(replace(self._due, data=b"", check=check, twist=None))
                case _:
                    self._judge.note(cause)
                    self._queue_event(cause, data)

    def _queue(self, data: bytes, event: TableEvent | None = None) -> None:
        if data:
            self._items.append(Outgoing(data, event))

    async def _write(self, data: bytes, check: str) -> None:
        if not data:
            return
        try:
            await self._line.send(data)
        except Silence:
            raise self._fault(check, DOES_NOT_READ) from None

    async def _take_choice(self, due: ChoiceDue) -> None:
        if due.twist in (Twist.DROP_ASKED, Twist.DROP_DECIDED):
            raise Dropped(due.twist)
        self._due = due
        answer = await self._read_choice(due)
        if answer is None:
            return
        if due.twist is Twist.DROP_ANSWERED:
            raise Dropped(due.twist)
        if due.twist is Twist.FORCE_CROSSING:
            await self._cross(due, answer)
            return
        chosen = await self._understand(due, answer)
        if chosen is None:
            return
        is_legal = self._judge.is_legal(due.question, chosen.choice, answer)
        if is_legal:
            self._mark_legal(due, answer)
        if is_legal and self._is_to_be_refused(due):
            self._judge.is_misled = True
            is_card = due.question is Question.CARD
            reason = Reason.FOLLOW_SUIT if is_card else Reason.NOT_HELD
            self._refuse_legal(due, answer, reason)
        else:
            self._host.give(chosen)
            if due.twist is Twist.DROP_CHOSEN:
                raise Dropped(due.twist)
        self._take_up()

    def _mark_legal(self, due: ChoiceDue, answer: bytes) -> None:
        if due.check != self.choices[due.question]:
            self._marks.show(due.check)
        self._prove()

    def _is_to_be_refused(self, due: ChoiceDue) -> bool:
        """Return True if a legal choice is to be refused, as the script wants now or has wanted."""
        question = due.question
        self._to_refuse[question] += due.twist is Twist.REFUSE
        # With one legal card there would be no other to try.
        is_free = question is not Question.CARD or self._host.view.legal.bit_count() > 1
        if not self._to_refuse[question] or not is_free:
            return False
        self._to_refuse[question] -= 1
        return True

    # What is to blame

    def _turn_to(self, check: str) -> None:
        """Suspect this check from now on; the next right choice shows it."""
        self._why = check
        self._proving.append(check)

    def _prove(self) -> None:
        for check in self._proving:
            self._marks.show(check)
        self._proving.clear()
        self._why = None

    def _fault(self, check: str, came: str) -> ClientFault:
        """Make the fault of this check, or of what has led to it."""
        self._judge.settle()
        marks = self._marks
        cause = marks.first_failed(self._causes(check))
        if cause is None and not marks[check].failed:
            cause = self._why or (self._own() if marks[check].shown else None)
        if not cause:
            return ClientFault(check, came)
        return ClientFault(cause, f"{marks[check].check.asks}: {came}")

    def _hung_up(self, check: str, came: str) -> ClientFault:
        """Make the fault of a client that has ended the connection where this was due.

        It is a fault of its own, unless it is the first one, and something has led to it.
        """
        self._judge.settle()
        if self._marks.played[-1].faults == self._faults:
            fault = self._fault(check, came)
            if self._why or fault.check != check or check.startswith("retry."):
                return fault
        return ClientFault("stream.stays", f"{came}: {self._marks[check].check.asks}")
