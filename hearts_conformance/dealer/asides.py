"""Takes what the client sends beside the answer that is waited for, and judges it."""

from __future__ import annotations

import struct

from hearts.dealer.frames import SERVER_PAYLOAD_LIMIT, Frame, FrameBuffer, encode_frame
from hearts.dealer.numbers import REQUESTS, MessageType
from hearts.dealer.seat import Introduced
from hearts.errors import Fault as Wrong
from hearts.errors import RemoteProtocolError
from hearts.table import Chosen, Input, Vote
from hearts_conformance.checks import Check, Fault, Marks

from . import checks
from .ear import spell
from .seat import KitSeat

_ERROR = struct.Struct(">3i")
"""How the payload of an error begins: in reply to, type, reason."""
_MOST = 1000
"""Frames between two choices after which a client is not listened to any more."""
_ERRORS = (MessageType.PASS_ERROR, MessageType.PLAY_ERROR, MessageType.ANSWER_ERROR)
_FAILS = {
    Wrong.NOT_ASKED: checks.IN_REPLY_TO,
    Wrong.WRONG_TYPE: checks.ANSWER_TYPE,
    Wrong.ANSWERED: checks.ONE_ANSWER,
}
_MEANT = {
    MessageType.REGISTER_PLAYER: checks.REGISTER,
    MessageType.QUERY_NEW_RULES: checks.VOTE,
}
"""What an answer without meaning fails; a request, where it is none of these."""


class Asides:
    """Gives frames to the seat, as a server does, and looks at what it says of them."""

    def __init__(self, seat: KitSeat, marks: Marks) -> None:
        self._seat = seat
        self._marks = marks
        self._late: set[int] = set()
        self._useless = 0
        self.past = 0
        """The sequence of P_REPLAY 0; 0 where there was no replay."""

    def take(self, frame: Frame) -> tuple[list[Input | Introduced], bytes]:
        """What the frame amounts to, and what is to be said to it at once. Raises Fault."""
        given = self._receive(frame)
        self._useless = 0 if any(isinstance(one, Chosen) for one in given) else self._useless + 1
        if self._useless > _MOST:
            raise Fault(checks.NOTIFIED, f"{_MOST} frames came in a row that choose nothing")
        replies = self._seat.take_replies()
        errors = FrameBuffer(SERVER_PAYLOAD_LIMIT)
        errors.feed(replies)
        while (error := errors.take()) is not None:
            if error.type in _ERRORS:
                _, _, reason = _ERROR.unpack_from(error.payload)
                self._look_at(frame, Wrong(reason))
        if frame.type in REQUESTS:
            self._marks.show(checks.REQUEST)
        for one in given:
            match one:
                case Introduced():
                    self._marks.show(checks.REGISTER)
                case Vote():
                    self._marks.show(checks.VOTE)
                case _:
                    pass
        return given, replies

    def _receive(self, frame: Frame) -> list[Input | Introduced]:
        try:
            return self._seat.receive(encode_frame(*frame))
        except RemoteProtocolError as error:
            raise Fault(checks.FRAMES, str(error)) from None

    def _look_at(self, frame: Frame, reason: Wrong) -> None:
        check: Check | None = _FAILS.get(reason)
        if reason is Wrong.MEANINGLESS:
            check = _MEANT.get(MessageType(frame.type), checks.REQUEST)
        elif reason is Wrong.NOT_ASKED and self.past and frame.number <= self.past:
            check = checks.PAST
        elif reason is Wrong.TOO_LATE:
            # One answer may have been on its way.
            check = checks.TOO_LATE if frame.number in self._late else None
            self._late.add(frame.number)
        if check is not None:
            raise Fault(check, f"{spell(frame)} came: {reason.text}")
