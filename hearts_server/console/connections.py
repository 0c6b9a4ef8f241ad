"""The socket of the console: its users, its limits of time, and its log lines.

Only the user who runs the server can connect, and root. Still a peer that sends too much, says
nothing or does not read costs nobody else anything.
"""

from __future__ import annotations

import os
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import trio
from msgspec import Struct

from hearts.net import peer_user
from hearts.net.listen import listen_at
from hearts.net.logline import EventLog
from hearts.net.places import bound_at
from hearts_server.console import protocol
from hearts_server.console.protocol import Answer, Done, NotDone, Request

from .acts import Acts

log = EventLog(__name__)

MOST_HOSTS = 8
"""Connections at the same time; one more is told to try again."""
REQUEST_LIMIT = 10.0
"""Seconds for the one line that a connection says."""
ANSWER_LIMIT = 60.0
"""Seconds for the whole of the answer to be read."""
_ROOT = 0


class Console(Struct, eq=False):
    """Serves the host's connections at a socket."""

    acts: Acts
    hosts: int = 0

    async def run(
        self, path: Path, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Listen at a path until cancelled; started when the host can connect.

        What a server that was killed has left there is replaced. If it cannot listen, the log
        says so, and the server does without.
        """
        async with AsyncExitStack() as stack:
            try:
                bound = await stack.enter_async_context(bound_at(str(path)))
                listeners = listen_at(bound)
            except OSError as error:
                log.error("console-not-open", path=path, why=error.strerror or str(error))
                task_status.started()
                return
            task_status.started()
            await trio.serve_listeners(self.serve, listeners)

    async def serve(self, stream: trio.SocketStream) -> None:
        """Serve one connection: a request, its answer, and the end. Never raises for what it
        says.
        """
        user = peer_user(stream)
        self.hosts += 1
        try:
            async with stream:
                await self._serve(stream, user)
        except (OSError, trio.BrokenResourceError):
            # The host has left; what they wanted is done and logged.
            pass
        except Exception:
            log.exception("console-failed", uid=user)
        finally:
            self.hosts -= 1

    async def _serve(self, stream: trio.SocketStream, user: int | None) -> None:
        if user not in (None, _ROOT, os.geteuid()):
            log.warning("console-refused", uid=user)
            return
        if self.hosts > MOST_HOSTS:
            await _send(stream, NotDone("too many ask at the same time; try again"))
            return
        send = partial(_send, stream)
        with trio.move_on_after(REQUEST_LIMIT) as waited:
            request = await _request(stream)
        if waited.cancelled_caught:
            request = NotDone(f"no request within {REQUEST_LIMIT:.0f} s")
        with trio.move_on_after(ANSWER_LIMIT):
            if request is None:
                return
            if isinstance(request, NotDone):
                await send(request)
                return
            answer = await self.acts.answer(request, send)
            done, asked = isinstance(answer, Done), protocol.in_words(request)
            # An invitation has the password, and a log has neither that nor what people say.
            is_secret = isinstance(request, protocol.AskInvitation | protocol.LookAtReports)
            told = "" if is_secret else answer.text
            log.info("console", uid=user, asked=asked, done=done, told=told)
            await send(answer)


async def _request(stream: trio.SocketStream) -> Request | NotDone | None:
    """Read what the host wants; None if they have left."""
    line = b""
    while b"\n" not in line:
        if len(line) >= protocol.LONGEST_LINE:
            return NotDone(f"a request has at most {protocol.LONGEST_LINE} bytes")
        data = await stream.receive_some(protocol.LONGEST_LINE - len(line))
        if not data:
            return None
        line += data
    try:
        return protocol.decode(protocol.REQUESTS, line.partition(b"\n")[0])
    except protocol.BadLine as error:
        return NotDone(f"this is no request: {error}")


async def _send(stream: trio.SocketStream, answer: Answer) -> None:
    await stream.send_all(protocol.encode(answer))
    await trio.lowlevel.checkpoint()
