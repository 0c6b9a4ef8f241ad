"""The server's own voice in the chat of every table.

A taunt server that is missing, slow or dead never hurts a game: announcements wait in a bounded
queue, and while it is away there is none. When it is back it is told what it must know of the
tables that play; and if it is one that has just begun, their last notices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from pathlib import Path
from typing import assert_never

import trio
from msgspec import Struct

from hearts.errors import HeartsError
from hearts.hosting.table_chat import GameNotice, Said, SeatHolder, SeatMuted
from hearts.net import connect_to_own
from hearts.net.logline import EventLog
from hearts.taunt.announcer import LINES, Announcer
from hearts.taunt.client import Delivery
from hearts.wire.credentials import SERVER_PLAYER

log = EventLog(__name__)

QUEUED = 4096
"""Announcements that wait for the taunt server before more are dropped: some for each table."""
RETRY = 5.0
"""Seconds between two tries to reach the taunt server."""
_TOLD_EVERY = 60.0
"""Seconds between two log lines that say that it cannot be reached."""
LINES_LIMIT = 5.0
"""Seconds to wait for the lines of a game."""
_LOOK_EVERY = 0.1
"""Seconds between two looks if notices may be told again."""
_ANSWER_LIMIT = 10.0
"""Seconds that the taunt server has to accept the registration, or an announcement."""


class LinesAsked(Struct, frozen=True, gc=False):
    """A question for the last lines of a game."""

    game_number: int


class _Lines:
    """The answer of the taunt server to such a question, as it comes in."""

    def __init__(self, game_number: int) -> None:
        self._head = f"{LINES} {game_number} "
        self._left: int | None = None
        self.told: list[Delivery] = []
        self.whole = trio.Event()

    def take(self, delivery: Delivery) -> None:
        if self._left:
            self.told.append(delivery)
            self._left -= 1
        elif self._left is None and delivery.player == SERVER_PLAYER:
            head, count = delivery.text[: len(self._head)], delivery.text[len(self._head) :]
            if head == self._head and count.isdecimal():
                self._left = int(count)
        if self._left == 0:
            self.whole.set()


class Chat:
    """The server's connection to the taunt server, with the announcements over it."""

    def __init__(
        self,
        secret: bytes,
        process_id: int,
        *,
        in_use: bool = True,
    ) -> None:
        """``process_id`` is the server's own. With ``in_use`` false there is no taunt server, nor
        is there to be one, and nothing is announced."""
        self.in_use = in_use
        self._secret = secret
        self._process_id = process_id
        self.standing: Callable[[], Iterable[Said]] = tuple
        """Gives what a taunt server must know that has just been reached."""
        self.kept: Callable[[], Iterable[Said]] = tuple
        """Gives what else one is to tell later that has just begun."""
        self.changed: Callable[[bool], None] = lambda is_back: None
        """Called when the taunt server is lost (False), and when it is back."""
        self.sent = 0
        """Announcements that the taunt server was sent."""
        self.dropped = 0
        """Announcements that nobody got, as it was away, or did not take them in time."""
        self.may_tell: Callable[[], bool] = lambda: True
        """Gives False while no notice may be told; it is told later, in its turn."""
        self._was_lost = False
        self._lost_told = -inf
        self._queue: trio.MemorySendChannel[Said | LinesAsked] | None = None
        self._unsent = 0
        self._is_full = False
        self._idle = trio.Event()
        self._asking = trio.Lock()
        self._lines = _Lines(0)

    @property
    def connected(self) -> bool:
        return self._queue is not None

    def send(self, said: Said) -> None:
        """Send something to the taunt server, if it is there; never wait."""
        # Only notices are dropped: of seats there are not many.
        if not isinstance(said, GameNotice) or (self.connected and self._unsent < QUEUED):
            self._put(said)
        elif self.in_use:
            self.dropped += 1
            if self.connected and not self._is_full:
                self._is_full = True
                log.warning("announcement-dropped", game=said.game_number, queued=QUEUED)

    def send_standing(self, standing: Iterable[Said]) -> None:
        """Send what the taunt server must know of a table that has begun."""
        for said in standing:
            self._put(said)

    def _put(self, said: Said | LinesAsked) -> None:
        """Queue it for the taunt server, which gets everything once it is there."""
        if self._queue is not None:
            self._unsent += 1
            self._queue.send_nowait(said)

    async def run(
        self, host: str, port: int, certificate: Path | None = None, path: Path | None = None
    ) -> None:
        """Keep a connection to a taunt server that runs by itself, until cancelled.

        ``certificate`` is what the taunt server has to show, if it speaks TLS: that of this
        server, as the two are one host. ``path`` is a Unix socket to use in place of the port.
        """
        while True:
            try:
                with trio.fail_after(_ANSWER_LIMIT):
                    stream: trio.abc.Stream
                    if path is not None:
                        stream = await trio.open_unix_socket(str(path))
                    elif certificate is None:
                        stream = await trio.open_tcp_stream(host, port)
                    else:
                        stream = await connect_to_own(host, port, certificate)
            except* (OSError, trio.BrokenResourceError, trio.TooSlowError) as errors:
                self._log_lost(errors)
            else:
                # It may have been there all the time, and know what was said.
                await self.speak(stream, is_new=False)
            await trio.sleep(RETRY)

    async def speak(self, stream: trio.abc.Stream, *, is_new: bool = True) -> None:
        """Send what is announced over a new connection, until it is lost; then close it. The taunt
        server ``is_new`` if it has just begun."""
        try:
            async with stream:
                await self._serve(stream, is_new=is_new)
        except* (OSError, trio.BrokenResourceError, trio.TooSlowError, HeartsError) as errors:
            self._log_lost(errors)
            if not self._was_lost:
                self._was_lost = True
                self.changed(False)

    def _log_lost(self, errors: BaseExceptionGroup[BaseException]) -> None:
        now = trio.current_time()
        if now - self._lost_told >= _TOLD_EVERY:
            self._lost_told = now
            log.warning("taunt-server-lost", why=errors)

    async def _serve(self, stream: trio.abc.Stream, *, is_new: bool) -> None:
        announcer = Announcer(self._secret, self._process_id)
        with trio.fail_after(_ANSWER_LIMIT):
            await stream.send_all(announcer.register())
            while not announcer.registered:
                await self._read(stream, announcer)
        self._queue, waiting = trio.open_memory_channel[Said | LinesAsked](inf)
        self._is_full = False
        try:
            # All of it at once, so that whatever is announced from here on comes after it.
            self.send_standing([*self.standing(), *(self.kept() if is_new else ())])
            if self._was_lost:
                self._was_lost = False
                self.changed(True)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._send_all, stream, announcer, waiting)
                while True:
                    await self._read(stream, announcer)
        finally:
            self._queue.close()
            waiting.close()
            self._queue = None
            self._unsent = 0
            self._idle.set()

    async def _read(self, stream: trio.abc.Stream, announcer: Announcer) -> None:
        data = await stream.receive_some(4096)
        if not data:
            raise trio.BrokenResourceError("the taunt server closed the connection")
        announcer.feed(bytes(data))
        while (event := announcer.next_event()) is not None:
            if isinstance(event, Delivery):
                self._lines.take(event)
            log.debug("taunt-server-says", what=event)

    async def lines(self, game_number: int) -> list[Delivery] | None:
        """Return the last lines of a game that the taunt server has; None if it does not say."""
        async with self._asking:
            if not self.connected:
                return None
            self._lines = lines = _Lines(game_number)
            self._put(LinesAsked(game_number))
            with trio.move_on_after(LINES_LIMIT):
                await lines.whole.wait()
                return lines.told
            return None

    async def _send_all(
        self,
        stream: trio.abc.Stream,
        announcer: Announcer,
        waiting: trio.MemoryReceiveChannel[Said | LinesAsked],
    ) -> None:
        async for said in waiting:
            is_notice = isinstance(said, GameNotice)
            while is_notice and not self.may_tell():  # noqa: ASYNC110  nobody tells
                await trio.sleep(_LOOK_EVERY)
            with trio.fail_after(_ANSWER_LIMIT):
                await stream.send_all(_encode(announcer, said))
            self.sent += is_notice
            self._unsent -= 1
            if not self._unsent:
                self._is_full = False
                self._idle.set()

    async def drain(self) -> None:
        """Wait until what was announced so far is on its way, or cannot be."""
        if self._unsent:
            self._idle = trio.Event()
            await self._idle.wait()


def _encode(announcer: Announcer, said: Said | LinesAsked) -> bytes:
    match said:
        case SeatHolder(game_number, player, process_id):
            return announcer.seat(game_number, player, process_id)
        case SeatMuted(game_number, player, process_id, muted, why):
            return announcer.mute(game_number, player, process_id, muted, why)
        case GameNotice(game_number, text, (player, process_id)):
            return announcer.tell(game_number, player, process_id, text)
        case LinesAsked(game_number):
            return announcer.ask_lines(game_number)
        case GameNotice(game_number, text):
            return announcer.announce(game_number, text)
        case _:
            assert_never(said)
