"""The frames of a client of the dealer dialect: answers to what it was asked, and requests.

Each answer names its query. So an answer that comes late, twice or to no query is refused in words,
and the game stays in step (DealerSpec.md section 14.5). A watcher sends little (14.9).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import suppress
from typing import final

from msgspec import Struct

from hearts.errors import Fault, Reason, RemoteProtocolError
from hearts.game.events import BY_PLAYER, ChosenBy
from hearts.session.table_words import (
    Beside,
    Declined,
    Given,
    Introduced,
    InvitationMessage,
    InvitationOver,
    Taken,
)
from hearts.session.wishes import AskHost, LobbyWish
from hearts.table.inputs import (
    CameLate,
    Chosen,
    OpenSeat,
    ProposeAbort,
    ProposeRules,
    Question,
    ReplacePlayer,
)
from hearts.table.seat import MAX_TRIES

from . import messages
from .beside import ANSWERS, GIVEN, PING, REQUESTS, WISHES
from .frames import CLIENT_PAYLOAD_LIMIT, HEADER, Frame, FrameBuffer, MessageType
from .messages import Said, as_frame
from .structures import WATCHER


class Speaker:
    """Makes frames, each with the next sequence."""

    __slots__ = ("_sequence",)

    def __init__(self) -> None:
        self._sequence = 0

    def beside(self, told: Beside) -> bytes:
        return self._encode(told)

    def _encode(self, message: Said) -> bytes:
        return self._frame(*as_frame(message))

    def _frame(self, type: int, payload: bytes) -> bytes:
        self._sequence += 1
        return HEADER.pack(type, self._sequence, len(payload)) + payload


class Unnumbered(Speaker):
    """Makes frames for watchers, all with the number 0."""

    __slots__ = ()

    def _frame(self, type: int, payload: bytes) -> bytes:
        return HEADER.pack(type, 0, len(payload)) + payload


class Hearer(Speaker):
    """The bytes of one client, and the immediate replies to them."""

    __slots__ = ("_buffer", "_replies", "early", "follows", "idle", "pieces")

    speaks_dealer = True

    def __init__(self) -> None:
        super().__init__()
        self._buffer = FrameBuffer(CLIENT_PAYLOAD_LIMIT)
        self._replies: list[bytes] = []
        self.follows = False
        """True if the client wants to be told of its own table."""
        self.early = b""
        """Bytes that wait until the client is let in, or the table has taken up its last input."""
        self.idle = 0
        """Frames that nobody waited for, since somebody last asked and set it to 0."""
        self.pieces = 0
        """Pieces that bytes came in, since then or since the latest frame that was due."""

    def take_replies(self) -> bytes:
        if not self._replies:
            return b""
        replies = b"".join(self._replies)
        self._replies.clear()
        return replies

    def _reply_to_ping(self, payload: bytes) -> None:
        self._replies.append(self._encode(messages.Pong(PING.decode(payload).payload)))


_CHOICES = tuple(Question)
FATES_KEPT = 256
"""Settled queries that are remembered; an answer to an older one is to none at all."""


@final
class Query(Struct):
    """Something that a client was asked, as long as it is open."""

    type: int
    number: int
    """The sequence of its frame."""
    question: Question | None
    """The choice that is asked for; None if it is not one of the game's."""
    tries: int = 0
    """Answers that were refused."""
    answered: bool = False
    """True if an answer came and was not refused."""
    meaningless: bool = False
    """True if the latest answer meant nothing."""


class Queries:
    """The queries that are open, and the fates of the latest that are settled."""

    __slots__ = ("_fates", "_oldest", "_open")

    def __init__(self) -> None:
        self._open: dict[Question | int, Query] = {}
        """At most one for each choice of the game, and for each type that asks for none."""
        self._fates = array("I")
        """Twice the number of each query that is settled, and 1 more if its answer did that. A
        table with four clients would hold 100 kB of dicts and numbers."""
        self._oldest = 0
        """The index of the oldest fate, which the next one replaces if FATES_KEPT are there."""

    def __iter__(self) -> Iterator[Query]:
        return iter(self._open.values())

    def __len__(self) -> int:
        return len(self._open)

    @property
    def has_choice(self) -> bool:
        """True while a query for a choice of the game is open."""
        return not self._open.keys().isdisjoint(_CHOICES)

    def open(self, query: Query) -> None:
        """Note a query that was asked; it settles an open one of its kind."""
        what = query.type if query.question is None else query.question
        if what in self._open:
            self.settle(what, by_player=False)
        self._open[what] = query

    def find(self, what: Question | int) -> Query | None:
        """Return the open query for a choice of the game, or of a type that asks for none."""
        return self._open.get(what)

    def settle(self, what: Question | int, *, by_player: bool) -> None:
        """Note that the query is decided, if there is one; ``by_player`` if by its answer."""
        query = self._open.pop(what, None)
        if query is None:
            return
        fate = 2 * query.number + by_player
        if len(self._fates) < FATES_KEPT:
            self._fates.append(fate)
        else:
            self._fates[self._oldest] = fate
            self._oldest = (self._oldest + 1) % FATES_KEPT

    def take(self, number: int, type: int) -> Query | Fault:
        """Return the query that an answer is to, or the fault if there is none."""
        for query in self._open.values():
            if query.number == number:
                if query.answered:
                    return Fault.ANSWERED
                return query if query.type == type else Fault.WRONG_TYPE
        if 2 * number + 1 in self._fates:
            return Fault.ANSWERED
        return Fault.TOO_LATE if 2 * number in self._fates else Fault.NOT_ASKED


EARLY_LIMIT = 8192
"""Bytes that may wait while the table takes up an input."""
_OF_WATCHERS = (MessageType.ASK_TABLE, MessageType.ASK_HOST)
IDLE_BYTES = 65_536
"""Bytes that a watcher may send without a ping among them."""
USELESS_LIMIT = 100
"""Answers that are to nothing, between two that are taken."""

_ERRORS: dict[int, type[messages.AnswerError]] = {
    MessageType.DO_PASS: messages.PassError,
    MessageType.LEAD_CARD: messages.PlayError,
    MessageType.PLAY_CARD: messages.PlayError,
}
_UNANSWERED = (CameLate, Introduced, LobbyWish)
"""Inputs that no table answers."""
_TOLD_BY_WHAT_FOLLOWS = (ProposeRules, ProposeAbort, ReplacePlayer, OpenSeat)


class Listener(Hearer):
    """One client: what it was asked, and the inputs that its bytes amount to."""

    __slots__ = ("_invited", "_queries", "_useless", "player")

    def __init__(self, player: int) -> None:
        super().__init__()
        self.player = player
        self._queries = Queries()
        self._invited = 0
        """The number by which the player is invited, if there is an invitation."""
        self._useless = 0

    owes_recalled_choice = False
    """The past is not asked again."""

    @property
    def asked(self) -> bool:
        return bool(self._queries)

    @property
    def has_caught_up(self) -> bool:
        """True while a choice is open: the client never owes anything earlier."""
        return self._queries.has_choice

    def receive(self, data: bytes) -> list[Given]:
        """Return the inputs that bytes from the client amount to, in order.

        It stops after an input that the table may answer; the rest is read when that is done. Give
        it nothing in the meantime, until :attr:`early` is empty. Raises RemoteProtocolError for a
        frame that is too long, and for too many answers to nothing.
        """
        if data:
            self.pieces += 1
        self._buffer.feed(self.early + data)
        self.early = b""
        inputs: list[Given] = []
        while (frame := self._buffer.take()) is not None:
            given = self._accept(frame)
            if self._useless >= USELESS_LIMIT:
                raise RemoteProtocolError(f"{USELESS_LIMIT} answers in a row were to nothing")
            if given is not None:
                inputs.append(given)
                if type(given) is Chosen or not isinstance(given, _UNANSWERED):
                    self.early = self._buffer.take_rest()
                    break
        if len(self.early) > EARLY_LIMIT:
            raise RemoteProtocolError(f"more than {EARLY_LIMIT} bytes came before they were due")
        return inputs

    def _accept(self, frame: Frame) -> Given | None:
        if frame.type not in ANSWERS:
            self.idle += 1
            return None
        if not frame.number and (
            frame.type in REQUESTS or frame.type == MessageType.REGISTER_PLAYER
        ):
            self.idle += 1
            try:
                return self._request(frame)
            except RemoteProtocolError:
                self._refuse(frame, Fault.MEANINGLESS)
                return None
        query = self._queries.take(frame.number, frame.type)
        if type(query) is not Query:
            self._refuse(frame, query)
            is_choice = frame.type != MessageType.CUT
            return CameLate(self.player) if query is Fault.TOO_LATE and is_choice else None
        self.pieces = 0
        try:
            given = self._answer(query, frame)
        except RemoteProtocolError:
            if query.question is None:
                self._refuse(frame, Fault.MEANINGLESS)
                return None
            query.meaningless = True
            given = Chosen(self.player, None)
        query.answered = True
        return given

    def _request(self, frame: Frame) -> Given | None:
        """Take a wish of a client. Raises RemoteProtocolError."""
        if frame.type == MessageType.PING:
            self._reply_to_ping(frame.payload)
            return None
        wish: Given = GIVEN[frame.type].decode(frame.payload, player=self.player)
        return wish

    def _answer(self, query: Query, frame: Frame) -> Given:
        """Take an answer of a client. Raises RemoteProtocolError."""
        given = GIVEN[frame.type].decode(frame.payload, player=self.player)
        if query.question is not None:
            return Chosen(self.player, given)
        self._useless = 0
        if query.type in (MessageType.REGISTER_PLAYER, MessageType.INVITATION):
            self._queries.settle(query.type, by_player=True)
        answer: Given = given
        return answer

    def _refuse(self, frame: Frame, fault: Fault) -> None:
        self.idle += 1
        self._useless += 1
        self._replies.append(self._error(frame.number, frame.type, fault))

    # What becomes of queries

    def beside(self, told: Beside) -> bytes:
        """Return the bytes of something beside the game.

        Clients that never asked for anything new need not know that a wish about play is taken.
        """
        match told:
            case Taken(wish) if not self.follows and wish in _TOLD_BY_WHAT_FOLLOWS:
                return b""
            case Declined():
                self._useless += 1
            case InvitationMessage():
                self._open(MessageType.INVITATION)
                self._invited = told.number
            case InvitationOver(number) if number == self._invited:
                self._queries.settle(MessageType.INVITATION, by_player=False)
        return super().beside(told)

    def made_before(self) -> None:
        for query in self._queries:
            if query.question is not None:
                query.answered = True

    def refuse(self, reason: Reason) -> bytes:
        query = next(query for query in self._queries if query.question is not None)
        is_meaningless = query.meaningless or query.question is Question.CUT
        why: Reason | Fault = Fault.MEANINGLESS if is_meaningless else reason
        query.answered = query.meaningless = False
        query.tries += 1
        return self._error(query.number, query.type, why, MAX_TRIES - query.tries)

    def _open(self, type: int, question: Question | None = None, tries: int = 0) -> None:
        """Note that the next frame is a query; ``tries`` were made at it over another
        connection.
        """
        self._queries.open(Query(type, self._sequence + 1, question, tries))

    def _settle(self, question: Question, by: ChosenBy) -> None:
        by_player = by is BY_PLAYER
        if by_player:
            self._useless = 0
        self._queries.settle(question, by_player=by_player)

    def _settle_if_answered(self, what: Question | MessageType) -> None:
        query = self._queries.find(what)
        if query is not None:
            self._queries.settle(what, by_player=query.answered and not query.meaningless)

    def _error(self, number: int, type: int, reason: Reason | Fault, tries_left: int = -1) -> bytes:
        error = _ERRORS.get(type, messages.AnswerError)
        return self._encode(error(number, type, reason, tries_left, reason.text))


class WatcherSeat(Unnumbered, Hearer):
    """One watcher: pings and questions to the host and about the table are answered, all else is
    dropped."""

    __slots__ = ("_idle",)

    player = WATCHER
    asked = True
    """They may send a ping at any time."""

    def __init__(self) -> None:
        super().__init__()
        self._idle = 0

    def receive(self, data: bytes) -> list[Given]:
        """Return the wishes of a watcher to hear of their own table, and what they ask of the host.

        Raises RemoteProtocolError for a frame that is too long, and for more than IDLE_BYTES
        between two pings.
        """
        self.pieces += 1
        data = self.early + data
        self.early = b""
        self._idle += len(data)
        self._buffer.feed(data)
        asked: list[Given] = []
        while (frame := self._buffer.take()) is not None:
            self.idle += 1
            with suppress(RemoteProtocolError):
                if frame.type == MessageType.PING and not frame.number:
                    self._idle = 0
                    self._reply_to_ping(frame.payload)
                elif frame.type in _OF_WATCHERS and not frame.number:
                    wish = WISHES[frame.type].decode(frame.payload, player=WATCHER)
                    if isinstance(wish, AskHost) or not wish.table:
                        asked.append(wish)
        if self._idle > IDLE_BYTES:
            raise RemoteProtocolError(f"a watcher has sent {IDLE_BYTES} bytes without a ping")
        return asked
