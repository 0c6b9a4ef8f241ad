"""The conversation in the dealer dialect: frames, queries, answers, and what comes beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from hearts.dealer.frames import HEADER
from hearts.errors import Reason
from hearts.game.events import HandScored
from hearts.game.rules import parse_rules
from hearts.hosting.rejoin import Return
from hearts.session.table_words import (
    AbortGame,
    AbortLater,
    RegisterOpponents,
    Waiting,
    nobody,
    person,
)
from hearts.table import effects, inputs
from hearts.table.effects import Ask
from hearts.table.inputs import Chosen, Question
from hearts_conformance.checks import Marks, NotShown
from hearts_conformance.session.conversation import (
    FORCED,
    RETRIES,
    ChoiceDue,
    Dropped,
    Item,
    KitConversation,
    LineLost,
    Outgoing,
)
from hearts_conformance.session.host import Host
from hearts_conformance.session.script import Script, SendStyle, Twist

from .forming_requests import FormingRequests
from .frames import LeftUs, NothingCame, read_frame
from .judge import CHOICES, DealerJudge, cards_of
from .kit_seat import DealerKitSeat

_WHY_ABORTED = "The table has ended."
_FORMING_MS = 20_000
_OTHER_END = 13
"""The end score of the next game in the other rules that are proposed."""


_WISHES: Mapping[Twist | None, Callable[[Script, int], inputs.Input]] = {
    Twist.PROPOSE: lambda script, me: inputs.ProposeRules(
        0, parse_rules(script.proposed), _OTHER_END
    ),
    Twist.PROPOSE_ABORT_HAND: lambda script, me: inputs.ProposeAbort(0, inputs.Abort.HAND),
    Twist.PROPOSE_ABORT_GAME: lambda script, me: inputs.ProposeAbort(0, inputs.Abort.GAME),
    Twist.WANT_SEAT: lambda script, me: inputs.ReplacePlayer(0, me),
}
"""The wishes of player 0; ``me`` is the seat of the client under test."""


class GaveSeatUp(Exception):
    """The client has agreed to give its seat up, and was told that it has left."""


class DealerConversation(KitConversation):
    choices = CHOICES
    _judge: DealerJudge
    _seat: DealerKitSeat

    def __init__(self, script: Script, host: Host, marks: Marks, own: Callable[[], str]) -> None:
        super().__init__(script, host, marks, DealerJudge(host, marks), own)
        self.aborted = False
        """True if the client was told that the session is over before its end."""
        self._not_counted: int | None = None
        """The count that includes a hand whose P_END_GAME was not sent."""
        self._loses_end = script.loses_end
        self._claimed: effects.RestClaimed | None = None
        self._are_rules_agreed = self._by_new_rules = False
        """True if rules were agreed for the next game; and if this game is played by such rules."""
        self._aborts = 0
        """The number of times that what was asked was settled for all."""
        self.takes_back = False
        """True if the client has taken a choice back."""

    def _causes(self, check: str) -> Iterable[str]:
        # A client that is wrong about its hand comes to an end of its choices somewhere.
        return ("card.lost", "card.taken", "card.legal")

    def miscount(self, hands: int) -> str | None:
        return "back.end" if hands == self._not_counted else super().miscount(hands)

    # What is queued

    def _new_seat(self) -> DealerKitSeat:
        seat = DealerKitSeat(self._host.me, self._script, self._marks)
        seat.link.write(seat.register_query())
        if self._returns:
            seat.promises = self._seat.promises
        seat.on_missed_cut = self._host.notice_client
        seat.on_introduction = self._judge.cuts.introduce
        return seat

    async def begin(self) -> None:
        """Let the client introduce itself while the table forms, or it waits for an open seat."""
        me, seat = self._host.me, self._seat
        if not self._script.takes_open_seat:
            infos = [nobody(player) for player in range(4)]
            infos[me] = person(me, self._host.session.seats[me].name)
            free = tuple(player for player in range(4) if player != me)
            waiting = Waiting(None, free, 0, _FORMING_MS)
            for told in (RegisterOpponents(tuple(infos)), waiting):
                seat.link.write(seat.beside(told))
        self._take_up()
        await self._send_items()
        await self._settle()
        if self._script.invites:
            await self._invite(FormingRequests())
        self._host.start()
        self._take_up()

    async def _invite(self, requests: FormingRequests) -> None:
        """Let the client invite somebody, who does not come; invite it, if it waits for that."""
        seat = self._seat
        self._host.answer_requests(requests)
        await self._exchange()
        if requests.has_invited:
            seat.link.write(seat.beside(requests.over(is_own=True)))
        if requests.is_invitable:
            query = requests.invitation(self._host.session.setting)
            seat.link.write(seat.beside(query))
            self._why = "invitation.answer"
            await self._exchange()
            if requests.has_answered:
                self._marks.show("invitation.answer")
            seat.link.write(seat.beside(requests.over(is_own=False)))
        await self._exchange()
        self._host.answer_requests(None)

    async def _exchange(self) -> None:
        """Send what there is to send, and take what comes, until nothing does."""
        while True:
            self._take_up()
            await self._send_items()
            if not await self._line.listen():
                return
            try:
                await self._take_aside(await read_frame(self._line))
            except LeftUs as why:
                raise self._hung_up("invitation.answer", str(why)) from None
            except NothingCame:
                return

    def recall(self, claimed: Return) -> None:
        recall = self._host.recall(claimed)
        for cause, data in self._seat.link.take():
            if cause is not None:
                self._judge.note(cause)
            if isinstance(cause, effects.AgainSettled):
                self.ended = not cause.yes
            self._queue(data)
        self._host.sit_again(recall)
        self._take_up(is_back=True)
        for item in self._items:
            if isinstance(item, ChoiceDue):
                self._turn_to(item.check)

    def _choice_due(self, asked: Ask, data: bytes, *, is_back: bool) -> ChoiceDue | None:
        question = asked.question
        query = self._seat.header(question)
        claimed = self._claimed if question is Question.CARD else None
        if claimed or query is None:
            # A claim or a stand-in has decided: nobody is waited for.
            self._queue(data, claimed)
            return None
        again = "cut.again" if question is Question.CUT else "back.open"
        check = again if is_back else CHOICES[question]
        return ChoiceDue(question, check, data=data, query=query, aborts=self._aborts)

    def _queue_event(self, event: effects.TableEvent, data: bytes) -> None:
        match event:
            case effects.GameBegun():
                self._games += 1
                self._by_new_rules, self._are_rules_agreed = self._are_rules_agreed, False
            case effects.RulesAgreed():
                self._are_rules_agreed = True
            case effects.RestClaimed():
                self._claimed = event
            case HandScored():
                self._claimed = None
            case effects.HandAborted():
                self._settle_all("abort.hand")
            case effects.GameAborted():
                self._settle_all("abort.game")
            case effects.TakenBack():
                self._settle_all("undo.game")
                self.takes_back = True
                # The game is told once more, from its P_NEW_GAME on.
                self._games -= 1
            case effects.AgainSettled(_, yes):
                self.ended = not yes
            case effects.GameScored() if self._loses_end:
                self._loses_end = False
                _, _, length = HEADER.unpack_from(data)
                place = HEADER.size + length
                self._queue(data[:place], event)
                self._items.append(LineLost())
                data = data[place:]
        self._queue(data, event)

    def _settle_all(self, check: str) -> None:
        """Wait for no answer to what was asked so far; the next right one shows this check."""
        self._aborts += 1
        self._turn_to(check)
        others = [item for item in self._items if not isinstance(item, ChoiceDue)]
        self._items.clear()
        self._items.extend(others)

    # Sending it

    async def _go_on(self) -> None:
        due = await self._send_items()
        if due is not None:
            await self._take_choice(due)

    async def _send_items(self) -> ChoiceDue | None:
        """Send all up to the next choice that the client may make, and give that choice."""
        items = self._items
        said: list[Item] = []
        due: ChoiceDue | None = None
        while items and due is None:
            item = items.popleft()
            if isinstance(item, LineLost):
                # Before P_END_GAME, so this hand must not be counted.
                self._not_counted = self._host.table.past.hands_scored()
                self._hands = self._not_counted - 1
                await self._send(said)
                raise Dropped(Twist.DROP_BEFORE)
            said.append(item)
            if isinstance(item, ChoiceDue):
                due = await self._come_to(item, said)
        said += self._take_asides(lambda aside: aside.event is None)
        self._hands = self._host.table.past.hands_scored()
        await self._send(said)
        return due

    async def _come_to(self, due: ChoiceDue, said: list[Item]) -> ChoiceDue | None:
        """Do what happens at a query; give it if its answer is to be waited for."""
        match due.twist:
            case Twist.FORCE_FIRST:
                self._host.force()
                self._take_up()
                self._turn_to(FORCED[due.question])
                return None
            case Twist.DROP_BEFORE:
                said.pop()
                # A cut may have been asked for since the hand was scored.
                while any(map(_is_score, said)) and not _is_score(said[-1]):
                    said.pop()
            case Twist.ABORT | Twist.ABORT_FOR_NOW:
                later = due.twist is Twist.ABORT_FOR_NOW
                follows = AbortLater.COME_BACK if later else AbortLater.NOTHING
                said.append(Outgoing(self._seat.beside(AbortGame(follows, _WHY_ABORTED))))
                self.aborted = not later
            case _:
                return due
        self._hands = self._host.table.past.hands_scored()
        await self._send(said)
        if not self.aborted:
            raise Dropped(due.twist)
        said.clear()
        self._items.clear()
        return None

    def _take_asides(self, is_wanted: Callable[[Outgoing], bool]) -> list[Item]:
        """Take what comes next from the queue, as far as it is no choice, and wanted."""
        taken: list[Item] = []
        while self._items and isinstance(item := self._items[0], Outgoing) and is_wanted(item):
            taken.append(self._items.popleft())
        return taken

    async def _send(self, said: Sequence[Item]) -> None:
        apart = 0
        if self._script.style is SendStyle.WHOLE:
            # What was decided for the client comes with the query: nobody can answer in between.
            forced = (
                index
                for index, item in enumerate(said)
                if isinstance(item, ChoiceDue) and item.twist is Twist.FORCE_FIRST
            )
            apart = next(forced, len(said))
        pieces = [b"" if isinstance(item, LineLost) else item.data for item in said]
        for index, piece in enumerate(pieces[:apart]):
            if isinstance(said[index], ChoiceDue) and piece and index:
                await self._keep_quiet(said[index - 1])
            await self._write(piece, "card.answer")
        await self._write(b"".join(pieces[apart:]), "card.answer")

    async def _flush(self) -> None:
        """Send what has to be sent while an answer is waited for."""
        await self._send(self._take_asides(lambda aside: True))

    async def _keep_quiet(self, last: Item) -> None:
        """See that what is only told is not answered, the first few times."""
        event = last.event if isinstance(last, Outgoing) else None
        check = "back.past" if self._returns and event is None else "notify.silent"
        if self._marks.looks_closer(check, type(event).__name__):
            await self._settle()
            self._marks.show(check)

    # What the client sends

    async def _settle(self) -> None:
        """Take in what is under way, until nothing comes."""
        while await self._line.listen():
            try:
                frame = await read_frame(self._line)
            except NothingCame:
                return
            await self._take_aside(frame)

    async def _take_aside(self, frame: bytes) -> None:
        self._host.receive(frame)
        self._take_up()
        if self._seat.refused:
            self._turn_to(self._seat.refused)
            self._seat.refused = ""
        if self._seat.has_left:
            await self._flush()
            raise GaveSeatUp

    async def _read_choice(self, due: ChoiceDue) -> bytes | None:
        if due.twist in _WISHES:
            self._host.wish(_WISHES[due.twist](self._script, self._host.me))
            self._take_up()
            await self._flush()
        if due.question is Question.CUT and self._seat.promises.is_double:
            await self._see_no_value(due)
            return None
        while due.aborts == self._aborts:
            try:
                frame = await read_frame(self._line)
            except NothingCame as why:
                has_left = isinstance(why, LeftUs)
                if self._script.wrong_proof and self._hands and has_left:
                    self._marks.show("proof.wrong")
                    raise NotShown("the client left at the wrong proof") from None
                fault = self._hung_up if has_left else self._fault
                raise fault(due.check, f"{why} where an answer is due") from None
            if HEADER.unpack_from(frame)[:2] == due.query:
                return frame
            await self._take_aside(frame)
            await self._flush()
        return None

    async def _see_no_value(self, due: ChoiceDue) -> None:
        """See that the client shows no value for the second, different promise of a deal."""
        while await self._line.listen():
            frame = await read_frame(self._line)
            if HEADER.unpack_from(frame)[:2] == due.query:
                raise self._fault("cut.once", "P_CUT is answered")
            await self._take_aside(frame)
            await self._flush()
        self._marks.show("cut.once")
        if self._line.is_over:
            raise NotShown("the client left at the second promise")
        self._host.force()
        self._take_up()

    async def _understand(self, due: ChoiceDue, answer: bytes) -> Chosen | None:
        (chosen,) = self._seat.receive(answer)
        assert isinstance(chosen, Chosen)
        if self._marks.looks_closer("answer.once", due.question.value):
            # The first few times see that no second answer comes.
            await self._settle()
            self._marks.show("answer.once")
        return chosen if due.aborts == self._aborts else None

    async def _cross(self, due: ChoiceDue, answer: bytes) -> None:
        cards = cards_of(answer)
        self._judge.want(cards)
        self._host.force(cards)
        self._take_up()
        await self._take_aside(answer)
        self._turn_to(FORCED[due.question])
        self._turn_to("late.nothing")

    def _refuse_legal(self, due: ChoiceDue, answer: bytes, reason: Reason) -> None:
        self._why = RETRIES[due.question]
        self._judge.want(cards_of(answer))
        self._seat.refuse_legal(due.question, reason)

    def _mark_legal(self, due: ChoiceDue, answer: bytes) -> None:
        if self._games > 1 and due.question is Question.CARD:
            self._marks.show("game.second")
            if self._by_new_rules:
                self._marks.show("rules.new")
        super()._mark_legal(due, answer)

    async def _finish(self) -> None:
        await self._settle()
        if self._returns:
            self._marks.show("back.past")
        if self._script.loses_end:
            self._marks.show("back.end")
        if Twist.ABORT_FOR_NOW in self._script.twists.values():
            self._marks.show("abort.later")


def _is_score(item: Item) -> bool:
    return isinstance(item, Outgoing) and isinstance(item.event, HandScored | effects.GameScored)
