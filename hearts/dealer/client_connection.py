"""A client's connection in the dealer dialect: the registration, then frames, and events out.

The caller feeds what arrives, takes events until there is ``None``, and then sends what
:meth:`DealerConnection.bytes_to_send` gives.
"""

from __future__ import annotations

from collections import deque

from hearts.errors import RemoteProtocolError
from hearts.session.client_events import Refused, SessionEnded
from hearts.session.client_registration import HANDLERS as REGISTRATION_HANDLERS
from hearts.session.client_registration import ClientRegistration, RegistrationRequest
from hearts.session.client_states import State
from hearts.session.conversation import Conversation
from hearts.session.picture import Picture

from .beside import Said
from .client_events import DealerEvent
from .client_table import TableFollower, TablePhase
from .frames import SERVER_PAYLOAD_LIMIT, FrameBuffer
from .messages import MESSAGES, Message

INT_SIZE = 4


class DealerConnection:
    """What players and watchers have in common."""

    def __init__(self, request: RegistrationRequest, picture: Picture) -> None:
        """Raises LocalProtocolError for a name, table or password that cannot be sent."""
        self.picture = picture
        """What is known of the table after the event that was taken last."""
        self._talk = Conversation()
        self._registration = ClientRegistration(request, self._talk)
        self._frames = FrameBuffer(SERVER_PAYLOAD_LIMIT)
        self._opening: bytes | None = b""
        """What follows the registration, until its first int is there."""
        self._sequence = 0
        self._events: deque[DealerEvent] = deque()
        self._table = TableFollower(self._tell, picture)
        self._at_end = False

    @property
    def player(self) -> int:
        """Our seat as far as it is known, 0-3; -1 before the Player ID."""
        return self._registration.player

    @property
    def closed(self) -> bool:
        """Whether nothing more is expected from the server."""
        return self._talk.state is State.CLOSED

    @property
    def _is_registered(self) -> bool:
        """Whether the Process ID is sent, so that frames follow."""
        return self._talk.state is State.FRAMES

    def feed(self, data: bytes) -> None:
        """Add bytes that arrived; empty bytes mean the end of the stream."""
        if not data:
            self._at_end = True
        elif self._is_registered:
            self._feed_frames(data)
        else:
            self._talk.feed(data)

    def bytes_to_send(self) -> bytes:
        """What is to be sent now, in one write; it is given out once."""
        return self._talk.bytes_to_send()

    def next_event(self) -> DealerEvent | None:
        """The next event, or ``None`` while more bytes are needed or when all is over.

        Raises RemoteProtocolError for anything that no server of this protocol says.
        """
        try:
            while not self._events and self._read():
                pass
            if self._events:
                event = self._events.popleft()
                self.picture.update(event)
                return event
        except RemoteProtocolError:
            self.close()
            self._events.clear()
            raise
        if self._at_end and not self.closed:
            self.close()
            return SessionEnded(complete=self._table.phase is TablePhase.OVER)
        return None

    def close(self) -> None:
        """Expect nothing more from the server; bytes that are there already are dropped."""
        self._talk.close()

    def _read(self) -> bool:
        """Read one message, if one is there as a whole."""
        if self._is_registered:
            return self._read_frame()
        message = self._talk.next_message()
        if message is None:
            return False
        REGISTRATION_HANDLERS[self._talk.state](self._registration, *message)
        self._hear_registration()
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
            self._hear_registration()
        else:
            self._frames.feed(opening)

    def _hear_registration(self) -> None:
        while (event := self._talk.next_event()) is not None:
            self._tell(event)

    def _read_frame(self) -> bool:
        frame = self._frames.take()
        if frame is None:
            return False
        self._check_sequence(frame.number)
        kind = MESSAGES.get(frame.type)
        if kind is not None:
            self._hear(kind.decode(frame.payload))
        return True

    def _check_sequence(self, number: int) -> None:
        self._sequence += 1
        if number != self._sequence:
            raise RemoteProtocolError(f"a frame has sequence {number}, not {self._sequence}")

    def _hear(self, message: Message | Said) -> None:
        if isinstance(message, Refused):
            self._tell(message)
            self._talk.close()
        elif not self._table.hear(message):
            self._hear_other(message)

    def _hear_other(self, message: Message | Said) -> None:
        """A message that is not for everybody."""

    def _tell(self, event: DealerEvent) -> None:
        self._events.append(event)
