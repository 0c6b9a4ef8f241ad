"""The conversation in the plain dialect: messages, acks and choices in their order."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from math import inf
from statistics import median

import trio

from hearts.errors import Reason
from hearts.game import events
from hearts.game.rules import Direction
from hearts.hosting.rejoin import Return
from hearts.plain.seat import PlainSeat
from hearts.session.messages import HAND_SIZE
from hearts.table.effects import AgainSettled, Ask, GameBegun, GameScored, TableEvent
from hearts.table.inputs import Chosen, Question
from hearts.wire.codec import encode_int
from hearts_conformance.checks import Marks
from hearts_conformance.line import INT, HungUp, Silence
from hearts_conformance.session.checked_registration import JOINS
from hearts_conformance.session.conversation import (
    FORCED,
    ChoiceDue,
    Dropped,
    Item,
    KitConversation,
    Outgoing,
)
from hearts_conformance.session.host import Host
from hearts_conformance.session.kept_link import KeptLink
from hearts_conformance.session.script import Script, SendStyle, Twist

from .judge import CHOICES, PlainJudge

_STEP = ("step.status", "step.choice", "step.ack")
"""Checks whose failure puts a client out of step with all that follows."""


_ENOUGH = 8
"""Acks of each kind from which it can be told."""
_HELD = 0.3
"""Seconds by which a choice has to delay the ack before it."""
_SLOWNESS = 5
"""The factor by which an ack may be slower than elsewhere, whatever the machine."""


_ACKS = {
    events.TrickBegun: "ack.leads",
    events.TrickTaken: "ack.tallies",
    events.CardsReceived: "ack.received",
    events.HandScored: "ack.scores",
    GameScored: "ack.scores",
    GameBegun: "ack.table",
}
"""Events that are one message each, which is always acked."""


def messages(data: bytes, event: TableEvent, me: int) -> list[Outgoing]:
    """Split the bytes of an event into messages; none if the client is told nothing of it."""
    match event:
        case events.YourHand(_, direction, _):
            size = INT * HAND_SIZE
            hold = "ack.hold" if direction is Direction.HOLD else None
            return [Outgoing(data[:size], event, "ack.hand"), Outgoing(data[size:], None, hold)]
        case AgainSettled():
            status = [Outgoing(data[:INT])] if len(data) > INT else []
            return [*status, Outgoing(data[-INT:], event, "ack.new")]
        case events.MoonChosen() | events.PassMade():
            return [Outgoing(data, event)] if data else []
        case events.CardPlayed(player):
            return [Outgoing(data, event, None if player == me else "ack.card")]
        case events.TricksDone(shooter, decide):
            return [Outgoing(data, event, None if decide and shooter == me else "ack.moon")]
        case _:
            ack = _ACKS.get(type(event))
            if ack is not None:
                return [Outgoing(data, event, ack)]
            assert not data, f"{type(event).__name__} is said in the plain dialect, and not known"
            return []


class PlainKitSeat(PlainSeat):
    def __init__(self, player: int) -> None:
        super().__init__(player)
        self.link = KeptLink()

    def encode_event(self, event: TableEvent) -> bytes:
        return self.link.keep(event, super().encode_event(event))

    def ask(self, asked: Ask) -> bytes:
        return self.link.keep(asked, super().ask(asked))

    def refuse(self, reason: Reason) -> bytes:
        return self.link.keep(reason, super().refuse(reason))

    def recall(self, missed: TableEvent | Question) -> bytes:
        data = super().recall(missed)
        if isinstance(missed, Question):
            self.link.keep(Ask(self.player, missed, inf, 0), data)
        return data


class PlainConversation(KitConversation):
    choices = CHOICES
    welcome = "ack.seated"
    _judge: PlainJudge
    _seat: PlainKitSeat

    def __init__(self, script: Script, host: Host, marks: Marks, own: Callable[[], str]) -> None:
        super().__init__(script, host, marks, PlainJudge(host, marks), own)
        self._ack = encode_int(host.me)
        self._paces: dict[bool, list[float]] = {True: [], False: []}
        """The times that the client took for its acks, before choices and elsewhere."""
        self._has_acked = False
        """An ack was right since the client has this line."""
        self._is_joined = False
        self._is_status_unheard = False
        """The message before was a status, and nobody waited for what must not follow."""
        self._is_at_once = False
        """The next messages were missed, and are sent in one go."""
        self._refused: bytes = b""
        """The choice that was refused though it was legal, until another one is taken."""
        self._were_decided = False

    def _causes(self, check: str) -> Iterable[str]:
        if check != "step.status":
            yield from _STEP
        if self._is_joined:
            yield "stream.joined"
        if self._script.drops or Twist.FORCE_FIRST in self._script.twists.values():
            yield "forced.owed"
        if self._judge.holding.passed:
            yield "pass.places"

    # What is queued

    def _new_seat(self) -> PlainKitSeat:
        self._has_acked = False
        return PlainKitSeat(self._host.me)

    async def begin(self) -> None:
        self._host.start()
        self._take_up()

    def recall(self, claimed: Return) -> None:
        self._were_decided |= claimed.decided > 0
        if claimed.hands >= 0:
            self._hands = claimed.hands
        self._host.sit_again(self._host.recall(claimed))
        self._take_up(is_back=True)
        self._is_at_once = True

    def _choice_due(self, asked: Ask, data: bytes, *, is_back: bool) -> ChoiceDue:
        return ChoiceDue(asked.question, CHOICES[asked.question])

    def _queue_event(self, event: TableEvent, data: bytes) -> None:
        self._items += messages(data, event, self._host.me)

    # Sending it

    async def _go_on(self) -> None:
        batch = self._next_batch()
        said = [item.data for item in batch if isinstance(item, Outgoing)]
        self._is_joined = len(said) > 1
        began = trio.current_time()
        await self._write(b"".join(said), "ack.seated")
        for item in batch:
            if isinstance(item, ChoiceDue):
                await self._take_choice(item)
            elif isinstance(item, Outgoing) and item.ack is not None:
                await self._take_ack(item, item.ack)
                if self._script.style is SendStyle.WHOLE:
                    chooses = isinstance(batch[-1], ChoiceDue)
                    self._paces[chooses].append(trio.current_time() - began)
        await self._see_quiet(batch[-1])

    def _next_batch(self) -> list[Item]:
        """Take from the queue what is sent at once, with the choices that answer it."""
        items = self._items
        self._is_at_once, is_recalled = False, self._is_at_once
        is_joined = is_recalled or self._script.style is not SendStyle.WHOLE
        batch: list[Item] = []
        while items:
            item = items.popleft()
            batch.append(item)
            if isinstance(item, ChoiceDue):
                if item.twist is Twist.FORCE_FIRST:
                    self._host.force()
                    self._take_up()
                elif not is_recalled:
                    break
            elif not is_joined and not (items and isinstance(items[0], ChoiceDue)):
                # Behind a choice that is forced there is something to be acked.
                is_forced = any(isinstance(item, ChoiceDue) for item in batch)
                if not is_forced or (isinstance(item, Outgoing) and item.ack is not None):
                    break
        return batch

    async def _see_quiet(self, last: Item) -> None:
        """See that nothing more came; only at first is it waited for."""
        if self._script.style is not SendStyle.WHOLE:
            return
        quiet, kind = "step.status", "status"
        if isinstance(last, ChoiceDue):
            quiet, kind = "step.choice", last.question.value
        elif isinstance(last, Outgoing) and last.ack is not None:
            quiet, kind = "step.ack", last.ack
        waits = (
            self._why is not None
            or self._marks.looks_closer(quiet, kind)
            or self._marks.first_failed(["step.ack", "step.status"]) is not None
        )
        if early := await self._line.listen() if waits else self._line.unread:
            if quiet == "step.ack" and self._is_status_unheard:
                quiet = "step.status"
            came = f"{early[:32].hex(' ')} came while nothing was due"
            raise self._fault(quiet, came)
        self._is_status_unheard = not waits and quiet == "step.status"
        if waits:
            self._marks.show(quiet)

    # What the client answers

    async def _take_ack(self, message: Outgoing, check: str) -> None:
        data = await self._read(4, check, f"the ack {self._ack.hex(' ')}")
        if data != self._ack:
            (value,) = struct.unpack(">i", data)
            if value == self._provisional and not self._has_acked:
                check = "back.numbers" if self._returns else "register.table"
            came = f"{data.hex(' ')} ({value}) came where the ack {self._ack.hex(' ')} is due"
            raise self._fault(check, came)
        self._has_acked = True
        for given in self._seat.receive(data):
            self._host.give(given)
        self._marks.show(check)
        why = self._why
        if why in ("forced.owed", "forced.crossed"):
            # No choice is missing before this ack, and none was too many.
            self._marks.show(why)
            proving = self._proving
            self._why = proving[-1] if proving else None
        self._acked(message)

    def _acked(self, message: Outgoing) -> None:
        match message.event:
            case GameBegun():
                self._games += 1
            case events.YourHand() if self._games > 1:
                self._marks.show("game.second")
            case events.HandScored() | GameScored():
                self._hands += 1
                due = next((item for item in self._items if isinstance(item, ChoiceDue)), None)
                if due is not None and due.twist is Twist.DROP_BEFORE:
                    raise Dropped(Twist.DROP_BEFORE)
            case _:
                self.ended = message.ack == "ack.new" and message.data == encode_int(0)

    async def _read_choice(self, due: ChoiceDue) -> bytes:
        if due.twist is Twist.FORCE_FIRST:
            self._why = "forced.owed"
        size = 12 if due.question is Question.PASS else 4
        return await self._read(size, due.check, f"a choice of {size} bytes")

    async def _understand(self, due: ChoiceDue, answer: bytes) -> Chosen | None:
        given, *others = self._seat.receive(answer)
        if isinstance(given, Chosen):
            await self._see_no_ack(given, answer)
            return given
        for thrown_away in (given, *others):
            self._host.give(thrown_away)
        if due.twist is Twist.FORCE_FIRST:
            self._proving.append(FORCED[due.question])
        return None

    async def _see_no_ack(self, given: Chosen, answer: bytes) -> None:
        """See that what came for a choice is no ack, with the choice behind it."""
        if answer[:4] != self._ack or self._judge.is_misled:
            return
        more = self._line.unread
        if not more and self._judge.why_not(given.choice) is not None:
            more = await self._line.listen()
        if more and more != answer:
            came = f"{(answer + more)[:32].hex(' ')} came where a choice is due: an ack too many"
            raise self._fault("step.ack", came)

    async def _cross(self, due: ChoiceDue, answer: bytes) -> None:
        values = struct.unpack(f">{len(answer) // 4}i", answer)
        avoid = [self._judge.holding.cards[value] for value in values if 0 <= value < HAND_SIZE]
        self._why = "forced.crossed"
        self._proving.append(FORCED[due.question])
        self._host.force(avoid if due.question in (Question.PASS, Question.CARD) else ())
        self._take_up()
        for given in self._seat.receive(answer):
            self._host.give(given)

    def _refuse_legal(self, due: ChoiceDue, answer: bytes, reason: Reason) -> None:
        self._refused = answer
        self._seat.refuse(reason)

    def _mark_legal(self, due: ChoiceDue, answer: bytes) -> None:
        super()._mark_legal(due, answer)
        if due.question is Question.CARD and answer == self._refused:
            came = f"hand index {int.from_bytes(answer, 'big')} came again, which was refused"
            self._marks.fail("retry.card", came)
        self._refused = b""

    async def _read(self, size: int, check: str, what: str) -> bytes:
        try:
            return await self._line.read(size)
        except Silence as silence:
            only = f"only {silence.args[0].hex(' ')}" if silence.args[0] else "nothing"
            limit = f"{self._line.waits.patience:g} s"
            came = f"{only} came for {limit} where {what} is due"
            raise self._fault(check, came) from None
        except HungUp:
            came = f"the client hung up where {what} is due"
            raise self._hung_up(check, came) from None

    async def _finish(self) -> None:
        if min(map(len, self._paces.values())) >= _ENOUGH:
            choosing, elsewhere = map(median, self._paces.values())
            held = choosing > _HELD + _SLOWNESS * elsewhere
            came = f"acks took {choosing:.2f} s where a choice follows"
            fault = f"{came}, and {elsewhere:.2f} s elsewhere" if held else ""
            self._marks.decide("ack.at-once", fault)
        if JOINS in self._marks.habits:
            self._marks.show("register.table")
        if self._were_decided:
            self._marks.show("back.decided")
