"""A player of the dealer dialect who is asked: queries, answers good and bad, and their errors.

`dealer.py` has the rest of a player. What may be sent back for a bad answer is in section 14.5 of
SocketSpec.md.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Generator
from dataclasses import dataclass

from . import dealer_answers as a
from . import dealer_frames as p
from . import plain_client as client
from .dealer_answers import Sent, SentAnswers
from .dealer_frames import ServerFrame, encode, expect, ints
from .dealer_line import Heard
from .dealer_proof import NO_VALUE, SeatRecord, Values
from .dealer_story import WaitNotice
from .plain_client import Fact, Request, Talk, Ticket, judge


@dataclass(frozen=True, slots=True)
class Wish:
    """A request to send when deal `deal` is announced, and the reason it gets; 0: it is taken."""

    deal: int
    type: int
    payload: bytes
    reason: int = 0


@dataclass(frozen=True, slots=True)
class DealerSettings(client.ClientHabits):
    """How a client of the dealer dialect behaves. The parts are 0 to 1, each for every query."""

    version: int = 1
    kind: int = 3
    level: int = 0
    comment: str = ""
    cuts: bool = False
    registers: int = 0
    """The deal at which it says who it is; 0 at once, -1 never."""
    agrees: bool | None = True
    """To other rules; None does not answer."""
    wishes: tuple[Wish, ...] = ()
    late: float = 0.0
    """The part of all queries that is answered only when the server has decided."""
    doubled: float = 0.0
    unasked: float = 0.0
    mistyped: float = 0.0
    short: float = 0.0
    unknown: float = 0.0
    pings: float = 0.0
    newcomer: bool = False
    """It takes an open seat of a table that plays (14.8)."""
    committed: bool = True
    """The server deals from secrets, as all do but those of some tests."""


class AskedPlayer(WaitNotice):
    """The part of a player that is asked and answers."""

    audience = "YAW"
    settings: DealerSettings

    def __init__(
        self,
        settings: DealerSettings,
        ticket: Ticket | None = None,
        records: dict[int, SeatRecord] | None = None,
        values: Values | None = None,
    ) -> None:
        super().__init__(settings, ticket, records, committed=settings.committed)
        key = f"{settings.name} {settings.process_id} {settings.seed} {ticket}"
        self.values = values or Values(hashlib.sha256(key.encode()).digest())
        self._is_stranger = ticket is not None and values is None
        """True if we have come back and know nothing of what we have said before."""
        self._said: bytes | None = None
        """The hash that was said last over this connection."""
        self._is_heard = False
        """True if the server has it."""
        self.version = settings.version
        self._newcomer = settings.newcomer
        self._joins = self._joins or self._newcomer
        self.errors: list[int] = []
        """The reasons of all errors that came."""
        self._answers = SentAnswers()
        self._open: ServerFrame | None = None
        self._valid: tuple[int, ...] | None = None
        """What we have answered the open query with, where that is legal."""
        self._owed: bytes | None = None
        """The answer that we give when it is too late."""
        self._who: ServerFrame | None = None
        """P_REGISTER_PLAYER, until it is answered."""
        self._replies = 0
        """Choices of ours that are decided in the past that is to come."""

    # -- what comes at any place --

    def _react(self, frame: ServerFrame) -> Generator[Request, bytes, bool]:
        if frame.type in p.ERRORS:
            yield from self._error(frame)
        elif frame.type == p.PONG:
            self._answers.pong(frame)
        elif frame.type == p.WAITING:
            self._check_waiting(frame)
        elif frame.type == p.QUERY_NEW_RULES:
            expect(self.me != 0, "{}, but we are player 0", frame)
            expect(
                0 <= frame["left"] <= 60_000 and frame["state"] == 417, "{}: no such time", frame
            )
            if self.settings.agrees is not None:
                agreed = ints(int(self.settings.agrees))
                yield from self._say(frame, agreed, {a.NOTHING, a.TOO_LATE})
        else:
            return frame.type == p.RULES_STAY
        return True

    def _error(self, frame: ServerFrame) -> Talk:
        sent, reason = self._answers.error(frame), frame["reason"]
        self.errors.append(reason)
        if sent.fact is not None and reason in a.COUNTED:
            illegal = reason if reason in a.ILLEGAL else -1
            self._note(sent.fact.kind, *sent.fact.numbers, illegal)
        if sent.type == p.CUT and reason == a.TOO_LATE:
            self._record.value = NO_VALUE
            self._said, self._is_heard = None, False
        mine = self._open is not None and self._open.sequence == sent.in_reply_to
        if sent.again and mine and reason in a.COUNTED:
            yield from self._answer()

    # -- sending --

    def _say(
        self,
        query: ServerFrame,
        payload: bytes,
        may: set[int],
        *,
        kind: int | None = None,
        fact: Fact | None = None,
        again: bool = False,
    ) -> Talk:
        """An answer; `may` are the reasons that may come back for it."""
        kind = query.type if kind is None else kind
        self._answers.add(Sent(kind, query.sequence, set(may), fact, again))
        yield client.Write(encode(kind, query.sequence, payload))

    def _request(self, kind: int, payload: bytes, may: set[int], ping: bytes | None = None) -> Talk:
        self._answers.add(Sent(kind, 0, may, ping=ping))
        yield client.Write(encode(kind, 0, payload))

    def _chance(self, part: float) -> bool:
        return part > 0 and self.random.random() < part

    def _misbehave(self, query: ServerFrame) -> Talk:
        """All that a good client does not do; nothing of it may change the game."""
        settings, rng = self.settings, self.random
        if self._chance(settings.unknown):
            yield client.Write(encode(rng.randrange(300, 1000), 0, rng.randbytes(9)))
        if self._chance(settings.unasked):
            other = rng.choice([0, -1, 10**6, query.sequence + 10**4, self._notification()])
            self._answers.add(Sent(p.DO_PASS, other, {a.NO_QUERY}))
            yield client.Write(encode(p.DO_PASS, other, ints(1, 2, 3)))
        if self._chance(settings.mistyped):
            kinds = {
                p.LEAD_CARD: p.PLAY_CARD,
                p.PLAY_CARD: p.LEAD_CARD,
                p.MOON_CHOICE: p.PLAY_AGAIN,
            }
            kind = kinds.get(query.type, p.MOON_CHOICE)
            payload = self._right_choice(query) if kind in (p.LEAD_CARD, p.PLAY_CARD) else ints(1)
            yield from self._say(query, payload, {a.OTHER_TYPE}, kind=kind)
        if self._chance(settings.short):
            yield from self._say(query, b"\0\0\0", {a.NO_MEANING})
        if self._chance(settings.pings):
            ping = rng.randbytes(rng.randrange(65))
            yield from self._request(p.PING, ping, {a.NOTHING}, ping)

    def _notification(self) -> int:
        return next(frame.sequence for frame in self.frames if frame.type == p.SEATED)

    def _introduce(self) -> Talk:
        """Answer P_REGISTER_PLAYER."""
        query = self._who
        if query is None:
            return
        self._who = None
        payload, may = self._introduction()
        yield from self._say(query, payload, may)

    def _introduction(self) -> tuple[bytes, set[int]]:
        """P_REGISTER_PLAYER, and the reasons that may come back for it."""
        settings = self.settings
        payload = ints(settings.kind, settings.level, int(settings.cuts))
        payload += client.string(settings.comment)
        if settings.cuts:
            self._said, self._is_heard = self.values.next_hash, False
            payload += self._said
        fits = settings.kind in (3, 4, 5) and 0 <= settings.level <= 1000
        fits = fits and len(settings.comment.encode()) <= 127
        return payload, {a.NOTHING} if fits else {a.NO_MEANING}

    def _send_next_hash(self) -> Talk:
        """Say the hash of our next value, where the one that we said is used up."""
        if self.settings.cuts and not self._who and self._said != self.values.next_hash:
            yield from self._request(p.REGISTER_PLAYER, *self._introduction())

    # -- queries --

    def _query(self, kind: int, decided: int, waits: tuple[int, ...]) -> Heard:
        """Be asked, answer, and hear what was decided; only the last, where that is past.

        What decides a cut is left for the story to take.
        """
        frame = yield from self._peek(waits)
        if frame.type == decided and frame.past:
            self._replies -= 1
            return (yield from self._take(decided))
        query = yield from self._take(kind, waits=waits)
        expect(self._replies <= 0, "{}, but {} choices more are decided", query, self._replies)
        self._check_query(query, waits)
        if kind != p.CUT:
            yield from self._send_next_hash()
        self._open, self._valid = query, None
        yield from self._answer()
        frame = yield from self._peek(waits)
        self._open = None
        if kind == p.CUT:
            self._answers.unsure(query.sequence)
        else:
            frame = yield from self._take(decided, waits=waits)
            by = frame["by"]
            is_played_for = self.people[self.me].presence == p.STAND_IN
            most = p.A_COMPUTER if self._played_out else p.THE_CLOCK + is_played_for
            expect(by <= most, "{}, but we are here", frame)
            chosen = self._decision(frame)
            expect(by or chosen == self._valid, "{}, but we chose {}", frame, self._valid)
            self._answers.settle(query.sequence, by)
            self._is_heard |= self._said is not None and by == p.THE_PLAYER
        if self._owed is not None:
            payload, self._owed = self._owed, None
            yield from self._say(query, payload, {a.TOO_LATE})
        return frame

    def _check_query(self, query: ServerFrame, waits: tuple[int, ...]) -> None:
        left, most = query["left"], self._limit
        if query.type != p.CUT:
            self._check_bank(query)
        expect((left == -1) == (most == 0) and left <= most, "{}: {} is the limit", query, most)
        # While all pass the state names the lowest who has not; that may be we, or one below us.
        expect(waits[0] <= query["state"] <= waits[-1], "{}: the state is {}", query, waits)

    def _check_bank(self, query: ServerFrame) -> None:
        """As 5.4 has it; only at a public table there may be one."""
        free, stock, most = query["free"], query["stock"], self._limit
        if free == stock == -1:
            return
        expect(most > 0 and 0 <= 3 * free <= most + 2, "{}: a third of {} is free", query, most)
        expect(0 <= stock <= max(4 * most, 120_000), "{}: no bank has so much", query)
        # Who comes back in the middle of a choice has 5 s more.
        longest = max(free + stock, min(most, 8000)) + 5000
        expect(query["left"] <= longest, "{}: it has {}", query, longest)

    def _decision(self, frame: ServerFrame) -> tuple[int, ...]:
        """What was decided, to compare with an answer."""
        if frame.type == p.LOSE_PASS:
            return tuple(frame["cards"])
        field = {p.LOSE_CARD: "card", p.MOON_CHOSEN: "on others", p.AGAIN_DECIDED: "yes"}[
            frame.type
        ]
        return (frame[field],)

    def _answer(self) -> Talk:
        query, settings = self._open, self.settings
        assert query is not None
        yield from self._misbehave(query)
        if self._chance(settings.think_chance):
            yield client.Think(self.random.uniform(0, settings.think_seconds))
        if self._slips() and (wrong := self._wrong_choice(query)) is not None:
            payload, reasons, fact = wrong
            yield from self._say(query, payload, reasons, fact=fact, again=True)
            return
        if query.type == p.CUT and self._value is None:
            return
        payload = self._right_choice(query)
        if self._chance(settings.late) and query["left"] >= 0:
            self._owed = payload
            return
        if query.type == p.CUT:
            self._record.value = payload[:32]
            self._said, self._is_heard = payload[32:], False
        else:
            chosen = struct.unpack(f">{len(payload) // 4}i", payload)
            if query.type == p.PLAY_AGAIN:
                chosen = (int(chosen[0] != 0),)
            self._valid = chosen
        yield from self._say(query, payload, {a.NOTHING, a.TOO_LATE})
        if self._chance(settings.doubled):
            yield from self._say(query, payload, {a.ANSWERED, a.TOO_LATE})

    @property
    def _value(self) -> bytes | None:
        return self.values.of(self._record.promise)

    def _right_choice(self, query: ServerFrame) -> bytes:
        memory = self._memory
        if query.type == p.DO_PASS:
            return ints(*(memory.cards[index] for index in self._three()))
        if query.type in (p.LEAD_CARD, p.PLAY_CARD):
            return ints(memory.cards[self._card_index()])
        if query.type == p.CUT:
            assert self._value is not None
            return self._value + self.values.next_hash
        if query.type == p.MOON_CHOICE:
            return ints(1 if self.settings.plodding else self.random.randrange(2))
        if query.type == p.PLAY_AGAIN and self._again > 0:
            return ints(self.random.choice([1, 1, 2, -7]))
        return ints(0)

    def _wrong_choice(self, query: ServerFrame) -> tuple[bytes, set[int], Fact | None] | None:
        """An illegal choice, the reasons that it may get, and what is noted then."""
        memory, rng = self._memory, self.random
        strange = rng.choice([0, -1, 53, 2**31 - 1])
        missing = rng.choice([card for card in range(1, 53) if card not in memory.holding()])
        if query.type == p.DO_PASS:
            cards = [memory.cards[index] for index in self._three()]
            cards[2], may = rng.choice(
                [(cards[0], {-1}), (missing, {-1}), (strange, {a.NO_MEANING})]
            )
            return ints(*cards), may, Fact("passing", tuple(self._index(card) for card in cards))
        if query.type in (p.LEAD_CARD, p.PLAY_CARD):
            illegal = [(card, {judge(card, memory, self._rules)}) for card in memory.holding()]
            illegal = [(card, may) for card, may in illegal if may != {0}]
            card, may = rng.choice([*illegal, (missing, {-1}), (strange, {a.NO_MEANING})])
            return ints(card), may, Fact("play", (self._index(card),))
        if query.type == p.CUT:
            return rng.randbytes(64), {a.NO_MEANING}, None
        if query.type == p.MOON_CHOICE:
            choice = rng.choice([2, -1, 7])
            return ints(choice), {a.NO_MEANING}, Fact("deciding", (choice,))
        return None

    def _index(self, card: int) -> int:
        cards = self._memory.cards
        return cards.index(card) if card in cards else 13
