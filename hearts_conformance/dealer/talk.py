"""The conversation with a client that has its seat: what is said, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hearts.dealer.frames import Frame, encode_frame
from hearts.hosting.rejoin import Return
from hearts.session.table_words import (
    AbortGame,
    AbortLater,
    RegisterOpponents,
    Waiting,
    nobody,
    person,
)
from hearts.table import Chosen, Question
from hearts_conformance.checks import Check, Marks, NotShown
from hearts_conformance.hall import checks as shared
from hearts_conformance.hall.host import Host
from hearts_conformance.hall.refusals import Refusals
from hearts_conformance.hall.script import Twist
from hearts_conformance.hall.talk import Dropped
from hearts_conformance.line import Line

from . import agreement_checks as agreements
from . import checks
from . import cut_checks as cuts
from .ear import LeftUs, NothingCame, read_frame
from .forming_requests import FormingRequests
from .judge import cards_of
from .line_talk import LineTalk
from .promises import ToldPromises
from .script import DealerScript
from .seat import AnswerHeader, DealerKitSeat
from .speech import LineLost, OutgoingFrames, QueryDue, is_score
from .wishes import wish

_WHY_ABORTED = "The table has ended."
_FORMING_MS = 20_000


class DealerTalk(LineTalk):
    """What is said to one client, and what it answers, over all its connections."""

    def __init__(
        self, script: DealerScript, host: Host, marks: Marks, own: Callable[[], Check | None]
    ) -> None:
        """``own`` is what fails where something goes wrong that went right in earlier scripts."""
        self.aborted = False
        """Whether it was told that the session is over before its end."""
        super().__init__(script, host, marks, own)
        self._refusals = Refusals(host)
        self._promises = ToldPromises(script.promises, host.me)
        self._hands_told = 0
        self._not_counted: int | None = None
        """The count with a hand whose P_END_GAME was not said."""

    @property
    def ended(self) -> bool:
        """Whether it was told that there is no other game."""
        return self._speech.ended

    def miscount(self, hands: int) -> Check | None:
        """What fails if it cannot have had the P_DONE_HAND of so many hands."""
        if hands == self._not_counted:
            return checks.END_COUNTED
        return None if hands <= self._hands_told else shared.HANDS

    def seat(self, line: Line, provisional: int) -> None:
        """The client has its seat, on this line."""
        self._line = line
        self._seat = DealerKitSeat(self._host.me, self._script, self._marks)
        self._host.connect(self._seat)
        self._seat.link.write(self._seat.register_query())
        self._seat.promises = self._promises
        self._seat.on_missed_cut = self._host.hear_client
        self._seat.on_introduction = self._judge.cuts.hear
        self._speech.connect(self._seat)

    async def begin(self) -> None:
        """Let it say who it is while the table forms, or while it waits for an open seat."""
        me = self._host.me
        if not self._script.takes_open_seat:
            infos = [nobody(player) for player in range(4)]
            infos[me] = person(me, self._host.session.seats[me].name)
            free = tuple(player for player in range(4) if player != me)
            waiting = Waiting(None, free, 0, _FORMING_MS)
            for told in (RegisterOpponents(tuple(infos)), waiting):
                self._seat.link.write(self._seat.beside(told))
        self._speech.hear()
        await self._send_items()
        await self._settle()
        if self._script.invites:
            await self._invite(FormingRequests())
        self._host.start()
        self._speech.hear()

    async def _invite(self, requests: FormingRequests) -> None:
        """Let it invite somebody, who does not come; invite it, if it waits for that."""
        self._host.answer_requests(requests)
        await self._converse()
        if requests.has_invited:
            self._seat.link.write(self._seat.beside(requests.over(is_own=True)))
        if requests.is_invitable:
            query = requests.invitation(self._host.session.setting)
            self._seat.link.write(self._seat.beside(query))
            await self._converse()
            if requests.has_answered:
                self._marks.show(agreements.INVITATION)
            self._seat.link.write(self._seat.beside(requests.over(is_own=False)))
        await self._converse()
        self._host.answer_requests(None)

    async def _converse(self) -> None:
        """Say what there is to say, and take in what comes, until nothing does."""
        while True:
            self._speech.hear()
            await self._send_items()
            if not await self._line.listen():
                return
            try:
                await self._take_aside(await read_frame(self._line))
            except LeftUs as why:
                raise self._suspicion.fault(agreements.INVITATION, str(why)) from None
            except NothingCame:
                return

    def recall(self, claimed: Return) -> None:
        """The client is back, and is told what it has missed."""
        self._returns += 1
        recall = self._host.recall(claimed)
        self._speech.recall()
        self._host.sit_again(recall)
        self._speech.hear(is_back=True)
        for item in self._speech.items:
            if isinstance(item, QueryDue):
                self._suspicion.turn_to(item.check)

    # Saying it

    async def run(self) -> None:
        """Say what there is to say, until the session is over. Raises ClientFault and Dropped."""
        while self._speech.items:
            due = await self._send_items()
            if due is not None:
                await self._take_choice(due)
            self._host.limit(self._speech.games, self._hands_told)
        await self._settle()
        self._suspicion.clear()
        if self._returns:
            self._marks.show(checks.PAST)
        if self._script.loses_end:
            self._marks.show(checks.END_COUNTED)
        if Twist.ABORT_FOR_NOW in self._script.twists.values():
            self._marks.show(checks.LATER)

    async def _send_items(self) -> QueryDue | None:
        """Say all up to the next choice that the client may make, which is given."""
        items = self._speech.items
        said: list[OutgoingFrames | QueryDue] = []
        due: QueryDue | None = None
        while items and due is None:
            item = items.popleft()
            if isinstance(item, LineLost):
                raise await self._lose_line(said)
            said.append(item)
            if isinstance(item, QueryDue):
                due = await self._come_to(item, said)
        while items and isinstance(aside := items[0], OutgoingFrames) and aside.event is None:
            said.append(aside)
            items.popleft()
        self._hands_told = self._host.table.past.hands_scored()
        await self._send(said)
        return due

    async def _lose_line(self, said: Sequence[OutgoingFrames | QueryDue]) -> Dropped:
        """The connection is lost behind this, before P_END_GAME."""
        scored = self._host.table.past.hands_scored()
        self._not_counted, self._hands_told = scored, scored - 1
        await self._send(said)
        return Dropped(Twist.DROP_BEFORE)

    async def _come_to(
        self, due: QueryDue, said: list[OutgoingFrames | QueryDue]
    ) -> QueryDue | None:
        """A query is to be said; it is given if its answer is to be waited for."""
        match due.twist:
            case Twist.FORCE_FIRST:
                self._host.force()
                self._speech.hear()
                self._suspicion.turn_to(checks.FORCED[due.question])
                return None
            case Twist.DROP_BEFORE:
                said.pop()
                # A cut may have been asked for since the hand was scored.
                while any(map(is_score, said)) and not is_score(said[-1]):
                    said.pop()
            case Twist.ABORT | Twist.ABORT_FOR_NOW:
                later = due.twist is Twist.ABORT_FOR_NOW
                follows = AbortLater.COME_BACK if later else AbortLater.NOTHING
                told = self._seat.beside(AbortGame(follows, _WHY_ABORTED))
                said.append(OutgoingFrames(told))
                self.aborted = not later
            case _:
                return due
        self._hands_told = self._host.table.past.hands_scored()
        await self._send(said)
        if not self.aborted:
            raise Dropped(due.twist)
        said.clear()
        self._speech.items.clear()
        return None

    # What the client answers

    async def _take_choice(self, due: QueryDue) -> None:
        if due.twist in (Twist.DROP_ASKED, Twist.DROP_DECIDED):
            raise Dropped(due.twist)
        self._speech.due = due
        if wish(self._host, self._script, due.twist):
            self._speech.hear()
            await self._flush()
        if due.question is Question.CUT and self._promises.is_double:
            await self._see_no_value(due)
            return
        answer = await self._answer(due)
        if answer is None:
            return
        if due.twist is Twist.DROP_ANSWERED:
            raise Dropped(due.twist)
        if due.twist is Twist.FORCE_CROSSING:
            await self._cross(due, answer)
            return
        (chosen,) = self._seat.receive(encode_frame(*answer))
        assert isinstance(chosen, Chosen)
        await self._see_one_answer(due)
        if self._speech.is_void(due):
            return
        is_legal = self._judge.is_legal(due.question, chosen.choice)
        if is_legal:
            self._praise(due)
        if is_legal and self._refusals.come_to(due.question, due.twist):
            self._judge.mislead()
            self._suspicion.turn_to(checks.RETRIES[due.question], proves=False)
            self._judge.want(cards_of(answer))
            self._seat.refuse_legal(due.question)
        else:
            self._host.give(chosen)
            if due.twist is Twist.DROP_CHOSEN:
                raise Dropped(due.twist)
        self._speech.hear()

    async def _answer(self, due: QueryDue) -> Frame | None:
        """The answer to this query; what comes before it is taken too.

        None if what it is about is broken off before.
        """
        while not self._speech.is_void(due):
            try:
                frame = await read_frame(self._line)
            except NothingCame as why:
                if self._script.wrong_proof and self._hands_told and isinstance(why, LeftUs):
                    self._marks.show(agreements.PROOF)
                    raise NotShown("the client left at the wrong proof") from None
                raise self._suspicion.fault(due.check, f"{why} where an answer is due") from None
            if AnswerHeader(frame.type, frame.number) == due.header:
                return frame
            await self._take_aside(frame)
            await self._flush()
        return None

    async def _see_one_answer(self, due: QueryDue) -> None:
        """See that no second answer comes, the first few times."""
        if self._marks.looks_closer(checks.ONE_ANSWER, due.question.value):
            await self._settle()
            self._marks.show(checks.ONE_ANSWER)

    async def _see_no_value(self, due: QueryDue) -> None:
        """The deal was promised twice, and not the same: see that no value is shown for it."""
        while await self._line.listen():
            frame = await read_frame(self._line)
            if AnswerHeader(frame.type, frame.number) == due.header:
                raise self._suspicion.fault(cuts.ONCE, "P_CUT is answered")
            await self._take_aside(frame)
            await self._flush()
        self._marks.show(cuts.ONCE)
        if self._line.is_over:
            raise NotShown("the client left at the second promise")
        self._host.force()
        self._speech.hear()

    async def _cross(self, due: QueryDue, answer: Frame) -> None:
        """The time is up while the answer is on its way."""
        cards = cards_of(answer)
        self._judge.want(cards)
        self._host.force(cards)
        self._speech.hear()
        await self._take_aside(answer)
        self._suspicion.turn_to(checks.FORCED[due.question])
        self._suspicion.turn_to(checks.TOO_LATE)

    def _praise(self, due: QueryDue) -> None:
        """An answer that is right; what it shows."""
        if due.check is not checks.ANSWERS[due.question]:
            self._marks.show(due.check)
        if self._speech.games > 1 and due.question is Question.CARD:
            self._marks.show(checks.SECOND_GAME)
            if self._speech.by_new_rules:
                self._marks.show(agreements.NEW_RULES)
        self._suspicion.clear()
