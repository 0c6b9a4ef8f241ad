"""One session of the client under test, from its first connection to the end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import count

import trio

from hearts.hosting.store import Session, StoredSeat
from hearts.session.messages import Refusal
from hearts.session.registration import ComeBack, ListTables, RegistrationEnded
from hearts.table.inputs import Setting
from hearts.table.seat import Kind
from hearts_conformance.checks import ClientFault, Marks, NobodyCame, NotShown
from hearts_conformance.clients import Calls
from hearts_conformance.line import KitLine

from .chat import FIRST_GAME, ChatTable, number_text
from .checked_registration import JOINS, CheckedRegistration, see_process_id
from .conversation import Dropped, KitConversation
from .host import Host
from .script import ChatBehavior, NameTwist, Script, SendStyle, Twist

NO_RETURN = "the client does not come back"
NO_CHAT = "the client does not chat"
NO_LIST = "the client asks for no list of tables"
NO_NAMES = "the client proves no name"
NO_DAY = "the client does not ask for the deal of the day"
NO_LEVELS = "the client does not ask which levels are allowed"
_TABLE = "Conformance"
_NAMES = ("Kit", "Moe", "Larry", "Curly")
_WITH_GUESTS = ("Kit", "~Moe", "Larry", "~Curly")
_TURN_LIMIT = 60
_NO_GRACE = 1e12
"""Seconds until a stand-in plays: never, for the kit says what happens meanwhile."""
_CLOSING = 2.0
"""Seconds in which the last bytes leave."""
_RETURN_PATIENCE = 3
"""The time that a client has to come back, in patiences."""
_game_numbers = count(FIRST_GAME)


class SeatGone(Exception):
    """The client was told that its seat is gone, and did not ask for it again."""


class ScenarioRun(ABC):
    version: int | None = None

    def __init__(self, script: Script, calls: Calls, marks: Marks) -> None:
        self._script = script
        self._calls = calls
        self._marks = marks
        self._chat = ChatTable(script.chat, marks)
        self._game_number = next(_game_numbers)
        self._first_return = script.first_return
        self._line: KitLine | None = None
        self._named = -1
        """The hands with which the client came back last."""

    @abstractmethod
    def _new_conversation(self, host: Host) -> KitConversation:
        """Return the conversation with a client that has its seat at this table."""

    @abstractmethod
    async def _turn_away(self, registration: CheckedRegistration, refusal: Refusal) -> None:
        """Refuse a client that has registered, as the script wants it. Raises ClientFault."""

    @abstractmethod
    def _look_at(self, registration: CheckedRegistration) -> None:
        """Look at a registration that is complete. Raises ClientFault and NotShown."""

    async def chat(self, line: KitLine) -> None:
        await self._chat.serve(line)

    async def play(self) -> None:
        trouble: Exception | None = None
        async with trio.open_nursery() as nursery:
            try:
                await self._play(nursery)
            except (ClientFault, NotShown) as error:
                trouble = error
            except SeatGone:
                pass
            finally:
                if self._line is not None:
                    with trio.move_on_after(_CLOSING, shield=True):
                        await self._line.close()
            nursery.cancel_scope.cancel()
        if trouble is not None:
            raise trouble

    async def _play(self, nursery: trio.Nursery) -> None:
        script, marks = self._script, self._marks
        needed = NO_RETURN if script.drops else NO_CHAT if self._is_about_chat else ""
        needed = NO_LIST if script.tables is not None else needed
        needed = NO_NAMES if self._is_about_proofs else needed
        if needed in marks.habits:
            raise NotShown(f"left out: {needed}")
        try:
            registration = await self._meet()
        except ClientFault as fault:
            mark = marks[fault.check]
            if script.own not in marks or mark.failed or not mark.shown:
                raise
            if mark.check.section == marks[script.own].check.section:
                raise
            raise ClientFault(script.own, f"{mark.check.asks}: {fault.came}") from None
        if not registration.is_complete:
            check = "refused.reply" if registration.was_refused else "refused.player"
            await part(self._there, check, self._marks)
            return
        if script.refused_block is not None:
            raise NotShown("the client sends no block that could be refused")
        if script.tables is not None and ListTables not in registration.received:
            raise self._never(NO_LIST)
        if script.day:
            if not registration.visitor:
                raise NotShown(NO_DAY)
            self._show_asked()
        if self._is_about_proofs and registration.names.is_idle:
            raise self._never(NO_NAMES)
        if script.is_about_levels and not registration.has_asked_levels:
            raise NotShown(NO_LEVELS)
        if script.takes_open_seat and registration.table is None:
            raise NotShown("left out: the client goes to no table by its name")
        self._look_at(registration)
        see_process_id(marks, registration.process_id)
        if script.refusal is not None:
            await self._turn_away(registration, script.refusal)
            return
        self._sit_down(registration)
        await self._conversation.begin()
        while True:
            try:
                await self._conversation.run()
            except Dropped as dropped:
                await self._come_back(dropped.twist, nursery)
            else:
                break
        await self._finish()

    @property
    def _there(self) -> KitLine:
        """The client's line, once it has come."""
        assert self._line is not None
        return self._line

    def _never(self, habit: str) -> NotShown:
        """Note what the client does not do; later scenarios about it are left out."""
        self._marks.habits.add(habit)
        return NotShown(habit)

    @property
    def _is_about_chat(self) -> bool:
        return self._script.chat is not ChatBehavior.GOOD or self._script.own == "chat.hear"

    @property
    def _is_about_proofs(self) -> bool:
        return self._script.names not in (None, NameTwist.GUEST)

    # Coming

    async def _meet(self) -> CheckedRegistration:
        """Meet the client that begins the session, which may be refused a seat."""
        script = self._script
        while True:
            line = await self._next_line(self._calls.wait)
            if line is None:
                raise NobodyCame("no client came")
            registration = CheckedRegistration(line, self._marks, script, self.version)
            if script.at_once and script.refusal is not None:
                await registration.offer_seat(script.refusal)
                return registration
            await registration.offer_seat(self._provisional)
            await self._receive(registration)
            if registration.is_complete or registration.was_refused:
                return registration
            # Somebody wants to come back to a session that is over.
            await line.end()

    async def _receive(self, registration: CheckedRegistration) -> None:
        """Take a registration; one that is only there for the list ends with it."""
        try:
            await registration.receive(self._script.seat)
            return
        except ClientFault as fault:
            if registration.names.is_strange and self._there.is_over:
                self._marks.show(self._script.own)
                raise NotShown("the client proves nothing, and went") from None
            has_asked = registration.visitor or ListTables in registration.received
            if not has_asked or (self._script.tables is None and not self._script.day):
                raise
            if fault.check == "day.once":
                raise
            if fault.check != "register.process":
                asks = self._marks[fault.check].check.asks
                raise ClientFault(self._script.own, f"{asks}: {fault.came}") from None
        if not self._there.is_over:
            raise ClientFault(self._script.own, "nothing came behind what was asked for")
        self._show_asked()
        raise NotShown("the client has read what it asked for, and went")

    def _show_asked(self) -> None:
        """Show that what was asked for, and not played for, has been read."""
        self._marks.show(self._script.own)
        if self._script.day:
            self._marks.show("day.once")

    async def _register_again(self, line: KitLine) -> CheckedRegistration:
        registration = CheckedRegistration(
            line, self._marks, self._script, self.version, self._welcome
        )
        await registration.offer_seat(self._other_seat)
        await registration.receive(self._other_seat)
        return registration

    async def _next_line(self, limit: float) -> KitLine | None:
        line = await self._calls.next(limit)
        if line is not None:
            line.piecewise = self._script.style is SendStyle.SPLIT
            self._line = line
        return line

    @property
    def _provisional(self) -> int:
        return self._other_seat if JOINS in self._marks.habits else self._script.seat

    def _sit_down(self, registration: CheckedRegistration) -> None:
        own = StoredSeat(registration.name, Kind.CLIENT, registration.process_id)
        table = registration.table or _TABLE
        session = self._session(self._game_number, registration.player, own, table)
        self._host = Host(session, registration.player, self._script)
        self._chat.seat = self._host.credentials
        self._conversation = self._new_conversation(self._host)
        self._conversation.seat(self._there, self._provisional)

    def _session(self, number: int, me: int, own: StoredSeat, table: str = _TABLE) -> Session:
        """Return the session of a game number, in which the client or who plays for it has a
        seat.
        """
        script = self._script
        others = Kind.CLIENT if script.people else Kind.COMPUTER
        names = _NAMES if script.names is None else _WITH_GUESTS
        seats = [StoredSeat(name, others, 0) for name in names]
        seats[me] = own
        a, b, c, d = seats
        limit = _TURN_LIMIT if script.has_clock else 0
        setting = Setting(script.rules, script.end_score, limit, _NO_GRACE)
        return Session(number, table, False, setting, (a, b, c, d), begun=0)

    @property
    def _own(self) -> str:
        """The check that fails if something went wrong that went right in earlier scripts."""
        is_met = not self._is_about_chat or self._chat.happened
        return self._script.own if is_met and self._script.own in self._marks else ""

    # Coming back

    async def _come_back(self, twist: Twist, nursery: trio.Nursery) -> None:
        nursery.start_soon(self._there.drop)
        self._host.leave()
        if twist is Twist.DROP_DECIDED:
            self._host.force()
        await self._meet_again()
        self._marks.show("back.numbers")
        self._conversation.seat(self._there, self._other_seat)
        self._conversation.recall(self._claimed)

    async def _meet_again(self) -> None:
        limit = _RETURN_PATIENCE * self._calls.waits.patience
        while True:
            line = await self._next_line(limit)
            if line is None:
                if self._script.first_return is not None and self._first_return is None:
                    self._miss_retry("it did not come again")
                    raise NotShown("the client did not try again")
                raise self._never(NO_RETURN)
            registration = await self._register_again(line)
            if not registration.is_complete and self._script.first_return is Refusal.TABLE_TAKEN:
                await part(line, "back.over", self._marks)
                await self._see_no_return(limit)
            if not registration.is_complete:
                await line.end()
                continue
            if registration.back is None:
                await registration.refuse(Refusal.SERVER_FULL)
                await line.end()
                self._marks.habits.add(NO_RETURN)
                raise NotShown(f"{NO_RETURN}, it began anew")
            self._look_at(registration)
            if self._script.first_return is Refusal.NO_SUCH_GAME:
                if registration.back.hands == -1:
                    self._marks.show("back.power-cut")
                else:
                    self._miss_retry(f"it came again with hands {registration.back.hands}")
            elif self._script.first_return is not None:
                self._marks.show("back.try-again")
            return

    async def _see_no_return(self, limit: float) -> None:
        """Check that a client does not return whose seat is gone, and who was told so. Raises
        SeatGone and ClientFault.
        """
        line = await self._next_line(limit)
        if line is None:
            raise SeatGone
        self._first_return = Refusal.TABLE_TAKEN
        registration = await self._register_again(line)
        if not registration.is_complete:
            raise ClientFault("back.over", "it asked for the seat once more")
        # Another game is another thing, which is not played here.
        await registration.refuse(Refusal.SERVER_FULL)
        await line.end()
        raise SeatGone

    def _miss_retry(self, came: str) -> None:
        """Fail a client that takes -103 for the end of its seat, though it named hands."""
        if self._script.first_return is Refusal.NO_SUCH_GAME and self._named >= 1:
            self._marks.fail("back.power-cut", came)

    @property
    def _other_seat(self) -> int:
        return (self._script.seat + 1) % 4

    def _welcome(self, back: ComeBack) -> int:
        shown, right = back.shown, self._host.credentials
        if FIRST_GAME <= shown.game_number < right.game_number:
            raise RegistrationEnded(Refusal.NO_SUCH_GAME)
        if shown != right:
            raise ClientFault(
                "back.numbers", f"{number_text(shown)} came; {number_text(right)} is right"
            )
        fault = None if back.hands == -1 else self._conversation.miscount(back.hands)
        if fault is not None:
            scored = self._host.table.past.hands_scored()
            raise ClientFault(fault, f"hands {back.hands} came; {scored} hands were scored so far")
        self._marks.show("back.hands")
        self._named = back.hands
        if self._first_return is not None:
            refusal, self._first_return = self._first_return, None
            raise RegistrationEnded(refusal)
        self._claimed = self._host.claim(back.hands)
        return 1 + self._claimed.decided

    # Going

    async def _finish(self) -> None:
        self._marks.show("stream.stays")
        if self._conversation.ended:
            await part(self._there, "end.close", self._marks)
        if self._script.drops:
            self._marks.show("back.goes-on")
        if self._is_about_chat and not self._chat.happened:
            raise self._never(NO_CHAT)
        if self._own:
            self._marks.show(self._own)


async def part(line: KitLine, check: str, marks: Marks) -> None:
    """End the connection; the client has to say nothing and to close. Raises ClientFault."""
    goodbye = await line.end()
    if goodbye.said:
        raise ClientFault(check, f"{goodbye.said[:32].hex(' ')} came after the end")
    if not goodbye.closed:
        raise ClientFault(check, f"the client has not closed for {line.waits.patience:g} s")
    marks.show(check)
