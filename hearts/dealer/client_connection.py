"""A client's connection in the dealer dialect: the registration, then frames, and events out.

The caller feeds what arrives, takes events until there is ``None``, and then sends what
:meth:`DealerConnection.bytes_to_send` gives.
"""

from __future__ import annotations

from hearts.errors import Fault, LocalProtocolError, Reason, RemoteProtocolError
from hearts.session.client_events import CaughtUp, DealerEvent, Watching
from hearts.session.client_registration import ClientConnection, RegistrationRequest
from hearts.session.client_states import State
from hearts.session.picture import Picture
from hearts.session.table_words import Refused, Replay, TableMessage, Waiting
from hearts.session.wishes import AnswerInvitation, AskForTable
from hearts.table.inputs import Choice, GiveSeat, Question, Vote

from . import messages as said
from .beside import ANSWERED
from .client_table import TableFollower, TablePhase
from .frames import SERVER_PAYLOAD_LIMIT, FrameBuffer, MessageType, encode_frame
from .messages import MESSAGES, Said, as_frame
from .structures import WATCHER

_UNASKED = {
    Vote: "nothing is proposed now",
    GiveSeat: "nobody asks for your seat now",
    AnswerInvitation: "nobody invites you now",
}
_REASONS: frozenset[int] = frozenset({*Reason, Fault.MEANINGLESS})


class ClientQueries:
    """The choice that is asked for, if any, and the questions beside the game."""

    def __init__(self) -> None:
        self._question: Question | None = None
        self._type: int = MessageType.DO_PASS
        self._sequence = 0
        self._is_sent = False
        self._beside: dict[int, int] = {}

    @property
    def asked(self) -> Question | None:
        """The choice that we have to make now; ``None`` also when the answer is sent."""
        return None if self._is_sent else self._question

    def ask(self, question: Question, type: int, sequence: int) -> None:
        """Note that we are to choose. Raises RemoteProtocolError if another choice is open."""
        if self._question is not None:
            raise RemoteProtocolError("a choice is asked for while another one is open")
        self._question = question
        self._type = type
        self._sequence = sequence
        self._is_sent = False

    def answer(self, choice: Choice) -> bytes:
        self._is_sent = True
        return encode_frame(self._type, self._sequence, ANSWERED[self._type].encode(choice))

    def reopen(self, in_reply_to: int, reason: int) -> Question | None:
        """Open the query again, because our choice is not legal; return None if it is another
        query.
        """
        is_ours = self._question is not None and in_reply_to == self._sequence
        if not is_ours or not self._is_sent or reason not in _REASONS:
            return None
        self._is_sent = False
        return self._question

    def settle(self, question: Question) -> None:
        if self._question is question:
            self._question = None

    # What is asked beside the game, of which the player thinks as long as they like

    def ask_beside(self, type: int, sequence: int) -> None:
        self._beside[type] = sequence

    def answer_beside(self, answer: Vote | GiveSeat | AnswerInvitation) -> bytes:
        """Settle a question beside the game; return the frame. Raises LocalProtocolError if nobody
        asks.
        """
        for type_, fields in ANSWERED.items():
            if type_ in self._beside and fields.value is type(answer):
                return encode_frame(type_, self._beside.pop(type_), fields.encode(answer))
        raise LocalProtocolError(_UNASKED[type(answer)])

    def settle_beside(self, *types: int) -> None:
        for type_ in types:
            self._beside.pop(type_, None)

    def close(self) -> None:
        self._question = None
        self._beside.clear()


INT_SIZE = 4


class DealerConnection(ClientConnection):
    """The part of a connection that players and watchers have in common."""

    def __init__(self, request: RegistrationRequest, picture: Picture) -> None:
        """Raises LocalProtocolError for a name, table or password that cannot be sent."""
        super().__init__(request, picture)
        self._frames = FrameBuffer(SERVER_PAYLOAD_LIMIT)
        self._opening: bytes | None = b""
        """The bytes after the registration, until their first int is complete; then None."""
        self._sequence = 0
        self._table = TableFollower(self._emit, picture)

    @property
    def _is_registered(self) -> bool:
        """True once the Process ID is sent, so that frames follow."""
        return self._talk.state is State.FRAMES

    @property
    def _is_complete(self) -> bool:
        return self._table.phase is TablePhase.OVER

    def feed(self, data: bytes) -> None:
        if data and self._is_registered:
            self._feed_frames(data)
        else:
            super().feed(data)

    def _read(self) -> bool:
        if self._is_registered:
            return self._read_frame()
        message = self._talk.next_message()
        if message is None:
            return False
        self._registration.receive(*message)
        if self._is_registered:
            self._feed_frames(self._talk.take_rest())
        return True

    def _feed_frames(self, data: bytes) -> None:
        if self._opening is None:
            self._frames.feed(data)
            return
        opening = self._opening = self._opening + data
        if len(opening) < INT_SIZE:
            return
        self._opening = None
        first = int.from_bytes(opening[:INT_SIZE], "big", signed=True)
        if self._registration.refused(first):
            # It was on its way when we sent the Process ID.
            self._talk.feed(opening[INT_SIZE:])
        else:
            self._frames.feed(opening)

    def _read_frame(self) -> bool:
        frame = self._frames.take()
        if frame is None:
            return False
        self._check_sequence(frame.number)
        kind = MESSAGES.get(frame.type)
        if kind is not None:
            message = kind.decode(frame.payload)
            self._table.check(message)
            self._receive(message)
        return True

    def _check_sequence(self, number: int) -> None:
        self._sequence += 1
        if number != self._sequence:
            raise RemoteProtocolError(f"a frame has sequence {number}, not {self._sequence}")

    def _receive(self, message: Said) -> None:
        if isinstance(message, Refused):
            self._emit(message)
            self._talk.close()
        elif not self._table.receive(message):
            self._receive_other(message)

    def _receive_other(self, message: Said) -> None:
        """Take in a message that is not for everybody."""

    def _emit(self, event: DealerEvent) -> None:
        self._talk.emit(event)


class WatcherSession(DealerConnection):
    """One connection that watches a table, from the Player ID to the end of the session."""

    def __init__(self, game_number: int, *, name: str = "watcher", password: str = "") -> None:
        """Raises LocalProtocolError for a name or password that cannot be sent."""
        super().__init__(
            RegistrationRequest(name, 0, password=password, dealer=True, watch=game_number),
            Picture(is_watching=True),
        )
        self._is_past = False

    def _check_sequence(self, number: int) -> None:
        if number:
            raise RemoteProtocolError(f"a watcher's frame has sequence {number}, not 0")

    def _receive(self, message: Said) -> None:
        match message:
            case said.SeatedMessage(_, game_number, _, table):
                self._emit(Watching(game_number, table))
                type_, payload = as_frame(AskForTable(WATCHER))
                self._talk.send(encode_frame(type_, 0, payload))
            case Replay(begins):
                if begins == self._is_past:
                    raise RemoteProtocolError("a replay begins or ends where it cannot")
                self._is_past = begins
                if not begins:
                    self._emit(CaughtUp())
            case _:
                super()._receive(message)

    def _receive_other(self, message: Said) -> None:
        if isinstance(message, Waiting | TableMessage):
            self._emit(message)
        elif not isinstance(message, said.Pong):
            raise RemoteProtocolError(f"a watcher is told of a {type(message).__name__}")
