"""The people of the part ``scale``: what each says on the way to a seat, and where each stands."""

from __future__ import annotations

import socket
import struct
from bisect import bisect_right
from enum import Enum, auto

from .load import INT
from .script import NOT_A_PLAY, AnsweredMessage, SeatScript

NAME = INT.pack(6) + b"ABCDE\0"
_FRAME = struct.Struct(">3i")
_PING, _PONG = 206, 207
_THREE_COMPUTERS = struct.pack(">4i", -2, 0x1E, 0, 0)
_HAND_BYTES = 56
"""Your hand and Pass, which come in one write."""
_DECIDED_PASS_BYTES = 12
"""By which a status is longer that says what was passed."""


class JoinStage(Enum):
    """The stages of a connection on the way to its seat."""

    CONNECTING = auto()
    REGISTERING = auto()
    NUMBERS = auto()
    PLAYING = auto()
    GONE = auto()


class HandPlaces:
    """A script as one seat has it, and where its hands begin."""

    END = AnsweredMessage(1 << 62, b"", b"", NOT_A_PLAY, NOT_A_PLAY)

    def __init__(self, script: SeatScript) -> None:
        self.stream = script.stream
        self.messages = (*script.messages, self.END)
        ends = [0, *(message.end for message in script.messages)]
        self.indexes = [i for i, end in enumerate(ends[1:]) if end - ends[i] == _HAND_BYTES]
        self.begins = [ends[i] for i in self.indexes]
        self._told_again: dict[int, tuple[AnsweredMessage, ...]] = {}

    def has_pass(self, hand: int) -> bool:
        return bool(self.messages[self.indexes[hand]].choice)

    def told_again(self, hand: int) -> tuple[AnsweredMessage, ...]:
        """All messages, but that the status of the pass of a hand says what was passed."""
        found = self._told_again.get(hand)
        if found is None:
            at = self.indexes[hand]
            first = self.messages[at]
            end = first.end - _DECIDED_PASS_BYTES
            lower = AnsweredMessage(end, first.acks, first.choice, first.heard, first.played)
            found = (*self.messages[:at], lower, *self.messages[at + 1 :])
            self._told_again[hand] = found
        return found


class ScaleTable:
    """A table, and its plays that are on their way."""

    def __init__(self, name: bytes) -> None:
        self.name = name
        self.seats: list[ScaleSeat] = []
        self.sent = [0.0] * 52
        self.left = [3] * 52
        self.is_left = False
        """True if all have left for good."""


class ScaleSeat:
    """One person, over all connections."""

    places: HandPlaces
    sock: socket.socket | None = None
    stage = JoinStage.GONE
    unread = b""
    """Bytes of the registration that are not whole."""
    returns = False
    """True if the person has had the seat."""
    player = 0
    numbers = (0, 0)
    """Game number and Game ID."""
    messages: tuple[AnsweredMessage, ...] = ()
    index = 0
    got = 0
    checked_from = 8
    """The place from which on the stream is as the script has it; the bytes before it differ."""
    hands = 0
    """Hands that were over when the connection ended."""
    decided = 0
    """Choices that are decided in what is told again."""
    turn = 0
    """The number of the timer for the choice that is due; 0 for none."""
    sent = 0.0
    """When the choice was sent that nothing has followed yet; 0 for none."""

    def __init__(self, table: ScaleTable, address: str, process_id: int) -> None:
        self.table = table
        self.address = address
        self.process_id = process_id

    def registration(self, *, alone: bool) -> bytes:
        """What is sent after the Player ID; who comes back owes two acks, which go along."""
        if self.returns:
            numbers = (*self.numbers, self.player, self.process_id, self.hands)
            acks = 2 * INT.pack(self.player)
            return NAME + struct.pack(">7i", -5, *numbers, self.process_id) + acks
        name, wish = self.table.name, _THREE_COMPUTERS if alone else b""
        return NAME + struct.pack(">2i", -4, len(name)) + name + wish + INT.pack(self.process_id)

    def place(self, reply: int, places: list[HandPlaces]) -> None:
        """Take what the last reply tells: the seat, or where in the script all goes on."""
        if not self.returns:
            self.player, self.places = reply, places[reply]
            self.messages, self.got, self.index = self.places.messages, 0, 0
            return
        found, hand = self.places, self.hands
        self.decided = reply - 1
        self.index = found.indexes[hand]
        self.got = found.begins[hand] - found.begins[0]
        self.messages, self.checked_from = found.messages, found.begins[hand]
        if self.decided:
            # Their statuses are others than the first time.
            self.checked_from = [*found.begins, len(found.stream)][hand + 1]
            if found.has_pass(hand):
                self.got -= _DECIDED_PASS_BYTES
                self.messages = found.told_again(hand)

    def close(self) -> None:
        """End the connection, if there is one, and keep what coming back takes."""
        if self.stage is JoinStage.PLAYING:
            over = bisect_right(self.places.begins, self.got) - 1
            self.hands = max(self.hands, over)
        if self.sock is not None:
            self.sock.close()
        self.sock, self.stage, self.turn, self.sent = None, JoinStage.GONE, 0, 0.0


class Pinger:
    """A connection of the dealer dialect that waits at a table of its own, and pings."""

    MANY = 50
    EVERY = 0.5
    """Seconds between two; a server slows those that ping more often."""

    def __init__(self, port: int, number: int) -> None:
        source = (f"127.0.9.{number + 1}", 0)
        self.sock = socket.create_connection(("127.0.0.1", port), source_address=source)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        name = b"ping%d\0" % number
        blocks = struct.pack(">4i", -6, 1, -4, len(name)) + name
        self.sock.sendall(NAME + blocks + INT.pack(number))
        self._unread = b""
        while len(self._unread) < 12:
            self._unread += self.sock.recv(4096)
        self._unread = self._unread[12:]
        self.sock.setblocking(False)
        self._sent = 0.0

    def ping(self, now: float) -> None:
        """Ping, unless the last one has no answer yet."""
        if not self._sent:
            self._sent = now
            self.sock.send(_FRAME.pack(_PING, 0, 0))

    def take(self, now: float) -> float:
        """Read; the seconds of the ping that was answered, or 0. Raises OSError at the end."""
        arrived = self.sock.recv(4096)
        if not arrived:
            raise ConnectionResetError
        data, at, seconds = self._unread + arrived, 0, 0.0
        while len(data) - at >= _FRAME.size:
            kind, _, length = _FRAME.unpack_from(data, at)
            if len(data) - at < _FRAME.size + length:
                break
            at += _FRAME.size + length
            if kind == _PONG:
                seconds, self._sent = now - self._sent, 0.0
        self._unread = data[at:]
        return seconds
