"""A host at the console of a house, and tables that they can look at."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager

from trio.testing import wait_all_tasks_blocked

from hearts.dealer.frames import MessageType
from hearts.session.wishes import BeInvitable
from hearts_server.console.acts import Acts
from hearts_server.console.protocol import Answer, Done, LookAround, Request, TableLine
from tests.dealer.payloads import frame as frame_of
from tests.integration.house import House, options, text

from .process import TIMEOUT


async def ask(made: House, request: Request) -> list[Answer]:
    """All that the server answers."""
    answers: list[Answer] = []

    async def send(answer: Answer) -> None:
        answers.append(answer)

    answers.append(await Acts(made.server).answer(request, send))
    return answers


async def one(made: House, request: Request) -> Answer:
    (answer,) = await ask(made, request)
    return answer


async def tables(made: House) -> list[TableLine]:
    """The tables that the server tells, and how many these are."""
    *lines, done = await ask(made, LookAround())
    assert done == Done(f"{len(lines)} table{'s' * (len(lines) != 1)}")
    return [line for line in lines if isinstance(line, TableLine)]


async def alone(made: House, name: str = "Ann") -> tuple[int, int]:
    """Somebody plays with three computers; the game number and the Game ID."""
    caller = await made.guest(-2, *options(computers=0b1110), name=name)
    number, game_id = await caller.numbers(2)
    await wait_all_tasks_blocked()
    return number, game_id


@contextmanager
def waiting(port: int, name: str) -> Iterator[None]:
    """Somebody waits to be invited, at a table of their own."""
    words = text(name) + struct.pack(">ii", -6, 1) + struct.pack(">i", -4) + text(f"{name} waits")
    frame = frame_of(BeInvitable(0, True))
    taken = struct.pack(">i", MessageType.TAKEN)
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT) as line:
        line.sendall(words + struct.pack(">i", 1000) + frame)
        said = b""
        while taken not in said:
            said += line.recv(1024)
        yield
