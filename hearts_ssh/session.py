"""A visitor's session: a terminal, a client in it, and what goes between them and the network."""

from __future__ import annotations

import asyncio
import fcntl
import operator
import os
import pty
import signal
import socket
import struct
import termios
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import asyncssh
import msgspec

from hearts_client.door_link import CHAT, AtDoor
from hearts_client.hardened import VisitorWords

from .game_server import GameServer
from .limits import FULL_SCREEN, RESIZE_SECONDS, fitting, known_address, known_terminal
from .seats import LONGEST_SEAT

if TYPE_CHECKING:
    from .connection import DoorConnection

Begin = Callable[["TerminalSession"], Awaitable[str]]
"""Lets a session begin and waits for its end; gives the reason if it may not begin."""

COMMANDS = frozenset({"plain", "day", "plain day"})
"""The only commands that a visitor may give: the game line by line, and the deal of the day."""
_END_OF_FILE = b"\x04"
_READ_BYTES = 1 << 14
_MOST_QUEUED = 1 << 16
_LONGEST_LINE = 2 * LONGEST_SEAT
_END_SECONDS = 3.0
"""Seconds that a client has to end in order."""
_UTF8_KEYS = 0o40000
"""The flag by which Linux takes a whole sign away at a backspace."""


class TerminalSession(asyncssh.SSHServerSession[bytes]):
    """One session. It is refused, or has a client until that ends or the visitor is gone."""

    def __init__(self, connection: DoorConnection, begin: Begin) -> None:
        self.connection = connection
        self.over = asyncio.Event()
        """Set when there is no client any more."""
        self.end_client: Callable[[signal.Signals], object] = lambda wanted: None
        self._begin = begin
        self._loop = asyncio.get_running_loop()
        self._term, self._size, self._has_pty, self._command = "", (80, 24), False, ""
        self._master = -1
        self._unsent = bytearray()
        self._holds: set[object] = set()
        self._resize: asyncio.TimerHandle | None = None
        self._message = ""
        self._is_lost = False

    # What the visitor asks for

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = chan
        chan.set_write_buffer_limits(_MOST_QUEUED)
        self.connection.sends = self

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: object
    ) -> bool:
        self._term, self._has_pty = known_terminal(term_type), True
        self._size = fitting(*term_size[:2])
        return True

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        self._command = command
        return command in COMMANDS

    def session_started(self) -> None:
        self.connection.create_task(self._run())

    def data_received(self, data: bytes, datatype: object) -> None:
        self._unsent += data
        self._write()

    def eof_received(self) -> bool:
        if not self._has_pty:
            self.data_received(_END_OF_FILE, None)
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        self._size = fitting(width, height)
        if self._resize is None:
            self._set_size()

    def _set_size(self) -> None:
        """Give the terminal the latest size, and no other one for a moment."""
        self._resize = None
        wanted = struct.pack("4H", *self._size[::-1], 0, 0)
        if self._master >= 0 and fcntl.ioctl(self._master, termios.TIOCGWINSZ, bytes(8)) != wanted:
            fcntl.ioctl(self._master, termios.TIOCSWINSZ, wanted)
            self._resize = self._loop.call_later(RESIZE_SECONDS, self._set_size)

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_lost = True
        self._close_terminal()
        # A client that does not hear that its window is closed is ended.
        self._loop.call_later(_END_SECONDS, lambda: self.end_client(signal.SIGKILL))

    # Between the terminal and the network

    def hold(self, why: object) -> None:
        """Send nothing until it goes on for the same reason."""
        self._holds.add(why)
        if self._master >= 0:
            self._loop.remove_reader(self._master)

    def go_on(self, why: object) -> None:
        self._holds.discard(why)
        if not self._holds and self._master >= 0:
            self._loop.add_reader(self._master, self._read)

    def pause_writing(self) -> None:
        self.hold(self)

    def resume_writing(self) -> None:
        self.go_on(self)

    def _read(self) -> bool:
        """Pass on what the client has written; False if there is nothing, because it has ended."""
        data = b""
        with suppress(OSError):
            data = os.read(self._master, _READ_BYTES)
        if data and not self._is_lost:
            self._channel.write(data)
        elif not data:
            self._loop.remove_reader(self._master)
        return bool(data)

    def _write(self) -> None:
        """Pass on what the visitor has typed, and read no more of it while that has to wait."""
        if self._master < 0:
            return
        try:
            del self._unsent[: os.write(self._master, self._unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self._unsent.clear()
        if self._unsent:
            self._channel.pause_reading()
            self._loop.add_writer(self._master, self._write)
        else:
            self._loop.remove_writer(self._master)
            self._channel.resume_reading()

    def _close_terminal(self) -> None:
        """Hang up: the client hears that its window is closed."""
        if self._master >= 0:
            self._loop.remove_reader(self._master)
            self._loop.remove_writer(self._master)
            os.close(self._master)
            self._master = -1

    # The client

    async def _run(self) -> None:
        try:
            self._message = await self._begin(self) or self._message
        finally:
            self.over.set()
            while self._master >= 0 and not self._is_lost and self._read():
                pass
            self._close_terminal()
            if not self._is_lost:
                self._channel.write(f"{self._message}\r\n".encode() if self._message else b"")
                self._channel.exit(0)
                self._loop.call_later(_END_SECONDS, self.connection.abort)

    async def play(
        self,
        start: Callable[[int, int], Callable[[signal.Signals], object]],
        server: GameServer,
        seats: tuple[str, ...],
        keep: Callable[[str, str], None],
        visitor: str,
        names: str,
    ) -> None:
        """Run a client until it ends.

        ``start`` starts it, with its terminal and its socket to us, and returns what ends it.
        ``keep`` gets the name of a seat, and all that is needed to come back there. ``visitor`` is
        the token of their key, and ``names`` the secret of its names.
        """
        self._master, slave = pty.openpty()
        ours, theirs = socket.socketpair()
        with ours, theirs:
            try:
                os.set_blocking(self._master, False)
                ours.setblocking(False)
                self._prepare(slave)
                self._set_size()
                self.end_client = start(slave, theirs.fileno())
            finally:
                os.close(slave)
                theirs.close()
            if self._is_lost:
                self._close_terminal()
            self.go_on(None)
            self._write()
            with suppress(OSError, msgspec.DecodeError):
                await self._loop.sock_sendall(
                    ours, self._told(server.has_chat, seats, visitor, names)
                )
                await self._serve_client(ours, server, keep)
        self.end_client(signal.SIGKILL)

    async def _serve_client(
        self, control: socket.socket, server: GameServer, keep: Callable[[str, str], None]
    ) -> None:
        """Do what the client asks for, until it ends, or says too much. Raises OSError."""
        unread = b""
        while len(unread) < _LONGEST_LINE:
            data = await self._loop.sock_recv(control, _READ_BYTES)
            if not data:
                return
            *lines, unread = (unread + data).split(b"\n")
            for line in lines:
                wish = msgspec.json.decode(line, type=AtDoor)
                if wish.seat:
                    keep(wish.seat, wish.saved)
                if wish.dial:
                    await self._dial(control, server, is_chat=wish.dial == CHAT)

    async def _dial(self, control: socket.socket, server: GameServer, *, is_chat: bool) -> None:
        try:
            made = await server.dial(self.connection.address, is_chat=is_chat)
        except OSError:
            control.send(b"-")
        else:
            with made:
                socket.send_fds(control, [b"+"], [made.fileno()])

    def _told(self, has_chat: bool, seats: tuple[str, ...], visitor: str, names: str) -> bytes:
        fits = all(map(operator.ge, self._size, FULL_SCREEN))
        told = VisitorWords(
            is_full=bool(self._term) and fits and not self._command.startswith("plain"),
            term=self._term or "dumb",
            visitor=visitor,
            names=names,
            day=self._command.endswith("day"),
            has_chat=has_chat,
            host=known_address(self.connection.get_extra_info("sockname")),
            seats=seats,
        )
        return msgspec.json.encode(told) + b"\n"

    async def end(self, message: str) -> None:
        """End the client in order, or soon without; the visitor is told why."""
        self._message = message
        self.end_client(signal.SIGTERM)
        with suppress(TimeoutError):
            await asyncio.wait_for(self.over.wait(), _END_SECONDS)
        self.end_client(signal.SIGKILL)
        await self.over.wait()

    def _prepare(self, terminal: int) -> None:
        """Take away the keys that suspend or quit; where the visitor's own terminal shows what they
        type and ends the lines, this one does neither.
        """
        modes = termios.tcgetattr(terminal)
        modes[0] |= _UTF8_KEYS
        if not self._has_pty:
            modes[1] &= ~termios.OPOST
            modes[3] &= ~termios.ECHO
        for key in (termios.VSUSP, termios.VQUIT):
            modes[6][key] = b"\0"
        termios.tcsetattr(terminal, termios.TCSANOW, modes)
