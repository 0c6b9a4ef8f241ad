"""Watchers: one rendering for all of them, and what little each may send (DealerSpec.md 14.9)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from hearts.errors import RemoteProtocolError
from hearts.game.events import CardsReceived, HandBegun, PassMade, YourHand
from hearts.session.table_words import Given, PlayerInfo, RegisterOpponents, Replay
from hearts.table import effects
from hearts.table.effects import TableEvent

from . import messages
from .beside import WISHES, Ping
from .frames import CLIENT_PAYLOAD_LIMIT, FrameBuffer, MessageType
from .listener import Unnumbered
from .public_table import PublicTable
from .structures import WATCHER

IDLE_BYTES = 65_536
"""Bytes that a watcher may send without a ping among them."""


class Broadcast(Unnumbered):
    """What all watchers of a table are told: the same bytes, for all their frames have number 0.

    If the host delays watchers he gives each event when its time has come.
    """

    __slots__ = ("_game", "_hand", "_promised", "_public", "_standing")

    def __init__(self, standing: effects.SessionTotals | None = None) -> None:
        """``standing`` is that at the first event that is told; None at the begin of a session."""
        super().__init__()
        self._public = PublicTable(standing or effects.SessionTotals())
        self._game = b""
        self._standing = b""
        self._hand: list[bytes] = []
        self._promised = False

    def seated(self, game_number: int, table_name: str, infos: Sequence[PlayerInfo]) -> bytes:
        seated = messages.SeatedMessage(WATCHER, game_number, 0, table_name)
        return self._say(seated) + self.beside(RegisterOpponents(tuple(infos)))

    @property
    def has_begun(self) -> bool:
        return bool(self._game)

    def past(self) -> bytes:
        """What was told of the game and the hand dealt last, for a watcher who has just come."""
        return b"".join(
            [
                self.beside(Replay(begins=True)),
                self._game,
                self._standing,
                *self._hand,
                self.beside(Replay(begins=False)),
            ]
        )

    def tell(self, event: TableEvent) -> bytes:
        match event:
            case (
                YourHand()
                | PassMade()
                | CardsReceived()
                | effects.CutSettled()
                | effects.RulesProposed()
                | effects.RulesRefused()
                | effects.SeatWanted()
                | effects.SeatKept()
                | effects.AbortProposed()
                | effects.AbortRefused()
            ):
                return b""
            case effects.HandAborted() | effects.GameAborted():
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
            case effects.GameBegun():
                self._game = data
                self._begin_hand()
            case effects.DealPromised():
                self._begin_hand(data)
                self._promised = True
            case HandBegun():
                promised = self._hand if self._promised else []
                self._begin_hand(*promised, data)
                self._promised = False
            case effects.RulesAgreed():
                pass  # they are of the next game
            case _:
                self._hand.append(data)

    def _begin_hand(self, *told: bytes) -> None:
        self._hand = list(told)
        self._standing = self._frame(*self._public.standing())


class WatcherSeat(Unnumbered):
    """One watcher: pings and questions about their table are answered, all else is dropped."""

    __slots__ = ("_buffer", "_idle", "_replies", "early", "follows", "idle", "pieces")

    player = WATCHER
    has_words = True
    asked = True
    """They may send a ping at any time."""
    owes = False

    def __init__(self) -> None:
        super().__init__()
        self._buffer = FrameBuffer(CLIENT_PAYLOAD_LIMIT)
        self._idle = 0
        self._replies: list[bytes] = []
        self.follows = False
        """True if they want to be told for whom the table waits."""
        self.early = b""
        """Bytes that came before they were let in."""
        self.idle = 0
        """Frames that came, since somebody last asked and set it to 0."""
        self.pieces = 0
        """Pieces that bytes came in, since then."""

    def receive(self, data: bytes) -> list[Given]:
        """The wishes of a watcher to hear of their own table; they change nothing.

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
                    ping = Ping.decode(frame.payload)
                    self._replies.append(self._say(messages.Pong(ping.payload)))
                elif frame.type == MessageType.ASK_TABLE and not frame.number:
                    wish = WISHES[MessageType.ASK_TABLE].decode(frame.payload, player=WATCHER)
                    if not wish.table:
                        asked.append(wish)
        if self._idle > IDLE_BYTES:
            raise RemoteProtocolError(f"a watcher has sent {IDLE_BYTES} bytes without a ping")
        return asked

    def take_replies(self) -> bytes:
        replies = b"".join(self._replies)
        self._replies.clear()
        return replies
