"""Clients that are broken on purpose, each in one way, as a programmer breaks them."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable, Generator
from dataclasses import replace

import trio

from tests.independent.plain_client import (
    ClientHabits,
    Closed,
    Nonsense,
    OwnSession,
    Request,
    Talk,
    Ticket,
    Write,
    judge,
    string,
)

from .clients import GONE, ClientProgram

# Broken in the conversation


class AcksWrongly(OwnSession):
    def _ack(self) -> Talk:
        yield from self._send(self.me + 1)


class AcksStatus(OwnSession):
    def _play(self) -> Generator[Request, bytes, int]:
        card = yield from super()._play()
        yield from self._ack()
        return card


class SkipsAckOfHand(OwnSession):
    _skips = "hand"
    _skip = False

    def _note(self, kind: str, *numbers: int, texts: tuple[str, ...] = ()) -> None:
        super()._note(kind, *numbers, texts=texts)
        self._skip = kind == self._skips

    def _ack(self) -> Talk:
        if self._skip:
            self._skip = False
        else:
            yield from super()._ack()


class SkipsAckOfScores(SkipsAckOfHand):
    _skips = "scores"


class SendsCard(OwnSession):
    def _choose(self, *numbers: int) -> Talk:
        if len(numbers) == 1 and self._memory.cards and 0 <= numbers[0] < 13 and _on_turn(self):
            numbers = (self._memory.cards[numbers[0]],)
        yield from super()._choose(*numbers)


def _on_turn(session: OwnSession) -> bool:
    last = next(fact.kind for fact in reversed(session.facts) if fact.kind not in ("play", "taunt"))
    return last in ("leads", "saw")


class ShiftsIndexes(OwnSession):
    def _choose(self, *numbers: int) -> Talk:
        if len(numbers) == 1 and _on_turn(self):
            left = [index for index in range(13) if self._memory.held[index]]
            numbers = (left.index(numbers[0]),) if numbers[0] in left else numbers
        yield from super()._choose(*numbers)


class IgnoresNegative(OwnSession):
    def _int(self) -> Generator[Request, bytes, int]:
        number = yield from super()._int()
        return 0 if self._awaits_status and number < 0 else number

    _awaits_status = False

    def _choose(self, *numbers: int) -> Talk:
        yield from super()._choose(*numbers)
        self._awaits_status = True

    def _note(self, kind: str, *numbers: int, texts: tuple[str, ...] = ()) -> None:
        self._awaits_status = False
        super()._note(kind, *numbers, texts=texts)


class Leaves(OwnSession):
    """Closes when it has noted something."""

    def _note(self, kind: str, *numbers: int, texts: tuple[str, ...] = ()) -> None:
        super()._note(kind, *numbers, texts=texts)
        if self._why(kind, numbers):
            raise Nonsense(f"{kind} {numbers}")

    def _why(self, kind: str, numbers: tuple[int, ...]) -> bool:
        raise NotImplementedError


class RepeatsTheCard(OwnSession):
    """Sends the card that was refused once more."""

    def _card_index(self) -> int:
        self._indexes_tried.clear()
        memory = self._memory
        return next(
            index
            for index in range(13)
            if memory.held[index] and judge(memory.cards[index], memory, self._rules) == 0
        )


class PlainTriesCards(OwnSession):
    """Finds a card that is legal by trying those that it holds, as section 4.4 allows."""

    def _card_index(self) -> int:
        held = {index for index in range(13) if self._memory.held[index]}
        return self.random.choice(sorted(held - self._indexes_tried or held))


class AcksSomeStatuses(OwnSession):
    """Acks one status in ten."""

    _statuses = 0

    def _play(self) -> Generator[Request, bytes, int]:
        card = yield from super()._play()
        self._statuses += 1
        if self._statuses % 10 == 0:
            yield from self._ack()
        return card


class LeavesAtTallies(Leaves):
    """Closes for no reason of its own at the end of the third trick."""

    def _why(self, kind: str, numbers: tuple[int, ...]) -> bool:
        return sum(fact.kind == "tallies" for fact in self.facts) == 3


class SendsTwice(OwnSession):
    def _choose(self, *numbers: int) -> Talk:
        yield from super()._choose(*numbers)
        yield from super()._choose(*numbers)


class IgnoresReceived(OwnSession):
    def _pass(self) -> Talk:
        before = list(self._memory.cards)
        yield from super()._pass()
        self._memory.cards[:] = before


class ActsOnItsOwnChoice(OwnSession):
    """Marks the card that it has sent as played, whatever the status says."""

    def _play(self) -> Generator[Request, bytes, int]:
        memory = self._memory
        index = self._card_index()
        status = -1
        while status < 0:
            yield from self._choose(index)
            status = yield from self._int()
        memory.held[index] = False
        self._note("play", index, status)
        return memory.cards[index]


class LittleEndian(OwnSession):
    def _send(self, *numbers: int) -> Talk:
        yield Write(struct.pack(f"<{len(numbers)}i", *numbers))


class LeadsHearts(OwnSession):
    def _card_index(self) -> int:
        hearts = [i for i in range(13) if self._memory.held[i] and self._memory.cards[i] <= 13]
        if hearts and not self._memory.trick and not self._memory.first:
            return hearts[0]
        return super()._card_index()


class LeadsAnything(OwnSession):
    def _card_index(self) -> int:
        memory = self._memory
        if memory.first and not memory.trick and self._tries < 2:
            self._tries += 1
            return next(i for i in reversed(range(13)) if memory.cards[i] != 15)
        self._tries = 0
        return super()._card_index()

    _tries = 0


class KnowsNoQueen(OwnSession):
    """Plays by the standard rules, whatever Table says."""

    def _card_index(self) -> int:
        memory = self._memory
        legal = [
            index
            for index in range(13)
            if memory.held[index] and judge(memory.cards[index], memory, 0) == 0
        ]
        return self.random.choice(legal) if self.random.random() < 0.9 else super()._card_index()


class PlainOwnCycle(OwnSession):
    """Holds in every fourth hand, whatever Pass says."""

    def _pass(self) -> Talk:
        hands = sum(fact.kind == "hand" for fact in self.facts)
        yield from self._ack() if hands % 4 == 0 else super()._pass()


class LooksFirst(OwnSession):
    """Sends nothing for a status that has come already."""

    has_come: Callable[[], bool]

    def _choose(self, *numbers: int) -> Talk:
        if not self.has_come():
            yield from super()._choose(*numbers)


class TakesRefusalsForReplies(OwnSession):
    """Goes on whatever the reply of a block is."""

    def _refused(self, code: int) -> Generator[Request, bytes, bool]:
        if any(fact.kind == "seated" for fact in self.facts) or self.me < 0:
            return (yield from super()._refused(code))
        yield from self._send(self.settings.process_id)
        yield from self._int()
        return False


class AcksRefusals(OwnSession):
    """Takes what comes behind the Process ID for a Game number, whatever its sign."""

    def _refused(self, code: int) -> Generator[Request, bytes, bool]:
        if self.me >= 0:
            yield from self._ack()
        return (yield from super()._refused(code))


class KnowsOneTable(OwnSession):
    """Takes each list of tables for one with a single table."""

    def _listed_table(self) -> Talk:
        if not any(fact.kind == "listed" for fact in self.facts):
            yield from super()._listed_table()


class KnowsOneLine(OwnSession):
    """Takes what it is told of the days for one line."""

    def _told(self) -> Talk:
        if not any(fact.kind == "told" for fact in self.facts):
            yield from super()._told()


class ForgetsItsSeat(ClientProgram):
    """Takes the first -103 for the end of its seat."""

    def is_over(self, session: OwnSession) -> bool:
        refused = any(fact.kind == "refused" and fact.numbers[0] == -103 for fact in session.facts)
        return refused or super().is_over(session)


class PlainAsksForeverForItsSeat(ClientProgram):
    """Takes -104 for something that passes."""

    def is_final(self, code: int) -> bool:
        return code != -104 and super().is_final(code)


# Broken below or beside the conversation


class PlainOneRecv(ClientProgram):
    """Takes what a recv gives for a message, and forgets what is behind it."""

    async def read(self, count: int, stream: trio.abc.HalfCloseableStream) -> bytes:
        if not self.unread:
            self.unread = bytes(await stream.receive_some(4096))
            if not self.unread:
                raise Closed
        answer, self.unread = self.unread[:count], self.unread[count:]
        return answer.ljust(count, b"\0")

    async def write(self, data: bytes, stream: trio.abc.HalfCloseableStream) -> None:
        self.unread = b""
        await super().write(data, stream)


class SaysNothingForForced(ClientProgram):
    session = LooksFirst

    def talks(self, session: OwnSession) -> None:
        assert isinstance(session, LooksFirst)
        session.has_come = lambda: bool(self.unread)


class _NamesItself(ClientProgram):
    """Sends its name in other bytes."""

    async def write(self, data: bytes, stream: trio.abc.HalfCloseableStream) -> None:
        if data.endswith(b"\0") and len(data) < 40 and data[4:5].isalpha():
            data = self.named(data[4:])
        await super().write(data, stream)

    def named(self, text: bytes) -> bytes:
        raise NotImplementedError


class BadLength(_NamesItself):
    """Forgets the NUL in the length of its name."""

    def named(self, text: bytes) -> bytes:
        return struct.pack(">i", len(text) - 1) + text


class LongLength(_NamesItself):
    """Counts the NUL of its name twice."""

    def named(self, text: bytes) -> bytes:
        return struct.pack(">i", len(text) + 1) + text


class LatinName(_NamesItself):
    """Sends its name in another encoding than UTF-8."""

    def named(self, text: bytes) -> bytes:
        latin = text.decode().encode("latin-1")
        return struct.pack(">i", len(latin)) + latin


class PlainSameProcessId(ClientProgram):
    """Has one Process ID for all its sessions."""

    chats = False

    def begin(self, ticket: Ticket | None, before: OwnSession | None) -> OwnSession:
        return self.session(replace(self.settings, process_id=4711), ticket)


class CountsProcessIds(ClientProgram):
    """Counts its sessions, from a number of its own."""

    chats = False
    counter = itertools.count(1_700_000_000)

    def begin(self, ticket: Ticket | None, before: OwnSession | None) -> OwnSession:
        process_id = next(self.counter) if ticket is None else ticket.process_id
        return self.session(replace(self.settings, process_id=process_id), ticket)


class HoldsAcks(ClientProgram):
    """Collects what it writes, until it has thought about its choice."""

    settings = ClientHabits(name="Zoë", think_chance=1.0, think_seconds=2.0)
    _unsent = b""

    async def write(self, data: bytes, stream: trio.abc.HalfCloseableStream) -> None:
        self._unsent += data

    async def read(self, count: int, stream: trio.abc.HalfCloseableStream) -> bytes:
        unsent, self._unsent = self._unsent, b""
        if unsent:
            await super().write(unsent, stream)
        return await super().read(count, stream)


class BareTaunts(ClientProgram):
    """Sends the numbers of its seat once, and its taunts without them."""

    def taunt(self, numbers: bytes) -> bytes:
        return string("hello")


class LongTaunts(ClientProgram):
    """Counts the NUL of a taunt twice."""

    def taunt(self, numbers: bytes) -> bytes:
        return numbers + b"\0\0\0\x07hello\0"


class WrongTaunts(ClientProgram):
    def chat_numbers(self, game: int, game_id: int, player: int, process_id: int) -> bytes:
        return struct.pack(">4i", game, player, game_id, process_id)


class DiesWithChat(ClientProgram):
    def chat_is_over(self) -> None:
        self.scope.cancel()


class PlainCountsHandsWrongly(ClientProgram):
    def remembered(self, ticket: Ticket) -> Ticket:
        return replace(ticket, hands=ticket.hands + 1)


class NewProcessId(ClientProgram):
    def remembered(self, ticket: Ticket) -> Ticket:
        return replace(ticket, process_id=ticket.process_id + 1)


class Mute(ClientProgram):
    """Connects, and says nothing."""

    async def run(self) -> None:
        stream = await self._call()
        while await stream.receive_some(4096):
            pass
        await trio.sleep_forever()


class Flood(ClientProgram):
    """Sends without end, whatever comes."""

    async def run(self) -> None:
        stream = await self._call()
        try:
            while True:
                await stream.send_all(bytes(4096))
                await trio.lowlevel.checkpoint()
        except GONE:
            pass


# Broken at an open seat


class BeginsAtZero(Leaves):
    """It takes its first Scores for what its first hand gave."""

    def _why(self, kind: str, numbers: tuple[int, ...]) -> bool:
        is_first = sum(fact.kind == "scores" for fact in self.facts) == 1
        return kind == "scores" and is_first and sum(numbers[:4]) not in (26, 78)


# Levels of computers


class WantsLevels(OwnSession):
    """Asks which levels are allowed, and wants the best of these."""

    known = (1, 2, 5, 3, 4)

    def _send(self, *numbers: int) -> Talk:
        if numbers == (self.settings.process_id,):
            yield Write(struct.pack(">2i", -15, 0))
            allowed = yield from self._int()
            level = self._wanted(allowed)
            yield Write(struct.pack(">2i", -15, 4) + bytes([level] * 4))
            self._look_at_reply((yield from self._int()))
        yield from super()._send(*numbers)

    def _wanted(self, allowed: int) -> int:
        return max((level for level in self.known if allowed >> level & 1), default=0)

    def _look_at_reply(self, reply: int) -> None:
        """It is all the same."""


class WantsTheBestAnyway(WantsLevels):
    def _wanted(self, allowed: int) -> int:
        return 4


class LeavesWithoutItsLevel(WantsLevels):
    def _send(self, *numbers: int) -> Talk:
        if numbers == (self.settings.process_id,):
            yield Write(struct.pack(">2i", -15, 4) + bytes([4] * 4))
            if not (yield from self._int()):
                raise Nonsense("my level is refused")
        yield from OwnSession._send(self, *numbers)


class KnowsAllLevels(WantsLevels):
    """It has no word for a level of a later server."""

    def _wanted(self, allowed: int) -> int:
        if allowed.bit_length() > 6:
            raise Nonsense("a level without a word")
        return super()._wanted(allowed)
