"""Watchers: one rendering for all of them, and what little each may send (DealerSpec.md 14.9)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from hearts.errors import Fault, RemoteProtocolError
from hearts.game.events import CardsReceived, HandBegun, PassMade, YourHand
from hearts.table import (
    AbortProposed,
    AbortRefused,
    CutSettled,
    DealPromised,
    GameAborted,
    GameBegun,
    HandAborted,
    Input,
    RulesAgreed,
    RulesProposed,
    RulesRefused,
    SeatKept,
    SeatWanted,
    SessionTotals,
    TableEvent,
)

from . import messages
from .answers import AskTableRequest, Ping
from .frames import CLIENT_PAYLOAD_LIMIT, HEADER, FrameBuffer
from .messages import WATCHER
from .numbers import MessageType
from .public_table import PublicTable
from .requests import TYPES, HostRequest, TellTable
from .speaker import Speaker
from .structures import PlayerInfo

IDLE_BYTES = 65_536
"""Bytes that a watcher may send without a ping among them."""


class Broadcast(Speaker):
    """What all watchers of a table are told: the same bytes, for all their frames have number 0.

    If the host delays watchers he gives each event when its time has come.
    """

    __slots__ = ("_game", "_hand", "_promised", "_public", "_standing")

    def __init__(self, standing: SessionTotals | None = None) -> None:
        """``standing`` is that at the first event that is told; None at the begin of a session."""
        super().__init__()
        self._public = PublicTable(standing or SessionTotals())
        self._game = b""
        self._standing = b""
        self._hand: list[bytes] = []
        self._promised = False

    def seated(self, game_number: int, table_name: str, infos: Sequence[PlayerInfo]) -> bytes:
        """A watcher has come, and this is the session."""
        seated = messages.SeatedMessage(WATCHER, game_number, 0, table_name)
        return self._say(seated) + self.opponents(infos)

    @property
    def has_begun(self) -> bool:
        """Whether there is a game to be told of."""
        return bool(self._game)

    def past(self) -> bytes:
        """What was told of the game and the hand dealt last, for a watcher who has just come."""
        return b"".join(
            [self.replay(True), self._game, self._standing, *self._hand, self.replay(False)]
        )

    def tell(self, event: TableEvent) -> bytes:
        """The bytes of an event; empty where watchers are told nothing of it."""
        match event:
            case (
                YourHand()
                | PassMade()
                | CardsReceived()
                | CutSettled()
                | RulesProposed()
                | RulesRefused()
                | SeatWanted()
                | SeatKept()
                | AbortProposed()
                | AbortRefused()
            ):
                return b""
            case HandAborted() | GameAborted():
                # Nobody watches any more; who comes next begins with what follows.
                self._public.show(event)
                self._begin_hand()
                self._promised = False
                return b""
            case _:
                data = b"".join(
                    [self._frame(type, payload) for type, payload in self._public.show(event)]
                )
        self._remember(event, data)
        return data

    def _remember(self, event: TableEvent, data: bytes) -> None:
        match event:
            case GameBegun():
                self._game = data
                self._begin_hand()
            case DealPromised():
                self._begin_hand(data)
                self._promised = True
            case HandBegun():
                promised = self._hand if self._promised else []
                self._begin_hand(*promised, data)
                self._promised = False
            case RulesAgreed():
                pass  # they are of the next game
            case _:
                self._hand.append(data)

    def _begin_hand(self, *told: bytes) -> None:
        self._hand = list(told)
        self._standing = self._frame(*self._public.standing())

    def _frame(self, type: int, payload: bytes) -> bytes:
        return HEADER.pack(type, 0, len(payload)) + payload


class WatcherSeat:
    """One watcher: pings and questions about his table are answered, all else is dropped."""

    __slots__ = ("_buffer", "_idle", "_replies", "_requests", "early", "follows", "idle", "pieces")

    player = WATCHER
    has_words = True
    asked = True
    """He may send a ping at any time."""
    owes = False

    def __init__(self) -> None:
        self._buffer = FrameBuffer(CLIENT_PAYLOAD_LIMIT)
        self._idle = 0
        self._replies: list[bytes] = []
        self._requests: list[HostRequest] = []
        self.follows = False
        """Whether he wants to be told for whom the table waits."""
        self.early = b""
        """Bytes that came before he was let in."""
        self.idle = 0
        """Frames that came, since somebody last asked and set it to 0."""
        self.pieces = 0
        """Pieces that bytes came in, since then."""

    def receive(self, data: bytes) -> list[Input]:
        """Nothing, ever: a watcher changes nothing.

        Raises RemoteProtocolError for a frame that is too long, and for more than IDLE_BYTES
        between two pings.
        """
        self.pieces += 1
        data = self.early + data
        self.early = b""
        self._idle += len(data)
        self._buffer.feed(data)
        while (frame := self._buffer.take()) is not None:
            self.idle += 1
            if frame.type == MessageType.PING and not frame.number:
                self._idle = 0
                self._replies.append(_pong(frame.payload))
            elif frame.type == MessageType.ASK_TABLE and not frame.number:
                self._ask(frame.payload)
        if self._idle > IDLE_BYTES:
            raise RemoteProtocolError(f"a watcher has sent {IDLE_BYTES} bytes without a ping")
        return []

    def _ask(self, payload: bytes) -> None:
        # He hears of his own table alone.
        with suppress(RemoteProtocolError):
            if not AskTableRequest.decode(payload).table:
                self._requests.append(TellTable(""))

    def take_requests(self) -> list[HostRequest]:
        """What he asked of the host; it is given out once."""
        requests, self._requests = self._requests, []
        return requests

    def decline_request(self, request: HostRequest, fault: Fault) -> bytes:
        """The host cannot do that."""
        return _frame(messages.AnswerError(0, TYPES[type(request)], fault, -1, fault.text))

    def say(self, message: messages.Message) -> bytes:
        """The bytes of a message for this watcher alone."""
        return _frame(message)

    def take_replies(self) -> bytes:
        """What is to be written at once for what was just received."""
        replies = b"".join(self._replies)
        self._replies.clear()
        return replies

    def notice(self, text: str) -> bytes:
        """Something in words, for this watcher alone."""
        return _frame(messages.ServerNotice(text))

    def refused(self, code: int, why: str) -> bytes:
        """He may not watch after all."""
        return _frame(messages.RefusedMessage(code, why))


def _frame(message: messages.Message) -> bytes:
    payload = message.encode()
    return HEADER.pack(message.TYPE, 0, len(payload)) + payload


def _pong(payload: bytes) -> bytes:
    try:
        ping = Ping.decode(payload)
    except RemoteProtocolError:
        return b""
    return HEADER.pack(MessageType.PONG, 0, len(ping.payload)) + ping.payload
