"""The conversation with a client that has its seat: messages, acks and choices in their order."""

from __future__ import annotations

import struct
from collections import Counter, deque
from collections.abc import Callable

import trio

from hearts.errors import Reason
from hearts.game.events import HandScored, YourHand
from hearts.hosting.rejoin import Return
from hearts.session.messages import HAND_SIZE
from hearts.table import Ask, Chosen, GameBegun, GameScored, Question
from hearts.wire.codec import encode_int
from hearts_conformance.checks import Check, Marks
from hearts_conformance.line import DOES_NOT_READ, HungUp, Line, Silence
from hearts_conformance.session import checks as shared
from hearts_conformance.session.checked_registration import JOINS
from hearts_conformance.session.host import Host
from hearts_conformance.session.refusals import Refusals, plausible
from hearts_conformance.session.script import Script, SendStyle, Twist
from hearts_conformance.session.talk import Dropped

from . import checks
from .ack_pace import AckPace
from .blame import Blame
from .judge import PlainJudge
from .messages import CHOICES, FORCED, RETRIES, ChoiceDue, OutgoingMessage, spell
from .seat import PlainKitSeat


class PlainTalk:
    """What is said to one client, and what it answers, over all its connections."""

    def __init__(
        self, script: Script, host: Host, marks: Marks, own: Callable[[], Check | None]
    ) -> None:
        """``own`` is what fails where something goes wrong that went right in earlier scripts."""
        self.ended = False
        """Whether it has acked New game 0."""
        self._script = script
        self._host = host
        self._marks = marks
        self._player = host.me
        self._line: Line
        self._seat: PlainKitSeat
        self._items: deque[OutgoingMessage | ChoiceDue] = deque()
        self._asked: Counter[Question] = Counter()
        self._refusals = Refusals(host)
        self._judge = judge = PlainJudge(host, marks)
        self._blame = Blame(script, marks, judge, own)
        self._pace = AckPace()
        self._has_acked = False
        """Whether an ack was right since the client has this line."""
        self._status_unheard = False
        """Whether the message before was a status, and nobody waited for what must not follow."""
        self._hands = 0
        self._games = 0
        self._at_once = False
        self._misled = False
        self._refused: tuple[int, ...] = ()
        """What was refused though it was legal, until another choice is taken."""
        self._were_decided = False
        self._provisional = -1
        self._returns = -1
        self._open: ChoiceDue

    # What is to be said

    def miscount(self, hands: int) -> Check | None:
        """What fails if it has not acked the Scores of so many hands."""
        return None if hands <= self._hands else shared.HANDS

    def seat(self, line: Line, provisional: int) -> None:
        """The client has its seat, on this line; it was given another Player ID before."""
        self._line = line
        self._has_acked = False
        self._provisional = provisional
        self._returns += 1
        self._seat = PlainKitSeat(self._player)
        self._host.connect(self._seat)
        self._items.clear()

    async def begin(self) -> None:
        """The client has its seat for the first time; nothing is said before the Game number."""
        self._host.start()
        self._hear()

    def recall(self, claimed: Return) -> None:
        """The client is back, and is told what it has missed in one go."""
        self._were_decided |= claimed.decided > 0
        if claimed.hands >= 0:
            self._hands = claimed.hands
        self._host.sit_again(self._host.recall(claimed))
        self._hear(is_past=True)
        self._at_once = True

    def _hear(self, *, is_past: bool = False) -> None:
        """Take up what the table has said to the client; nothing happens at choices of the past."""
        for cause, data in self._seat.link.take():
            match cause:
                case None:
                    self._items.append(OutgoingMessage(data, checks.SEATED))
                case Ask(_, question):
                    twist = None
                    if not is_past:
                        twist = self._script.twists.get((question, self._asked[question]))
                        self._asked[question] += 1
                    self._items.append(ChoiceDue(question, CHOICES[question], twist))
                case Reason():
                    question = self._open.question
                    self._items.append(OutgoingMessage(data, None))
                    self._items.append(ChoiceDue(question, RETRIES[question]))
                case _:
                    self._judge.note(cause)
                    self._items += spell(data, cause, self._player)

    # Saying it

    async def run(self) -> None:
        """Say what there is to say, until the session is over. Raises ClientFault and Dropped."""
        while self._items:
            batch = self._next_batch()
            messages = [item.data for item in batch if isinstance(item, OutgoingMessage)]
            data = b"".join(messages)
            self._blame.joined = len(messages) > 1
            sent = trio.current_time()
            try:
                await self._line.send(data)
            except Silence:
                raise self._blame.fault(checks.SEATED, DOES_NOT_READ) from None
            for item in batch:
                if isinstance(item, ChoiceDue):
                    await self._take_choice(item)
                elif item.ack is not None:
                    await self._take_ack(item, item.ack)
                    if self._script.style is SendStyle.WHOLE:
                        chooses = isinstance(batch[-1], ChoiceDue)
                        self._pace.note(trio.current_time() - sent, before_choice=chooses)
            await self._listen(batch[-1])
            self._host.limit(self._games, self._hands)
        self._judge.doubts.settle()
        self._blame.prove()
        self._judge_pace()
        if JOINS in self._marks.habits:
            self._marks.show(checks.TABLE_NAME)
        if self._were_decided:
            self._marks.show(checks.DECIDED)

    def _judge_pace(self) -> None:
        if not self._pace.is_known:
            return
        if held_back := self._pace.held_back:
            self._marks.fail(checks.AT_ONCE, held_back)
        else:
            self._marks.show(checks.AT_ONCE)

    def _next_batch(self) -> list[OutgoingMessage | ChoiceDue]:
        """What is said at once, and the answers to it."""
        items = self._items
        joined = self._script.style is not SendStyle.WHOLE
        self._at_once, recalled = False, self._at_once
        joined = joined or recalled
        batch: list[OutgoingMessage | ChoiceDue] = []
        while items:
            item = items.popleft()
            batch.append(item)
            if isinstance(item, ChoiceDue):
                if item.twist is Twist.FORCE_FIRST:
                    self._host.force()
                    self._hear()
                elif not recalled:
                    break
            elif not joined and not (items and isinstance(items[0], ChoiceDue)):
                # Behind a choice that is forced there is something to be acked.
                forced = any(isinstance(item, ChoiceDue) for item in batch)
                if not forced or item.ack is not None:
                    break
        return batch

    async def _listen(self, last: OutgoingMessage | ChoiceDue) -> None:
        if isinstance(last, ChoiceDue):
            quiet, kind = checks.ONE_CHOICE, last.question.value
        elif last.ack is None:
            quiet, kind = checks.QUIET_STATUS, "status"
        else:
            quiet, kind = checks.QUIET_ACK, last.ack.id
        if self._script.style is not SendStyle.WHOLE:
            return
        waits = self._blame.why is not None or self._looks_closer(quiet, kind)
        if early := await self._line.listen() if waits else self._line.unread:
            if quiet is checks.QUIET_ACK and self._status_unheard:
                quiet = checks.QUIET_STATUS
            raise self._blame.fault(quiet, f"{early[:32].hex(' ')} came while nothing was due")
        self._status_unheard = not waits and quiet is checks.QUIET_STATUS
        if waits:
            self._marks.show(quiet)

    def _looks_closer(self, quiet: Check, kind: str) -> bool:
        """Whether to wait for what must not come: at first, and where it came before."""
        step = (checks.QUIET_ACK, checks.QUIET_STATUS)
        return self._marks.looks_closer(quiet, kind) or bool(self._marks.first_failed(step))

    # What the client answers

    async def _take_ack(self, message: OutgoingMessage, check: Check) -> None:
        right = encode_int(self._player)
        data = await self._read(4, check, f"the ack {right.hex(' ')}")
        if data != right:
            (value,) = struct.unpack(">i", data)
            if value == self._provisional and not self._has_acked:
                check = checks.TABLE_NAME if self._returns == 0 else shared.NUMBERS
            came = f"{data.hex(' ')} ({value}) came where the ack {right.hex(' ')} is due"
            raise self._blame.fault(check, came)
        self._has_acked = True
        for given in self._seat.receive(data):
            self._host.give(given)
        self._marks.show(check)
        self._blame.keeps_step()
        self._acked(message)

    def _acked(self, message: OutgoingMessage) -> None:
        match message.event:
            case GameBegun():
                self._games += 1
            case YourHand() if self._games > 1:
                self._marks.show(checks.SECOND_GAME)
            case HandScored() | GameScored():
                self._hands += 1
                due = next((item for item in self._items if isinstance(item, ChoiceDue)), None)
                if due is not None and due.twist is Twist.DROP_BEFORE:
                    raise Dropped(Twist.DROP_BEFORE)
            case _:
                self.ended = message.ack is checks.NEW_GAME and message.data == encode_int(0)

    async def _take_choice(self, due: ChoiceDue) -> None:
        if due.twist in (Twist.DROP_ASKED, Twist.DROP_DECIDED):
            raise Dropped(due.twist)
        if due.twist is Twist.FORCE_FIRST:
            self._blame.why = checks.OWED
        size = 12 if due.question is Question.PASS else 4
        raw = await self._read(size, due.check, f"a choice of {size} bytes")
        if due.twist is Twist.FORCE_CROSSING:
            self._cross(due, raw)
            return
        given, *others = self._seat.receive(raw)
        if not isinstance(given, Chosen):
            for thrown_away in (given, *others):
                self._host.give(thrown_away)
            if due.twist is Twist.FORCE_FIRST:
                self._blame.proving.append(FORCED[due.question])
            return
        self._open = due
        await self._see_no_ack(given, raw)
        values = struct.unpack(f">{size // 4}i", raw)
        if self._is_legal(given, values) and self._refusals.come_to(due.question, due.twist):
            self._misled = True
            self._refused = values
            self._seat.refuse(plausible(due.question))
            self._hear()
            return
        self._host.give(given)
        if due.twist is Twist.DROP_CHOSEN:
            raise Dropped(due.twist)
        self._hear()

    async def _see_no_ack(self, given: Chosen, raw: bytes) -> None:
        """See that what came for a choice is no ack, with the choice behind it."""
        if raw[:4] != encode_int(self._player) or self._misled:
            return
        more = self._line.unread
        if not more and self._why_not(given) is not None:
            more = await self._line.listen()
        if more and more != raw:
            came = f"{(raw + more)[:32].hex(' ')} came where a choice is due: an ack too many"
            raise self._blame.fault(checks.QUIET_ACK, came)

    def _why_not(self, given: Chosen) -> Reason | None:
        return Reason.NOT_HELD if given.choice is None else self._host.why_not(given.choice)

    def _cross(self, due: ChoiceDue, raw: bytes) -> None:
        """The time is up while the choice is on its way."""
        values = struct.unpack(f">{len(raw) // 4}i", raw)
        avoid = [self._judge.holding.cards[value] for value in values if 0 <= value < HAND_SIZE]
        self._blame.why = checks.CROSSED
        self._blame.proving.append(FORCED[due.question])
        self._host.force(avoid if due.question in (Question.PASS, Question.CARD) else ())
        self._hear()
        for given in self._seat.receive(raw):
            self._host.give(given)

    def _is_legal(self, given: Chosen, values: tuple[int, ...]) -> bool:
        due, reason = self._open, self._why_not(given)
        if reason is None:
            if due.question is Question.CARD and values == self._refused:
                came = f"hand index {values[0]} came again, which was refused"
                self._marks.fail(checks.RETRY_CARD, came)
            self._misled, self._refused = False, ()
            self._praise(due, values)
            return True
        if self._misled:
            # Told that a legal choice is not legal, a client may well try anything.
            return False
        if due.question is Question.CARD:
            self._judge.blame(values[0], reason, self._blame.out_of_step())
        else:
            self._marks.fail(CHOICES[due.question], f"{values} came")
        return False

    def _praise(self, due: ChoiceDue, values: tuple[int, ...]) -> None:
        """A choice that is legal; what it shows."""
        self._marks.show(CHOICES[due.question])
        if due.check is not CHOICES[due.question]:
            self._marks.show(due.check)
        self._blame.prove()
        if due.question is Question.CARD:
            self._judge.praise(values[0])

    # Reading

    async def _read(self, size: int, check: Check, what: str) -> bytes:
        try:
            return await self._line.read(size)
        except Silence as silence:
            only = f"only {silence.args[0].hex(' ')}" if silence.args[0] else "nothing"
            limit = f"{self._line.waits.patience:g} s"
            raise self._blame.fault(check, f"{only} came for {limit} where {what} is due") from None
        except HungUp:
            raise self._blame.hung_up(check, f"the client hung up where {what} is due") from None
