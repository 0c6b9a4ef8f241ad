"""The independent client as a program that the conformance kit starts, in process."""

from __future__ import annotations

import random
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

import trio
import trio.testing

from hearts_conformance.clients import ClientRun, OneClient
from hearts_conformance.kit import Kit
from tests.independent.plain_client import (
    ClientHabits,
    Closed,
    Nonsense,
    OwnSession,
    Read,
    Request,
    Think,
    Ticket,
    Write,
)

Call = Callable[[], Awaitable[trio.abc.HalfCloseableStream]]
Answer = Callable[[trio.abc.HalfCloseableStream], Awaitable[None]]
GONE = (trio.BrokenResourceError, trio.ClosedResourceError)
_TRIES = 5
_NO_SIGN = 0x7FFFFF7F
"""So that it is no option block either way around."""
_PROCESS_IDS = random.Random(38)


class ClientProgram:
    """A client program: it plays a session, comes back where its connection is lost, and chats."""

    session: type[OwnSession] = OwnSession
    settings = ClientHabits(name="Zoë")
    comes_back = True
    chats = True

    def __init__(self, call: Call, call_chat: Call) -> None:
        # Drawn as a client has to, but the same in each run of the tests.
        self.settings = replace(
            self.settings, process_id=_PROCESS_IDS.randrange(1 << 31) & _NO_SIGN
        )
        self._call = call
        self._call_chat = call_chat
        self.unread = b""
        self.hands = -1
        """The count of hands that it has shown last."""
        self.scope = trio.CancelScope()

    async def run(self) -> None:
        """From the first connection to the last."""
        ticket: Ticket | None = None
        with self.scope:
            async with trio.open_nursery() as nursery:
                before: OwnSession | None = None
                for _ in range(_TRIES):
                    before = session = self.begin(ticket, before)
                    await self._play(session, nursery)
                    ticket = session.ticket
                    if not self.comes_back or ticket is None or self.is_over(session):
                        break
                    ticket = self.remembered(ticket)
                    refusals = [fact.numbers[0] for fact in session.facts if fact.kind == "refused"]
                    if -103 in refusals:
                        ticket = replace(ticket, hands=-1)
                    self.hands = ticket.hands
                    await trio.sleep(0.5)
                nursery.cancel_scope.cancel()

    def begin(self, ticket: Ticket | None, before: OwnSession | None) -> OwnSession:
        """Another connection; ``before`` is the session over the one before."""
        return self.session(self.settings, ticket)

    def is_over(self, session: OwnSession) -> bool:
        """Whether there is nothing to come back to."""
        kinds = [(fact.kind, fact.numbers) for fact in session.facts[-2:]]
        if ("new game", (0,)) in kinds:
            return True
        return any(kind == "refused" and self.is_final(numbers[0]) for kind, numbers in kinds)

    def is_final(self, code: int) -> bool:
        """Whether a refusal ends it; -103 to a count may come from a power cut."""
        return code < -4 and (code != -103 or self.hands < 1)

    def talks(self, session: OwnSession) -> None:
        """A session begins."""

    def remembered(self, ticket: Ticket) -> Ticket:
        return ticket

    async def _play(self, session: OwnSession, nursery: trio.Nursery) -> None:
        stream = await self._call()
        self.unread = b""
        self.talks(session)
        talk = session.talk()
        chatting = False
        try:
            request = next(talk)
            while True:
                seated = next((fact for fact in session.facts if fact.kind == "seated"), None)
                if seated is not None and self.chats and not chatting:
                    chatting = True
                    player, game, game_id = seated.numbers
                    numbers = (game, game_id, player, self.settings.process_id)
                    nursery.start_soon(self._chat, self.chat_numbers(*numbers))
                try:
                    answer = await self._meet(request, stream)
                except (Closed, *GONE):
                    request = talk.throw(Closed())
                else:
                    request = talk.send(answer)
        except (StopIteration, Nonsense, IndexError, struct.error):
            pass  # A program that ends, or dies, of what it read.
        finally:
            await trio.aclose_forcefully(stream)

    async def _meet(self, request: Request, stream: trio.abc.HalfCloseableStream) -> bytes:
        match request:
            case Write(data):
                await self.write(data, stream)
                return b""
            case Think(seconds):
                await trio.sleep(seconds)
                return b""
            case Read(count):
                return await self.read(count, stream)

    async def write(self, data: bytes, stream: trio.abc.HalfCloseableStream) -> None:
        await stream.send_all(data)

    async def read(self, count: int, stream: trio.abc.HalfCloseableStream) -> bytes:
        while len(self.unread) < count:
            data = await stream.receive_some(4096)
            if not data:
                raise Closed
            self.unread += data
        answer, self.unread = self.unread[:count], self.unread[count:]
        return answer

    def chat_numbers(self, game: int, game_id: int, player: int, process_id: int) -> bytes:
        return struct.pack(">4i", game, game_id, player, process_id)

    async def _chat(self, numbers: bytes) -> None:
        stream = await self._call_chat()
        try:
            await stream.send_all(numbers)
            await stream.send_all(self.taunt(numbers))
            while await stream.receive_some(4096):
                pass
        except GONE:
            pass
        await trio.aclose_forcefully(stream)
        self.chat_is_over()

    def taunt(self, numbers: bytes) -> bytes:
        return numbers + b"\0\0\0\x06hello\0"

    def chat_is_over(self) -> None:
        """The game does not need the chat."""


def start(kit: Kit, program: type[ClientProgram]) -> OneClient:
    """What starts the program anew for each scenario, over memory streams."""

    @asynccontextmanager
    async def one_client() -> AsyncIterator[ClientRun]:
        client_run = ClientRun()
        async with trio.open_nursery() as nursery:

            async def call(answer: Answer) -> trio.abc.HalfCloseableStream:
                ours, theirs = trio.testing.memory_stream_pair()
                nursery.start_soon(answer, theirs)
                await trio.lowlevel.checkpoint()
                return ours

            async def run(task_status: trio.TaskStatus[None]) -> None:
                task_status.started()
                await program(partial(call, kit.answer), partial(call, kit.answer_chat)).run()
                client_run.end(0)

            await nursery.start(run)
            yield client_run
            nursery.cancel_scope.cancel()

    return one_client
