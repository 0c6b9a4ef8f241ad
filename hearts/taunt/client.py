"""A player's end of the connection to the taunt server (SocketSpec.md section 9)."""

from __future__ import annotations

from enum import Enum, auto

from msgspec import Struct

from hearts.errors import LocalProtocolError, RemoteProtocolError
from hearts.wire.codec import Buffer
from hearts.wire.credentials import SeatCredentials

from .messages import SPEAKERS, Status, encode_numbers, encode_taunt


class Registered(Struct, frozen=True, gc=False):
    """The taunt server knows this seat now; taunts may be sent."""


class ChatRefused(Struct, frozen=True, gc=False):
    """The taunt server refused; it ends the connection."""


class Delivery(Struct, frozen=True, gc=False):
    """Somebody's taunt: ``player`` is -1 for a server, or 0-3, which may be oneself."""

    player: int
    text: str


ClientEvent = Registered | ChatRefused | Delivery


class _ClientState(Enum):
    NEW = auto()
    AWAITS_STATUS = auto()
    REGISTERED = auto()
    OVER = auto()


_AFTER_STATUS: dict[int, tuple[_ClientState, ClientEvent]] = {
    Status.REGISTERED: (_ClientState.REGISTERED, Registered()),
    Status.REFUSED: (_ClientState.OVER, ChatRefused()),
}


class ClientSession:
    """One connection: send :meth:`register`, then feed it bytes and ask for events."""

    def __init__(self, credentials: SeatCredentials) -> None:
        self._credentials = credentials
        self._state = _ClientState.NEW
        self._buffer = Buffer()
        self._speaker: int | None = None

    @property
    def registered(self) -> bool:
        return self._state is _ClientState.REGISTERED

    def register(self) -> bytes:
        """Return the bytes of the registration; they are sent once, before all else."""
        if self._state is not _ClientState.NEW:
            raise LocalProtocolError("a connection registers once")
        self._state = _ClientState.AWAITS_STATUS
        return encode_numbers(self._credentials)

    def taunt(self, text: str) -> bytes:
        """Return the bytes of one taunt, of at most TAUNT_LIMIT bytes.

        Raises LocalProtocolError before the registration is accepted, for a longer text, and for
        control characters.
        """
        return self.taunt_as(self._credentials, text)

    def taunt_as(self, credentials: SeatCredentials, text: str) -> bytes:
        """Return a taunt with other numbers than the registration's; only player -1 may use
        them.
        """
        if self._state is not _ClientState.REGISTERED:
            raise LocalProtocolError("no taunt before the registration is accepted")
        return encode_taunt(credentials, text)

    def feed(self, data: bytes) -> None:
        """Add bytes that arrived; they are dropped once the session is over."""
        if self._state is not _ClientState.OVER:
            self._buffer.feed(data)

    def next_event(self) -> ClientEvent | None:
        """Return the next event, or ``None`` while more bytes are needed.

        Raises RemoteProtocolError for anything that no taunt server says; it is over then.
        """
        try:
            match self._state:
                case _ClientState.AWAITS_STATUS:
                    return self._take_status()
                case _ClientState.REGISTERED:
                    return self._take_delivery()
                case _ClientState.NEW | _ClientState.OVER:
                    return None
        except RemoteProtocolError:
            self._state = _ClientState.OVER
            raise

    def _take_status(self) -> ClientEvent | None:
        status = self._buffer.take_int()
        if status is None:
            return None
        after = _AFTER_STATUS.get(status)
        if after is None:
            raise RemoteProtocolError(f"a registration status of {status} is neither 1 nor -1")
        self._state, event = after
        return event

    def _take_delivery(self) -> Delivery | None:
        if self._speaker is None:
            speaker = self._buffer.take_int()
            if speaker is None:
                return None
            if speaker not in SPEAKERS:
                raise RemoteProtocolError(f"a taunter of {speaker} is outside -1..3")
            self._speaker = speaker
        text = self._buffer.take_str()
        if text is None:
            return None
        delivery = Delivery(self._speaker, text)
        self._speaker = None
        return delivery
