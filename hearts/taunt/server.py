"""The taunt server's end of one connection: bytes in, events out (SocketSpec.md section 9).

The session splits and checks bytes. The application decides if the four numbers are genuine, and
who hears a taunt.
"""

from __future__ import annotations

from enum import Enum, auto

from msgspec import Struct

from hearts.errors import LocalProtocolError, RemoteProtocolError
from hearts.wire.codec import Buffer, decode_text
from hearts.wire.credentials import SeatCredentials
from hearts.wire.text import MARKS_LIMIT, is_legible

from .messages import DISCARD_LIMIT, TAUNT_LIMIT, Status, encode_status

EARLY_LIMIT = 1024
"""Bytes that may wait behind a registration that is not answered yet."""


class Register(Struct, frozen=True, gc=False):
    """The peer wants to register; answer with ``accept`` or ``refuse``."""

    credentials: SeatCredentials


class Taunt(Struct, frozen=True, gc=False):
    """A taunt with the numbers that were shown with it, which nobody has checked yet."""

    credentials: SeatCredentials
    text: str


class TooLong(Struct, frozen=True, gc=False):
    """A taunt above TAUNT_LIMIT was read and dropped; ``length`` is its bytes without the NUL."""

    credentials: SeatCredentials
    length: int


class Unreadable(Struct, frozen=True, gc=False):
    """A taunt of legal size was read and dropped: it is no text, and ``why`` quotes none of it."""

    credentials: SeatCredentials
    why: str


ServerEvent = Register | Taunt | TooLong | Unreadable


class _ServerState(Enum):
    AWAITS_NUMBERS = auto()
    AWAITS_VERDICT = auto()
    REGISTERED = auto()
    OVER = auto()


class ServerSession:
    """One connection: feed it bytes, then ask for events until there is ``None``."""

    __slots__ = ("_buffer", "_head", "_state")

    def __init__(self) -> None:
        self._state = _ServerState.AWAITS_NUMBERS
        self._buffer = Buffer()
        self._head: tuple[SeatCredentials, int] | None = None

    @property
    def registered(self) -> bool:
        return self._state is _ServerState.REGISTERED

    def feed(self, data: bytes) -> None:
        """Add bytes that arrived; they are dropped once the session is over."""
        if self._state is not _ServerState.OVER:
            self._buffer.feed(data)

    def next_event(self) -> ServerEvent | None:
        """Return the next event, or ``None`` while more bytes, or a verdict, are needed.

        Raises RemoteProtocolError for bytes that cannot be a taunt; the session is over then.
        """
        try:
            match self._state:
                case _ServerState.AWAITS_NUMBERS:
                    return self._take_registration()
                case _ServerState.AWAITS_VERDICT:
                    self._check_early_bytes()
                    return None
                case _ServerState.REGISTERED:
                    return self._take_taunt()
                case _ServerState.OVER:
                    return None
        except RemoteProtocolError:
            self._state = _ServerState.OVER
            raise

    def accept(self) -> bytes:
        """Accept the registration; return the bytes to send."""
        self._expect("ACCEPT", _ServerState.AWAITS_VERDICT)
        self._state = _ServerState.REGISTERED
        return encode_status(Status.REGISTERED)

    def refuse(self) -> bytes:
        """Refuse the registration, or wait for it no longer; return the last bytes to send."""
        self._expect("REFUSE", _ServerState.AWAITS_NUMBERS, _ServerState.AWAITS_VERDICT)
        self._state = _ServerState.OVER
        return encode_status(Status.REFUSED)

    def _expect(self, step: str, *states: _ServerState) -> None:
        if self._state not in states:
            raise LocalProtocolError(f"{step} is not allowed in state {self._state.name}")

    def _take_registration(self) -> Register | None:
        numbers = self._buffer.take_ints(4)
        if numbers is None:
            return None
        self._state = _ServerState.AWAITS_VERDICT
        return Register(SeatCredentials(*numbers))

    def _check_early_bytes(self) -> None:
        if len(self._buffer) > EARLY_LIMIT:
            raise RemoteProtocolError(
                f"{len(self._buffer)} bytes came before the registration was answered; "
                f"at most {EARLY_LIMIT} may"
            )

    def _take_taunt(self) -> Taunt | TooLong | Unreadable | None:
        if self._head is None:
            head = self._buffer.take_ints(5)
            if head is None:
                return None
            *numbers, size = head
            if not 1 <= size <= DISCARD_LIMIT + 1:
                raise RemoteProtocolError(
                    f"a taunt length of {size} is outside 1..{DISCARD_LIMIT + 1}"
                )
            self._head = SeatCredentials(*numbers), size
        credentials, size = self._head
        data = self._buffer.take_bytes(size)
        if data is None:
            return None
        self._head = None
        if size > TAUNT_LIMIT + 1:
            return TooLong(credentials, size - 1)
        if data[-1] != 0:
            raise RemoteProtocolError("a taunt does not end with NUL")
        try:
            text = decode_text(data)
        except RemoteProtocolError as error:
            return Unreadable(credentials, str(error))
        if not is_legible(text):
            return Unreadable(credentials, f"more than {MARKS_LIMIT} combining marks in a row")
        return Taunt(credentials, text)
