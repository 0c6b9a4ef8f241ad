"""The socket at which a ``hearts-ssh`` finds this server, and the chat behind it.

Each connection says for whom it is in a PROXY header, which nobody else may: the socket is for the
user who runs the server, or for their group if the host has named a place for it.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Callable
from functools import partial

import trio

from hearts.errors import RemoteProtocolError
from hearts.net import accept_connections, peer_user
from hearts.net.listen import Proxied, Serve, listen_at
from hearts.net.logline import EventLog
from hearts.net.places import bound_at
from hearts.wire.proxy_header import proxy_header
from hearts.wire.ssh_door import (
    CHAT,
    LONGEST_LINE,
    DoorOpened,
    DoorSecret,
    door_line,
    read_door_line,
)
from hearts_server.config import DOOR_FILE, Config

log = EventLog(__name__)

_OPENING_LIMIT = 30.0
"""Seconds in which a door has to listen."""
_RELAYED = 4096
_ROOT = 0
_GROUP_TOO = 0o660


def door_secret(secret: bytes) -> bytes:
    """Return the bytes from which a door makes its key. They tell nothing of the secret."""
    return hmac.digest(secret, b"the door by ssh", "sha256")


class SshDoor:
    """Tells doors what they need, and connects their visitors with the game and the chat."""

    def __init__(
        self,
        config: Config,
        secret: bytes,
        chat: str | None,
        invite: Callable[[DoorOpened, bool], None],
    ) -> None:
        """``chat`` is the socket at which the chat listens for proxies. ``invite`` gets what a door
        says, with True when it is open and False when it is not any more.
        """
        self._path = config.ssh_door or config.data_dir / DOOR_FILE
        self._is_private = config.ssh_door is None
        self._told = door_line(DoorSecret(door_secret(secret).hex(), chat is not None))
        self._chat = chat
        self._invite = invite

    async def run(
        self,
        admits: Callable[[str], bool],
        serve: Serve,
        task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Serve until cancelled. If it cannot listen, the log says so: a game needs no door."""
        game = Proxied(admits, serve, self._attend)
        chat = Proxied(lambda _: self._chat is not None, self._relay)
        try:
            async with (
                bound_at(str(self._path)) as for_game,
                bound_at(f"{self._path}{CHAT}") as for_chat,
                trio.open_nursery() as nursery,
            ):
                if not self._is_private:
                    for bound in (*for_game, *for_chat):
                        os.chmod(bound.getsockname(), _GROUP_TOO)
                for sockets, behind in ((for_game, game), (for_chat, chat)):
                    own = partial(self._serve_own, behind.serve)
                    listeners = listen_at(sockets)
                    nursery.start_soon(accept_connections, listeners, behind.admits, own, nursery)
                task_status.started()
        except OSError as error:
            log.error("ssh-door-not-open", path=self._path, why=error.strerror or str(error))
            task_status.started()

    async def _serve_own(self, serve: Serve, stream: trio.SocketStream, address: str) -> None:
        """Serve a connection, unless a user has made it for whom the socket is not."""
        user = peer_user(stream)
        if self._is_private and user not in (None, _ROOT, os.geteuid()):
            log.warning("ssh-door-refused", uid=user)
        else:
            await serve(stream, address)

    async def _attend(self, stream: trio.SocketStream) -> None:
        """Tell a door what it needs, and have visitors invited for as long as it is there."""
        opened = None
        try:
            await stream.send_all(self._told)
            with trio.fail_after(_OPENING_LIMIT):
                opened = read_door_line(await _line(stream), DoorOpened)
            log.info("ssh-door-open", port=opened.port)
            self._invite(opened, True)
            await stream.receive_some(1)
        except (OSError, trio.BrokenResourceError, trio.TooSlowError, RemoteProtocolError) as error:
            log.info("ssh-door-lost", why=error)
        finally:
            if opened is not None:
                self._invite(opened, False)

    async def _relay(self, stream: trio.SocketStream, address: str) -> None:
        """Connect a visitor with the chat, which has its own limits and deadlines."""
        assert self._chat is not None
        try:
            async with await trio.open_unix_socket(self._chat) as chat:
                await chat.send_all(proxy_header(address))
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(_copy, stream, chat, nursery.cancel_scope)
                    nursery.start_soon(_copy, chat, stream, nursery.cancel_scope)
        except* (OSError, trio.BrokenResourceError):
            pass


async def _copy(
    source: trio.SocketStream, sink: trio.SocketStream, scope: trio.CancelScope
) -> None:
    while data := await source.receive_some(_RELAYED):
        await sink.send_all(data)
    scope.cancel()


async def _line(stream: trio.SocketStream) -> bytes:
    line = b""
    while not line.endswith(b"\n") and len(line) < LONGEST_LINE:
        data = await stream.receive_some(LONGEST_LINE - len(line))
        if not data:
            break
        line += data
    return line
