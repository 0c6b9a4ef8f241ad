"""What a client of the dealer dialect has sent, and which error each of it deserves (14.5)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from . import dealer_frames as p
from .dealer_frames import ServerFrame, expect
from .plain_client import Fact

NOTHING, TOO_LATE, NO_QUERY, OTHER_TYPE, NO_MEANING, ANSWERED = 0, -20, -21, -22, -23, -24
NOT_ALLOWED, NOT_NOW = -25, -26
ILLEGAL = {-1, -2, -4, -5, -6, -7}
COUNTED = ILLEGAL | {NO_MEANING}
"""The reasons that leave a query open."""
MOST_TRIES = 10


@dataclass(slots=True)
class Sent:
    """A frame that went out, and the reasons that may come back for it; 0 is no error at all."""

    type: int
    in_reply_to: int
    may: set[int]
    fact: Fact | None = None
    """What to note, with the reason as its status, if it is refused."""
    again: bool = False
    """Whether to answer again if it is refused."""
    tenth: bool = False
    ping: bytes | None = None

    def __str__(self) -> str:
        return f"our frame of type {self.type} in reply to {self.in_reply_to}"


class SentAnswers:
    """The frames whose fate is not known yet, in the order in which they went out."""

    def __init__(self) -> None:
        self._sent: deque[Sent] = deque()
        self._tries_sent: dict[int, int] = {}
        self._tries_told: dict[int, int] = {}
        self._decided: set[int] = set()

    def add(self, sent: Sent) -> None:
        if sent.may & COUNTED and sent.type in p.CHOICES:
            tries = self._tries_sent.get(sent.in_reply_to, 0) + 1
            self._tries_sent[sent.in_reply_to] = tries
            if tries >= MOST_TRIES:
                sent.tenth = True
                sent.may = {NOTHING, TOO_LATE}
        self._sent.append(sent)

    def error(self, frame: ServerFrame) -> Sent:
        """What this error is about. Raises Nonsense where it should not have come."""
        reason = frame["reason"]
        while self._sent:
            sent = self._sent.popleft()
            ours = (frame["in reply to"], frame["type"]) == (sent.in_reply_to, sent.type)
            if ours and reason in sent.may:
                self._check(frame, sent)
                return sent
            expect(
                NOTHING in sent.may, "{} came, but one of {} is due to {}", frame, sent.may, sent
            )
        expect(False, "{} came for nothing that we have sent", frame)
        raise AssertionError

    def _check(self, frame: ServerFrame, sent: Sent) -> None:
        kind = {p.DO_PASS: p.PASS_ERROR, p.LEAD_CARD: p.PLAY_ERROR, p.PLAY_CARD: p.PLAY_ERROR}
        expect(frame.type == kind.get(sent.type, p.ANSWER_ERROR), "{} answers {}", frame, sent)
        query, left = sent.in_reply_to, -1
        if frame["reason"] in COUNTED and sent.type in p.CHOICES:
            expect(query not in self._decided, "{}, but its query is decided", frame)
            self._tries_told[query] = self._tries_told.get(query, 0) + 1
            left = MOST_TRIES - self._tries_told[query]
        expect(frame["tries"] == left, "{}, where {} tries are left", frame, left)

    def pong(self, frame: ServerFrame) -> None:
        """All that was sent before the ping has had its error by now."""
        while self._sent:
            sent = self._sent.popleft()
            if sent.ping is not None:
                expect(
                    sent.ping == frame["ping"], "{}, but {} was the ping", frame, sent.ping.hex()
                )
                return
            expect(
                NOTHING in sent.may, "{} came, but one of {} is due to {}", frame, sent.may, sent
            )
        expect(False, "{} came without a ping", frame)

    def settle(self, query: int, by: int) -> None:
        """The query is decided. What is still under way for it can only be refused."""
        self._decided.add(query)
        taken = False
        for sent in list(self._sent):
            if sent.in_reply_to == query and by == p.THE_PLAYER and not taken:
                # What came before the answer that was taken has had its errors.
                expect(NOTHING in sent.may, "no error came for {}: {}", sent, sent.may)
                sent.may, taken = {NOTHING}, True
            elif sent.in_reply_to == query and by == p.THE_PLAYER:
                sent.may = {ANSWERED}
            elif sent.in_reply_to == query and not sent.tenth:
                sent.may = {TOO_LATE}
            elif by == p.THE_PLAYER and not taken and sent.ping is None:
                expect(NOTHING in sent.may, "no error came for {}: {}", sent, sent.may)

    def unsure(self, query: int) -> None:
        """The query is decided, but the server does not say by whom: a cut, or rules."""
        self._decided.add(query)
        for sent in self._sent:
            if sent.in_reply_to == query:
                after = {TOO_LATE} if NOTHING in sent.may else {TOO_LATE, ANSWERED}
                sent.may = (sent.may | after) - COUNTED
