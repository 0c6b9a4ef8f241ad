"""What the dealer asks a client, and the answers: each echoes the sequence of its query."""

from __future__ import annotations

from hearts.errors import Fault, LocalProtocolError, Reason, RemoteProtocolError
from hearts.session.wishes import AnswerInvitation
from hearts.table import GiveSeat, Question, Vote

from .answers import Answer
from .beside import ANSWERED
from .frames import encode_frame
from .numbers import MessageType

_UNASKED = {
    Vote: "nothing is proposed now",
    GiveSeat: "nobody asks for your seat now",
    AnswerInvitation: "nobody invites you now",
}
_REASONS: frozenset[int] = frozenset({*Reason, Fault.MEANINGLESS})


class ClientQueries:
    """The choice that is asked for, if one is, and what is asked beside the game."""

    __slots__ = ("_beside", "_is_sent", "_question", "_sequence", "_type")

    def __init__(self) -> None:
        self._question: Question | None = None
        self._type = MessageType.DO_PASS
        self._sequence = 0
        self._is_sent = False
        self._beside: dict[int, int] = {}

    @property
    def asked(self) -> Question | None:
        """What we have to choose now; ``None`` also when the answer is sent."""
        return None if self._is_sent else self._question

    def ask(self, question: Question, type: MessageType, sequence: int) -> None:
        """A choice is ours. Raises RemoteProtocolError while there is another one."""
        if self._question is not None:
            raise RemoteProtocolError("a choice is asked for while another one is open")
        self._question = question
        self._type = type
        self._sequence = sequence
        self._is_sent = False

    def expect(self, question: Question) -> None:
        """Raise LocalProtocolError if that is not asked for."""
        if self.asked is not question:
            raise LocalProtocolError(f"a choice of {question.value} is not asked for now")

    @property
    def type(self) -> MessageType:
        """That of the query, which is that of its answer."""
        return self._type

    def answer(self, answer: Answer) -> bytes:
        """The frame of our choice."""
        self._is_sent = True
        return encode_frame(self._type, self._sequence, answer.encode())

    def reopen(self, in_reply_to: int, reason: int) -> Question | None:
        """Our choice is not legal, and the query is open again; None if it is not that."""
        is_ours = self._question is not None and in_reply_to == self._sequence
        if not is_ours or not self._is_sent or reason not in _REASONS:
            return None
        self._is_sent = False
        return self._question

    def settle(self, question: Question) -> None:
        """The choice is made, whoever has made it."""
        if self._question is question:
            self._question = None

    # What is asked beside the game, of which the player thinks as long as they like

    def ask_beside(self, type: int, sequence: int) -> None:
        """We are asked for something that is not of the game."""
        self._beside[type] = sequence

    def answer_beside(self, answer: Vote | GiveSeat | AnswerInvitation) -> bytes:
        """The frame of our answer. Raises LocalProtocolError if nobody asks."""
        for type_, fields in ANSWERED.items():
            if type_ in self._beside and fields.value is type(answer):
                return encode_frame(type_, self._beside.pop(type_), fields.encode(answer))
        raise LocalProtocolError(_UNASKED[type(answer)])

    def end_vote(self) -> None:
        """Forget a vote that is settled."""
        self._beside.pop(MessageType.QUERY_NEW_RULES, None)
        self._beside.pop(MessageType.QUERY_ABORT, None)

    def settle_beside(self, type: int) -> None:
        """It is asked for no more."""
        self._beside.pop(type, None)

    def close(self) -> None:
        """Nothing is asked for any more."""
        self._question = None
        self._beside.clear()
