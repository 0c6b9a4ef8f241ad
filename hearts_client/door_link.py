"""The way of a hardened client to its server: the door that has started it makes each connection,
and keeps what a visitor needs to come back.

The client writes lines of JSON to the door. For each connection that it asks for, the door sends
back one byte, with the connection if there is one.
"""

from __future__ import annotations

import errno
import socket
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import trio
from msgspec import Struct
from msgspec.json import encode

from hearts.session.resume_token import InvalidResumeToken
from hearts_client.library.client import DEFAULT_PORT
from hearts_client.library.reach import DEFAULT_TAUNT_PORT

from .names.kept import VisitorNames
from .session.saved import Keeper, SavedSession

GAME, CHAT = "game", "chat"
MOST_SEATS = 4
"""Seats to which a visitor can come back."""
_FD_BYTES = 4
_PORTS = {DEFAULT_PORT: GAME, DEFAULT_TAUNT_PORT: CHAT}


class AtDoor(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A wish of the client at its door."""

    dial: str = ""
    """GAME or CHAT; empty for no connection."""
    seat: str = ""
    """The name of a seat to keep or to forget; empty for none."""
    saved: str = ""
    """All that is needed to come back to the seat; empty to forget it."""


class DoorLink:
    """The socket to the door, and the seats of the visitor."""

    def __init__(
        self,
        control: socket.socket,
        seats: Iterable[str],
        farewell: str,
        visitor: bytes = b"",
        names: bytes = b"",
    ) -> None:
        """``names`` is the secret of the visitor's names; empty without a key."""
        self.names = VisitorNames(names)
        self.visitor = visitor
        """The token by which the server knows the visitor on its days; empty without a key."""
        self.farewell = farewell
        """The line that tells whether, and how, the visitor comes back."""
        self._control = trio.SocketStream(trio.socket.from_stdlib_socket(control))
        self._busy = trio.Lock()
        self.seats: dict[str, SavedSession] = {}
        """By name, the latest last."""
        for text in seats:
            try:
                saved = SavedSession.from_text(text)
            except InvalidResumeToken:
                continue  # Of another version.
            self.seats[saved.file_name] = saved

    @property
    def latest_first(self) -> list[SavedSession]:
        return list(self.seats.values())[::-1]

    async def dial(self, host: str, port: int) -> trio.SocketStream:
        """Connect to the game or the chat; no other place is to be had. Raises OSError."""
        place = _PORTS.get(port)
        if place is None:
            raise OSError(errno.ENETUNREACH, "no other server can be reached from here")
        async with self._busy:
            # The door answers soon; an answer that nobody takes would be taken for the next one.
            with trio.CancelScope(shield=True):
                await self._control.send_all(_line(AtDoor(dial=place)))
                said, found = await self._receive()
        if found is None:
            raise OSError(errno.ECONNREFUSED, "Connection refused" if said else "the door is gone")
        return trio.SocketStream(trio.socket.from_stdlib_socket(found))

    async def _receive(self) -> tuple[bytes, socket.socket | None]:
        if sys.platform == "win32":
            raise AssertionError("there is no door")
        said, more, *_ = await self._control.socket.recvmsg(1, socket.CMSG_SPACE(_FD_BYTES))
        for level, kind, data in more:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                number = int.from_bytes(data[:_FD_BYTES], sys.byteorder)
                return said, socket.socket(fileno=number)
        return said, None

    async def keep(self, name: str, saved: SavedSession | None) -> None:
        """Let the door keep a seat, or forget it."""
        self.seats.pop(name, None)
        if saved is not None:
            self.seats[name] = saved
        while len(self.seats) > MOST_SEATS:
            del self.seats[next(iter(self.seats))]
        async with self._busy:
            with trio.CancelScope(shield=True):
                text = "" if saved is None else saved.to_text()
                await self._control.send_all(_line(AtDoor(seat=name, saved=text)))


class VisitorKeeper(Keeper):
    """Keeps the seat that a visitor has at the door, instead of in a file."""

    def __init__(self, link: DoorLink, kept: SavedSession | None) -> None:
        super().__init__(Path(), kept)
        self._link = link

    async def _do(self, task: Callable[[Path, SavedSession], None], saved: SavedSession) -> bool:
        raise NotImplementedError  # Nothing is written here.

    async def keep(self, saved: SavedSession) -> bool:
        if saved != self.kept:
            self.kept = saved
            await self._link.keep(saved.file_name, saved)
        return True

    async def forget(self) -> None:
        if self.kept is not None:
            await self._link.keep(self.kept.file_name, None)
            self.kept = None


def _line(wish: AtDoor) -> bytes:
    return encode(wish) + b"\n"
