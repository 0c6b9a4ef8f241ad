"""What the parts of a client's session share: whole messages, events, and bytes to send."""

from __future__ import annotations

from collections import deque

from hearts.errors import RemoteProtocolError
from hearts.game.cards import Card
from hearts.wire.codec import NAME_LIMIT, Buffer

from .client_events import ClientEvent
from .client_states import INT, LAYOUTS, NAME, NEXT, State


class Conversation:
    """The state of a connection, and what waits to be read, told and sent."""

    __slots__ = ("_buffer", "_events", "_ints", "_out", "_texts", "state")

    def __init__(self) -> None:
        self.state = State.PLAYER_ID
        self._buffer = Buffer()
        self._ints: list[int] = []
        self._texts: list[str] = []
        self._out: list[bytes] = []
        self._events: deque[ClientEvent] = deque()

    def feed(self, data: bytes) -> None:
        """Add bytes that arrived."""
        self._buffer.feed(data)

    def next_message(self) -> tuple[list[int], list[str]] | None:
        """The ints and the texts of the message that the state waits for, when it is whole.

        Raises RemoteProtocolError for a text that is none.
        """
        layout = LAYOUTS.get(self.state)
        if layout is None:
            return None
        ints, texts = self._ints, self._texts
        while (place := len(ints) + len(texts)) < len(layout):
            if layout[place] == INT:
                number = self._buffer.take_int()
                if number is None:
                    return None
                ints.append(number)
            else:
                named = layout[place] == NAME
                text = self._buffer.take_str(NAME_LIMIT) if named else self._buffer.take_str()
                if text is None:
                    return None
                texts.append(text)
        self._ints, self._texts = [], []
        return ints, texts

    def take_rest(self) -> bytes:
        """What has arrived and is not read, for who reads it otherwise."""
        return self._buffer.take_bytes(len(self._buffer)) or b""

    def go(self, state: State) -> None:
        """Wait for another message from now on."""
        assert state in NEXT[self.state], (self.state, state)
        self.state = state

    def close(self) -> None:
        """Wait for nothing any more."""
        self.state = State.CLOSED

    def tell(self, event: ClientEvent) -> None:
        """Add an event for the caller."""
        self._events.append(event)

    def next_event(self) -> ClientEvent | None:
        """The oldest event that was told and not taken."""
        return self._events.popleft() if self._events else None

    def send(self, data: bytes) -> None:
        """Add bytes for the server."""
        self._out.append(data)

    def bytes_to_send(self) -> bytes:
        """What was sent since the last call."""
        data = b"".join(self._out)
        self._out.clear()
        return data


def within(value: int, low: int, high: int, what: str) -> int:
    """The value, if it is from ``low`` to ``high``. Raises RemoteProtocolError otherwise."""
    if not low <= value <= high:
        raise RemoteProtocolError(f"{what} of {value} is outside {low}..{high}")
    return value


def card_of(number: int) -> Card:
    """The card of a wire number. Raises RemoteProtocolError if there is none."""
    return Card.from_wire(within(number, 1, 52, "a card"))
