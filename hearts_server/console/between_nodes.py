"""What one node asks of another for the host: a request of the console, and its answer.

Both travel as they do at the console. A node that is asked carries out the act itself, and asks
nobody else.
"""

from __future__ import annotations

from typing import assert_never

import trio

from hearts.net import TcpStream
from hearts.net.link import GONE
from hearts.net.logline import EventLog
from hearts_server.cluster.calling import NOT_REACHED, Caller, socket_stream
from hearts_server.cluster.handshake import Errand
from hearts_server.cluster.membership import Peer
from hearts_server.console_protocol import (
    BadLine,
    Done,
    EndTable,
    InviteToTable,
    LookAround,
    MutePlayer,
    NotDone,
    RemoveFromSeat,
    Request,
    SayToTables,
    decode_answer,
    encode,
    in_words,
)
from hearts_server.lobby.invitations import INVITATION_LIMIT

from .acts import END_LIMIT, HostActs, Send
from .connections import talk

log = EventLog(__name__)

REPLY_LIMIT = 3.0
"""Seconds that a node has for its answer, beside what the act itself waits for."""
_READ = 1 << 16


async def ask(caller: Caller, peer: Peer, request: Request, send: Send) -> Done | NotDone:
    """Have another node do what the host wants; as with HostActs, lines before the last one go to
    ``send``."""
    try:
        stream = await caller.call(peer.address, Errand.ACT)
    except NOT_REACHED as error:
        log.debug("node-does-not-answer", node=peer.name, why=error)
        return NotDone(f"node {peer.name} cannot be reached, and has done nothing")
    try:
        with trio.fail_after(_limit(request)):
            await stream.send_all(encode(request))
            return await _answer(stream, send)
    except (*NOT_REACHED, BadLine) as error:
        log.debug("node-does-not-answer", node=peer.name, why=error)
        return NotDone(
            f"node {peer.name} has not answered in time; it may have done it all the same"
        )
    finally:
        await trio.aclose_forcefully(socket_stream(stream))


def _limit(request: Request) -> float:
    """Seconds for the answer of another node."""
    match request:
        case InviteToTable():
            return INVITATION_LIMIT + REPLY_LIMIT
        case EndTable() | RemoveFromSeat():
            return END_LIMIT + REPLY_LIMIT
        case LookAround() | SayToTables() | MutePlayer():
            return REPLY_LIMIT
        case _:
            assert_never(request)


async def _answer(stream: TcpStream, send: Send) -> Done | NotDone:
    """The last line of an answer; those before it go to ``send``. Raises one of NOT_REACHED, or
    BadLine."""
    rest = b""
    while data := await stream.receive_some(_READ):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            answer = decode_answer(line)
            if isinstance(answer, Done | NotDone):
                return answer
            await send(answer)
    raise ConnectionResetError("it ended before its last line")


async def serve_node(acts: HostActs, stream: TcpStream) -> None:
    """Own a connection over which another node asks to its end. Never raises for what it says."""
    try:
        await talk(stream, acts, _log_act)
    except GONE as error:
        log.debug("node-lost", why=error)
    except Exception:
        log.exception("console-failed", uid=None)
    finally:
        await trio.aclose_forcefully(socket_stream(stream))


def _log_act(request: Request, answer: Done | NotDone) -> None:
    # Each list is asked for at all nodes, and would hide what was done.
    if not isinstance(request, LookAround):
        done = isinstance(answer, Done)
        log.info("console-elsewhere", asked=in_words(request), done=done, told=answer.text)
