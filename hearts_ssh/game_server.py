"""The game server as the door reaches it: by a Unix socket, with each visitor's address."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

from hearts.errors import RemoteProtocolError
from hearts.wire import ssh_door
from hearts.wire.proxy_header import proxy_header
from hearts.wire.ssh_door import DoorOpened, DoorSecret

_AGAIN = 1.0
"""Seconds after which a server that is not there is tried again."""
_DIAL_LIMIT = 5.0


class GameServer:
    """The server of this door, which may be killed and come back."""

    def __init__(self, path: str, say: Callable[[str], None]) -> None:
        self._path = path
        self._say = say
        self._told: asyncio.Future[DoorSecret] = asyncio.get_running_loop().create_future()
        self._opened: asyncio.Future[DoorOpened] = asyncio.get_running_loop().create_future()

    @property
    def has_chat(self) -> bool:
        return self._told.result().has_chat

    async def told(self) -> DoorSecret:
        """Wait until a server was there, and return what it has told."""
        return await asyncio.shield(self._told)

    def opened(self, opened: DoorOpened) -> None:
        """Tell the server, and each that comes after it, that the door is open."""
        self._opened.set_result(opened)

    async def follow(self) -> None:
        """Keep a connection to the server, which names the door for as long as it is there."""
        said = ""
        while True:
            why = ""
            try:
                await self._follow_once()
            except (OSError, RemoteProtocolError, ValueError) as error:
                why = f"hearts-ssh waits for the game server at {self._path}: {error}"
            if why and why != said:
                self._say(why)
            said = why
            await asyncio.sleep(_AGAIN)

    async def _follow_once(self) -> None:
        reader, writer = await asyncio.open_unix_connection(self._path, limit=ssh_door.LONGEST_LINE)
        try:
            writer.write(proxy_header(""))
            told = ssh_door.read_door_line(await reader.readline(), DoorSecret)
            if not self._told.done():
                self._told.set_result(told)
            elif told.secret != self._told.result().secret:
                raise RemoteProtocolError("another server is there now; start the door again")
            writer.write(ssh_door.door_line(await asyncio.shield(self._opened)))
            await reader.read(1)
        finally:
            writer.close()

    async def dial(self, address: str, *, is_chat: bool) -> socket.socket:
        """Connect for a visitor to the game, or to the chat. Raises OSError."""
        loop, made = asyncio.get_running_loop(), socket.socket(socket.AF_UNIX)
        try:
            made.setblocking(False)
            async with asyncio.timeout(_DIAL_LIMIT):
                await loop.sock_connect(made, self._path + ssh_door.CHAT * is_chat)
                await loop.sock_sendall(made, proxy_header(address))
        except BaseException:
            made.close()
            raise
        return made
