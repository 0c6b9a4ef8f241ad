"""Servers for the clients in other languages, tables of four, and what the referee says of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import trio

from hearts.net import Pump, accept_connections
from hearts_server.datadir import DataDir
from taunt_server.server import TauntServer
from tests.independent.plain_client import Fact
from tests.independent.referee import Referee, TableReport
from tests.integration.house import Caller, listening, register
from tests.soak.soak_server import ServerProcess

from .programs import HOST, RunningProgram, running

LIMIT = 100.0
"""Seconds after which a test hangs."""
NO_CLOCK = ("--turn-limit", "0", "--pause-limit", "600", "--fill-after", "never")
NAMES = ("Zoë", "Bob", "Cleo", "Dan")
Command = Sequence[str]
Workshop = Callable[[str], Command]


@asynccontextmanager
async def house(data_dir: Path, *arguments: str) -> AsyncIterator[int]:
    with trio.fail_after(LIMIT):
        async with listening(data_dir, *NO_CLOCK, *arguments) as server:
            yield server.port


@asynccontextmanager
async def table(
    commands: Sequence[Command], port: int, own_options: Sequence[Sequence[str]] = ((),) * 4
) -> AsyncIterator[list[RunningProgram]]:
    """Four clients at a table of their own."""
    async with AsyncExitStack() as stack:
        programs = []
        for command, name, options in zip(commands, NAMES, own_options, strict=True):
            own = running(command, "--name", name, "--table", "friends", *options, port=port)
            programs.append(await stack.enter_async_context(own))
        yield programs


async def done(programs: Sequence[RunningProgram]) -> None:
    """Wait until all have played their session to its end; the first that cannot ends the test."""

    async def ended(program: RunningProgram) -> None:
        status = await program.ended()
        assert status == 0, program.errors

    async with trio.open_nursery() as nursery:
        for program in programs:
            nursery.start_soon(ended, program)


def judge(programs: Sequence[RunningProgram], *, came_back: bool = False) -> TableReport:
    by_seat = {program.player: program.transcript for program in programs}
    assert len(by_seat) == len(programs)
    return Referee(by_seat, came_back=came_back).judge()


@asynccontextmanager
async def guest(port: int) -> AsyncIterator[tuple[int, int, int, int]]:
    """A player who never passes, so that the hand waits; gives the four numbers of the seat."""
    async with await trio.open_tcp_stream(HOST, port) as stream:
        caller = Caller(stream)
        player = await register(caller, name="Guest")
        game, game_id = await caller.numbers(2)
        yield game, game_id, player, 1000


async def play_through_a_kill(command: Command, process: ServerProcess) -> None:
    """Three play whose server is killed in their first hand, and begins again."""
    with trio.fail_after(LIMIT):
        async with AsyncExitStack() as stack:
            start = partial(running, command, port=process.port)
            programs = [await stack.enter_async_context(start()) for _ in range(3)]
            async with guest(process.port):
                for program in programs:
                    await program.until_said("pass")
                process.kill()
            process.begin()
            # A stand-in plays for the guest, who does not come back.
            await done(programs)
    assert [len(program.parts) for program in programs] == [2, 2, 2]
    assert judge(programs, came_back=True).games == 1


@asynccontextmanager
async def chat(data_dir: Path) -> AsyncIterator[tuple[int, trio.CancelScope]]:
    """The port of a taunt server, and what ends it."""
    secrets = DataDir(data_dir)
    secrets.close()
    rooms = TauntServer(secrets.secret, max_connections=100, max_per_address=100)
    life = trio.CancelScope()
    pump = Pump()
    listeners = await trio.open_tcp_listeners(0, host=HOST)

    async def serve(task_status: trio.TaskStatus[None]) -> None:
        with life:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(pump.run)
                task_status.started()
                serve = partial(rooms.handle, pump, None)
                async with listeners[0]:
                    await accept_connections(listeners, rooms.admits, serve, nursery)

    async with trio.open_nursery() as nursery:
        await nursery.start(serve)
        yield listeners[0].socket.getsockname()[1], life
        nursery.cancel_scope.cancel()


def says(player: int, words: str) -> Callable[[Sequence[Fact]], bool]:
    return lambda facts: Fact("taunt", (player,), (words,)) in facts
