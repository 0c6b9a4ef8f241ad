"""What a client of the dealer dialect sends: answers to what it was asked, and requests.

Each answer says to which query it is, so whatever comes late, twice or for nothing is refused in
words, and the game stays in step (DealerSpec.md section 14.5).
"""

from __future__ import annotations

from msgspec import Struct

from hearts.errors import Fault, Reason, RemoteProtocolError
from hearts.game.events import ChooseMoon, ChosenBy, Pass, Play
from hearts.table import (
    MAX_TRIES,
    Abort,
    AnswerAgain,
    CameLate,
    Choice,
    Chosen,
    ClaimRest,
    Cut,
    Decline,
    GiveSeat,
    Input,
    OpenSeat,
    ProposeAbort,
    ProposeRules,
    Question,
    ReplacePlayer,
    Resign,
    Vote,
    Wish,
)

from . import answers, messages
from .answers import ANSWERS, Answer
from .frames import CLIENT_PAYLOAD_LIMIT, Frame, FrameBuffer
from .message import Message
from .numbers import REQUESTS, MessageType, PlayerKind
from .queries import Queries, Query
from .requests import TYPES, AnswerInvitation, HostRequest, host_request
from .speaker import Speaker

EARLY_LIMIT = 8192
"""Bytes that may wait while the table takes up an input."""
USELESS_LIMIT = 100
"""Answers that are to nothing, between two that are taken."""

_ERRORS: dict[int, MessageType] = {
    MessageType.DO_PASS: MessageType.PASS_ERROR,
    MessageType.LEAD_CARD: MessageType.PLAY_ERROR,
    MessageType.PLAY_CARD: MessageType.PLAY_ERROR,
}
_REQUEST_TYPES = {
    ProposeRules: MessageType.PROPOSE_RULES,
    ProposeAbort: MessageType.PROPOSE_ABORT,
    ReplacePlayer: MessageType.REPLACE_PLAYER,
    OpenSeat: MessageType.OPEN_SEAT,
    Resign: MessageType.LEAVE_TABLE,
    ClaimRest: MessageType.CLAIM_REST,
}


class Introduced(Struct, frozen=True, gc=False):
    """A player has said who he is."""

    player: int
    kind: PlayerKind
    level: int
    comment: str
    next_hash: bytes
    """That of their value for the next deal, 32 bytes; empty if they do not cut."""


class Listener(Speaker):
    """One client: what it was asked, and the inputs that its bytes amount to."""

    __slots__ = (
        "_buffer",
        "_queries",
        "_replies",
        "_requests",
        "_useless",
        "early",
        "follows",
        "idle",
        "pieces",
        "player",
    )

    def __init__(self, player: int) -> None:
        super().__init__()
        self.player = player
        self._queries = Queries()
        self._buffer = FrameBuffer(CLIENT_PAYLOAD_LIMIT)
        self._replies: list[bytes] = []
        self._requests: list[HostRequest] = []
        self._useless = 0
        self.follows = False
        """Whether the client wants to be told of its own table."""
        self.early = b""
        """Bytes that wait until the table has taken up the input before them."""
        self.idle = 0
        """Frames that nobody waited for, since somebody last asked and set it to 0."""
        self.pieces = 0
        """Pieces that bytes came in, since then or since the latest frame that was due."""

    has_words = True
    owes_recalled_choice = False
    """The past is not asked again."""

    @property
    def asked(self) -> bool:
        """Whether a query is open."""
        return bool(self._queries)

    @property
    def has_caught_up(self) -> bool:
        """Whether the client owes nothing earlier than the open choice: it never owes more."""
        return self._queries.has_choice

    @property
    def owes(self) -> bool:
        """Whether the client owes acknowledgements; there are none."""
        return False

    def receive(self, data: bytes) -> list[Input | Introduced]:
        """The inputs that bytes from the client amount to, in order.

        It stops behind an input that the table may answer, so that what follows is read when that
        is done; give it nothing then, until :attr:`early` is empty. Raises RemoteProtocolError for
        a frame that is too long, and for too many answers to nothing.
        """
        if data:
            self.pieces += 1
        self._buffer.feed(self.early + data)
        self.early = b""
        inputs: list[Input | Introduced] = []
        while (frame := self._buffer.take()) is not None:
            given = self._take(frame)
            if self._useless >= USELESS_LIMIT:
                raise RemoteProtocolError(f"{USELESS_LIMIT} answers in a row were to nothing")
            if given is not None:
                inputs.append(given)
                if not isinstance(given, CameLate | Introduced):
                    self.early = self._buffer.take_rest()
                    break
        if len(self.early) > EARLY_LIMIT:
            raise RemoteProtocolError(f"more than {EARLY_LIMIT} bytes came before they were due")
        return inputs

    def take_replies(self) -> bytes:
        """What is to be written at once for what was just received."""
        if not self._replies:
            return b""
        replies = b"".join(self._replies)
        self._replies.clear()
        return replies

    def take_requests(self) -> list[HostRequest]:
        """What was asked of the host; it is given out once."""
        if not self._requests:
            return self._requests
        requests, self._requests = self._requests, []
        return requests

    def _take(self, frame: Frame) -> Input | Introduced | None:
        kind = ANSWERS.get(frame.type)
        if kind is None:
            self.idle += 1
            return None
        if not frame.number and (
            frame.type in REQUESTS or frame.type == MessageType.REGISTER_PLAYER
        ):
            self.idle += 1
            return self._take_request(frame, kind)
        query = self._queries.take(frame.number, frame.type)
        if isinstance(query, Fault):
            self._refuse(frame, query)
            is_choice = frame.type != MessageType.CUT
            return CameLate(self.player) if query is Fault.TOO_LATE and is_choice else None
        self.pieces = 0
        return self._take_answer(query, frame, kind)

    def _take_answer(
        self, query: Query, frame: Frame, kind: type[Answer]
    ) -> Input | Introduced | None:
        try:
            answer = kind.decode(frame.payload)
        except RemoteProtocolError:
            if query.question is None:
                self._refuse(frame, Fault.MEANINGLESS)
                return None
            query.answered = query.meaningless = True
            return Chosen(self.player, None)
        query.answered = True
        match answer:
            case answers.Introduction():
                self._useless = 0
                self._queries.settle(query.type, by_player=True)
                return self._introduced(answer)
            case answers.RulesAnswer(agreed) | answers.AbortAnswer(agreed):
                self._useless = 0
                return Vote(self.player, agreed)
            case answers.GiveSeatAnswer(agreed):
                self._useless = 0
                return GiveSeat(self.player, agreed)
            case answers.InvitationAnswer(agreed):
                self._useless = 0
                self._queries.settle(query.type, by_player=True)
                self._requests.append(AnswerInvitation(agreed))
                return None
            case _:
                return Chosen(self.player, self._choice(answer))

    def _introduced(self, said: answers.Introduction) -> Introduced:
        next_hash = said.next_hash if said.cuts else b""
        return Introduced(self.player, said.kind, said.level, said.comment, next_hash)

    def _choice(self, answer: Answer) -> Choice:
        player = self.player
        match answer:
            case answers.LeadAnswer():
                return Play(player, answer.card)
            case answers.PassAnswer(cards):
                return Pass(player, cards)
            case answers.MoonAnswer(on_others):
                return ChooseMoon(player, on_others)
            case answers.AgainAnswer(yes):
                return AnswerAgain(player, yes)
            case answers.CutAnswer(value, next_hash):
                return Cut(player, value, next_hash)
            case _:
                raise AssertionError(f"a {type(answer).__name__} is no choice")

    def _take_request(self, frame: Frame, kind: type[Answer]) -> Input | Introduced | None:
        try:
            request = kind.decode(frame.payload)
        except RemoteProtocolError:
            self._refuse(frame, Fault.MEANINGLESS)
            return None
        match request:
            case answers.Ping(payload):
                self._replies.append(self._say(messages.Pong(payload)))
                return None
            case answers.ProposeRulesRequest(info):
                return ProposeRules(self.player, info.rules, info.end_score)
            case answers.ProposeAbortRequest(whole_game):
                return ProposeAbort(self.player, Abort.GAME if whole_game else Abort.HAND)
            case answers.ReplacePlayerRequest(seat):
                return ReplacePlayer(self.player, seat)
            case answers.OpenSeatRequest(seat):
                return OpenSeat(self.player, seat)
            case answers.Introduction():
                return self._introduced(request)
            case answers.LeaveTableRequest():
                return Resign(self.player)
            case answers.ClaimRestRequest():
                return ClaimRest(self.player)
            case _:
                self._requests.append(host_request(request))
                return None

    def _refuse(self, frame: Frame, fault: Fault) -> None:
        self.idle += 1
        self._useless += 1
        self._replies.append(self._error(frame.number, frame.type, fault))

    # What becomes of queries

    def ask_for_host(self, query: Message) -> bytes:
        """The host asks something; the answer is a request to it."""
        self._open(query.TYPE)
        return self._say(query)

    def settle_for_host(self, query: type[Message]) -> None:
        """The host waits for the answer no more."""
        self._queries.settle(query.TYPE, by_player=False)

    def made_before(self) -> None:
        """The open choice was made over a connection that is lost; it is settled any moment."""
        for query in self._queries:
            if query.question is not None:
                query.answered = True

    def refuse(self, reason: Reason) -> bytes:
        """A choice is not legal; its query is open again."""
        query = next(query for query in self._queries if query.question is not None)
        is_meaningless = query.meaningless or query.question is Question.CUT
        why: Reason | Fault = Fault.MEANINGLESS if is_meaningless else reason
        query.answered = query.meaningless = False
        query.tries += 1
        return self._error(query.number, query.type, why, MAX_TRIES - query.tries)

    def decline(self, declined: Decline) -> bytes:
        """A wish cannot be met."""
        self._useless += 1
        return self._error(0, _REQUEST_TYPES[type(declined.wish)], declined.fault)

    def granted(self, wish: Wish) -> bytes:
        """A wish is met, now or when its time has come.

        Clients that never asked for anything new need not know the message.
        """
        if not self.follows and not isinstance(wish, Resign):
            return b""
        return self._say(messages.Taken(_REQUEST_TYPES[type(wish)]))

    def decline_request(self, request: HostRequest, fault: Fault) -> bytes:
        """The host cannot do that."""
        self._useless += 1
        return self._error(0, TYPES[type(request)], fault)

    def _open(self, type: MessageType, question: Question | None = None, tries: int = 0) -> None:
        """The next frame is a query; ``tries`` were made at it over another connection."""
        self._queries.open(Query(type, self._sequence + 1, question, tries))

    def _settle(self, question: Question, by: ChosenBy) -> None:
        if by is ChosenBy.PLAYER:
            self._useless = 0
        self._queries.settle(question, by_player=by is ChosenBy.PLAYER)

    def _settle_if_answered(self, what: Question | MessageType) -> None:
        query = self._queries.find(what)
        if query is not None:
            self._queries.settle(what, by_player=query.answered and not query.meaningless)

    def _error(self, number: int, type: int, reason: Reason | Fault, tries_left: int = -1) -> bytes:
        error = messages.AnswerError(number, type, reason, tries_left, reason.text)
        return self._frame(_ERRORS.get(type, MessageType.ANSWER_ERROR), error.encode())
