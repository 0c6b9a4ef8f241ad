"""Clients of the dealer dialect that are broken on purpose, each in one way."""

from __future__ import annotations

import secrets
import struct
from collections.abc import Callable, Generator
from dataclasses import replace
from random import Random

from tests.independent import dealer_frames as frames
from tests.independent.dealer import DealerWatcher, PlayerConnection
from tests.independent.dealer_answers import NOT_NOW, NOTHING
from tests.independent.dealer_frames import FrameTrick, ServerFrame, decode, encode, expect, ints
from tests.independent.dealer_hands import CUTS, playing
from tests.independent.dealer_line import Answered, Heard
from tests.independent.dealer_proof import DealPromise, Values
from tests.independent.plain_client import (
    Nonsense,
    OwnSession,
    Read,
    Request,
    Talk,
    Think,
    Ticket,
    Write,
)

from . import broken
from .dealer_clients import DealerProgram, Dealing

TAKE_BACK, NOT_ALONE = 228, -28

# Broken in its answers


def _writes(name: str, answer: Callable[[ServerFrame, bytes], bytes]) -> type[Dealing]:
    """A client that answers a query with other bytes."""

    def say(
        self: Dealing, query: ServerFrame, payload: bytes, may: set[int], **more: object
    ) -> Talk:
        yield Write(answer(query, payload))

    return type(name, (Dealing,), {"_say": say})


def _chooses(name: str, choice: Callable[[Dealing, ServerFrame, bytes], bytes]) -> type[Dealing]:
    """A client that chooses something else than what is right."""

    def choose(self: Dealing, query: ServerFrame) -> bytes:
        return choice(self, query, Dealing._right_choice(self, query))

    return type(name, (Dealing,), {"_right_choice": choose})


AnswersTheFrameBefore = _writes(
    "AnswersTheFrameBefore",
    lambda query, payload: encode(query.type, query.sequence - 1, payload),
)
LeadsAsItPlays = _writes(
    "LeadsAsItPlays",
    lambda query, payload: encode(
        frames.PLAY_CARD if query.type == frames.LEAD_CARD else query.type, query.sequence, payload
    ),
)
AnswersTwice = _writes(
    "AnswersTwice", lambda query, payload: 2 * encode(query.type, query.sequence, payload)
)
# It writes the length in the wrong order of bytes.
Swapped = _writes(
    "Swapped",
    lambda query, payload: (
        struct.pack(">2i", query.type, query.sequence) + struct.pack("<i", len(payload)) + payload
    ),
)
# It counts the 12 bytes of the header as part of the payload.
CountsTheHeader = _writes(
    "CountsTheHeader",
    lambda query, payload: (
        struct.pack(">3i", query.type, query.sequence, 12 + len(payload)) + payload
    ),
)
# It passes by hand index, as in the plain dialect.
SendsIndexes = _chooses(
    "SendsIndexes",
    lambda client, query, right: ints(*client._three()) if query.type == frames.DO_PASS else right,
)
SaysTwo = _chooses(
    "SaysTwo", lambda client, query, right: ints(2) if query.type == frames.MOON_CHOICE else right
)
# It answers with 8 bytes, as was asked for before hashes were.
ShortCuts = _chooses(
    "ShortCuts", lambda client, query, right: bytes(8) if query.type == frames.CUT else right
)


class Acks(Dealing):
    """Acks each card of the others, as in the plain dialect."""

    def _own_card(self, played: ServerFrame) -> None:
        super()._own_card(played)
        self._owes_ack = True

    _owes_ack = False

    def _peek(self, waits: tuple[int, ...] = ()) -> Heard:
        if self._owes_ack:
            self._owes_ack = False
            yield Write(ints(self.me))
        return (yield from super()._peek(waits))


class PlaysAnything(Dealing):
    """Plays its cards from the first to the last."""

    def _right_choice(self, query: ServerFrame) -> bytes:
        if query.type not in (frames.LEAD_CARD, frames.PLAY_CARD):
            return super()._right_choice(query)
        held = [card for card in self._order if card in self._memory.holding()]
        self._tries = self._tries + 1 if query.sequence == self._tried else 0
        self._tried = query.sequence
        return ints(held[self._tries % len(held)])

    _tries = _tried = 0

    @property
    def _order(self) -> list[int]:
        return list(range(1, 53))


class TriesCards(PlaysAnything):
    """Finds a card that is legal by trying those that it holds, in any order."""

    @property
    def _order(self) -> list[int]:
        return Random(self._tried).sample(range(1, 53), 52)


class LeavesAtTheThirdTrick(Dealing):
    """Closes for no reason of its own."""

    def _right_choice(self, query: ServerFrame) -> bytes:
        if sum(frame.type == frames.LOSE_CARD for frame in self.frames) == 3:
            raise Nonsense("the program has a mistake here")
        return super()._right_choice(query)


class GivesUp(Dealing):
    """Does not answer again."""

    def _error(self, frame: ServerFrame) -> Talk:
        yield from ()


class AnswersAgainWhateverCame(Dealing):
    """Answers again after every error, too late or not."""

    def _error(self, frame: ServerFrame) -> Talk:
        yield Write(encode(frame["type"], frame["in reply to"], self._latest))

    _latest = b""

    def _say(self, query: ServerFrame, payload: bytes, may: set[int], **more: object) -> Talk:
        self._latest = payload
        yield Write(encode(query.type, query.sequence, payload))


class Blind(Dealing):
    """Looks at nothing but its own hand."""

    def _check_query(self, query: ServerFrame, waits: tuple[int, ...]) -> None:
        """It would see there what is legal."""


class LosesAtItsAnswer(Blind):
    """Takes a card from its hand when it answers, and not when it is told to."""

    _sent = 0

    def _turn(self, player: int, trick: FrameTrick) -> Talk:
        if player == self.me:
            memory = self._memory
            kind = frames.PLAY_CARD if memory.trick else frames.LEAD_CARD
            lost = yield from self._query(kind, frames.LOSE_CARD, playing(player))
            memory.held[memory.cards.index(self._sent)] = False
            self._lost = lost["card"], lost["by"]

    def _right_choice(self, query: ServerFrame) -> bytes:
        payload = super()._right_choice(query)
        if query.type in (frames.LEAD_CARD, frames.PLAY_CARD):
            (self._sent,) = struct.unpack(">i", payload)
        return payload


class KeepsItsPass(Blind):
    """Goes on with the 13 cards that it was dealt."""

    def _pass_on(self, direction: int) -> Talk:
        before = list(self._memory.cards)
        yield from super()._pass_on(direction)
        self._memory.cards[:] = before


# Broken where it cuts


class SaysNoHash(Dealing):
    """Says that it cuts, and not which value is next."""

    def _introduction(self) -> tuple[bytes, set[int]]:
        payload, may = super()._introduction()
        self._said = None
        return payload[:-32], may


class ShowsAnotherValue(Dealing):
    """Tries another value than the promised one first."""

    _tried = 0

    def _right_choice(self, query: ServerFrame) -> bytes:
        value = super()._right_choice(query)
        is_first, self._tried = self._tried != query.sequence, query.sequence
        return bytes(31) + value[31:] if query.type == frames.CUT and is_first else value


class _OneValue(Values):
    """The same value for every promise."""

    def value(self, number: int) -> bytes:
        return super().value(0)

    def take(self, promise: DealPromise, seat: int) -> bool:
        return True

    def of(self, promise: DealPromise | None) -> bytes:
        return self.value(0)


class _OwnValues(DealerProgram):
    """Has values of its own for each connection."""

    values: Callable[[], Values]

    def begin(self, ticket: Ticket | None, before: OwnSession | None) -> OwnSession:
        session = super().begin(ticket, before)
        assert isinstance(session, PlayerConnection)
        session.values = type(self).values()
        return session


class CutsAlwaysTheSame(_OwnValues):
    values = staticmethod(lambda: _OneValue(bytes(32)))


class ForgetsItsValues(_OwnValues):
    values = staticmethod(lambda: Values(secrets.token_bytes(32)))


class Patient(Dealing):
    """Plays on where a deal is promised a second time, and shows nothing for it."""

    def _cut(self, promised: ServerFrame | None) -> Talk:
        promise = self._record.promise
        if (yield from self._peek(CUTS)).type != frames.DEAL_COMMITMENT or promise is None:
            yield from super()._cut(promised)
            return
        yield from self._take(frames.DEAL_COMMITMENT)
        self.values.take(promise, self.me)
        query = yield from self._take(frames.CUT, waits=CUTS)
        yield from self._see_second_promise(query)

    def _see_second_promise(self, query: ServerFrame) -> Talk:
        yield from ()


class ShowsItsValueTwice(Patient):
    """Shows its value for whatever is promised last."""

    def _see_second_promise(self, query: ServerFrame) -> Talk:
        yield from self._say(query, self._right_choice(query), {NOTHING})


class StopsAtASecondPromise(Patient):
    """Says no hash from then on."""

    def _send_next_hash(self) -> Talk:
        yield from ()


# Broken in its frames


class DiesOfUnknown(Dealing):
    def _skip(self, kind: int) -> None:
        raise Nonsense(f"type {kind}")


class DiesOfLonger(Dealing):
    def _decode(self, kind: int, sequence: int, data: bytes) -> ServerFrame:
        return decode(kind, sequence, data, self._past)


class ExpectsOwnChoices(Dealing):
    """Takes no card that a computer has chosen for a person."""

    def _card(self, played: ServerFrame) -> bool:
        expect(
            played["by"] != frames.A_COMPUTER or played["player"] in self._computers, f"{played}"
        )
        return super()._card(played)


class DiesOfWaiting(Dealing):
    """Expects what was decided right behind its answer."""

    def _react(self, frame: ServerFrame) -> Generator[Request, bytes, bool]:
        if frame.type == frames.WAITING and frame["state"] != 401:
            raise Nonsense(f"{frame}")
        return (yield from super()._react(frame))


class OneRecv(DealerProgram, broken.PlainOneRecv):
    """Takes what a recv gives for a message, and forgets what is behind it."""


class Floods(Dealing):
    """Sends without end what nobody knows."""

    def _sit(self) -> Generator[Request, bytes, bool]:
        yield from self._take(frames.REGISTER_PLAYER)
        while True:
            yield Write(encode(999, 0, bytes(64)))


# Broken in what it knows better than the dealer


class OwnCycle(Dealing):
    """Holds in every fourth hand, whatever P_NEW_HAND says."""

    def _pass_on(self, direction: int) -> Talk:
        if self._number is not None and self._number % 4 == 0:
            yield from self._take(frames.FIRST_LEAD)
        yield from super()._pass_on(direction)


# Broken where it looks on


class ExpectsWholeHands(DealerWatcher):
    """Leaves at the end of the past, in the middle of a trick."""

    def _aside(self, frame: ServerFrame) -> bool:
        expect(frame.type != frames.REPLAY or frame["begins"] == 1, "the hand is under way")
        return super()._aside(frame)


class WatchesAllTheSame(DealerWatcher):
    """Goes on behind a refusal."""

    def _place(self) -> Answered:
        return abs((yield from super()._place()))


# Broken at the ends, and when it comes back


class StaysWhenRefused(Dealing):
    def _turned_away(self, frame: ServerFrame) -> Generator[Request, bytes, bool]:
        yield Think(1e6)
        return False


class TakesRefusalsForFrames(Dealing):
    """Answers whatever comes first, whatever its sign."""

    def _frame(self) -> Heard:
        if self.frames:
            return (yield from super()._frame())
        kind, sequence, length = yield from self._ints(3)
        if kind < 0:
            yield Write(encode(frames.REGISTER_PLAYER, 1, ints(3, 0, 0, 1) + b"\0"))
            raise Nonsense(f"type {kind}")
        frame = self._decode(kind, sequence, (yield Read(length)))
        self.frames.append(frame)
        return frame


class AnswersThePast(Dealing):
    """Answers what it has lost, as in the plain dialect each choice that is decided."""

    def _take(self, *kinds: int, waits: tuple[int, ...] = ()) -> Heard:
        frame = yield from super()._take(*kinds, waits=waits)
        if frame.past and frame.type == frames.LOSE_CARD:
            yield Write(encode(frames.PLAY_CARD, frame.sequence, ints(frame["card"])))
        return frame


class CountsAtDoneHand(Dealing):
    """Counts a hand that ends a game before its P_END_GAME."""

    @property
    def ticket(self) -> Ticket | None:
        ticket = super().ticket
        if ticket is None or self._came_with is not None:
            return ticket
        return replace(ticket, hands=sum(frame.type == frames.DONE_HAND for frame in self.frames))


class LongPings(Dealing):
    """Pings with more than 64 bytes."""

    def _answer(self) -> Talk:
        yield Write(encode(frames.PING, 0, bytes(65)))
        yield from super()._answer()


class Claims(Dealing):
    """Claims the rest at every lead, and answers when that is refused."""

    def _answer(self) -> Talk:
        assert self._open is not None
        if self._open.type == frames.LEAD_CARD:
            yield from self._request(frames.CLAIM_REST, b"", {NOT_NOW})
        yield from super()._answer()


class ClaimsAndWaits(Claims):
    """Takes it for granted that a claim is taken."""

    def _answer(self) -> Talk:
        assert self._open is not None
        if self._open.type == frames.LEAD_CARD and self._memory.holding() != self._memory.cards:
            yield from self._request(frames.CLAIM_REST, b"", {NOT_NOW})
            return
        yield from Dealing._answer(self)


class TakesBackAndWaits(Dealing):
    """Takes it for granted that its choice is taken back."""

    def _answer(self) -> Talk:
        assert self._open is not None
        if self._open.type == frames.LEAD_CARD and self._memory.holding() != self._memory.cards:
            yield from self._request(TAKE_BACK, ints(0), {NOT_ALONE})
            return
        yield from super()._answer()


class SaysTooHighALevel(DealerProgram):
    settings = replace(DealerProgram.settings, level=2000)


class KnowsNoStanding(DealerProgram):
    """It takes P_STANDING for a part of a replay, and each seat for one of a new table."""

    settings = replace(DealerProgram.settings, table="friends")
