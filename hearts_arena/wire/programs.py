"""Programs that play over the wire: started for a match, kept within bounds, and ended with it.

A program that the arena starts gets a port of its own on loopback, so its seat is known by the
port, and nobody has to find a table. It runs in a process group of its own with a limit of memory.
At the end nothing of it is left: its group is killed, and on Linux whatever else carries the mark
that it was started with in its environment.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shlex
import subprocess
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from hearts.net import open_listeners
from hearts.net.children import filled, wait_and_set
from hearts.net.system import KILL, of_own_group, signal_group
from hearts_arena.play.players import BadPlayer
from hearts_client.words.others import shown_name

LOOPBACK = "127.0.0.1"
MEMORY = 1 << 30
"""Bytes that a program may have, unless another number is given."""
MARK = "HEARTS_ARENA_PROGRAM"
"""The variable of the environment by which the processes of a program are known."""
_SWEEPS = 100
_SWEEP_EVERY = 0.01
_END_LIMIT = 30.0
"""Seconds that the system has to take a program away that was killed."""
_LAST_WORDS = 0.5
"""Seconds to read what is left, should something outside hold the pipe open."""
# What counts is memory that can be written to. A limit on addresses would stop the engines of Java
# and JavaScript, which reserve many times of what they use. The reader of the pipe is there for an
# arena that is killed: nobody else holds the other end. It is no child of the program, which may
# wait for its children.
_BOUNDED = (
    'ulimit -c 0; ulimit -d "$0" 2>/dev/null; exec 3<&0 </dev/null; '
    '( (read -r _ <&3; kill -s KILL 0) >/dev/null 2>&1 & ); exec 3<&-; exec "$@"'
)

A_MATCH = 64 * 1024
"""Bytes that are kept of what a program prints in one seat of one match."""
A_FILE = 1024 * 1024
"""Bytes at which a file is put aside; the one put aside before is gone then."""

TakeOutput = Callable[[bytes], None]
"""Takes what a program writes to its standard output and error; called in a thread, for it may wait
for a disk."""


class OutputFile:
    """The file of one program; nothing is made before it prints something."""

    def __init__(self, path: Path, a_file: int = A_FILE, a_match: int = A_MATCH) -> None:
        self.path = path
        self._a_file = a_file
        self._a_match = a_match
        self._writing = threading.Lock()
        """A program may print in several seats at once."""

    def of_match(self, number: int, seat: int) -> Callable[[bytes], None]:
        """Return a function that keeps what is printed in a seat of a match; it may wait for the
        disk.
        """
        left = self._a_match
        heading = f"--- match {number} seat {seat}\n".encode()

        def take(data: bytes) -> None:
            nonlocal left, heading
            kept = data[:left]
            if not kept:
                return
            left -= len(kept)
            if not left:
                kept += b"\n--- the rest is left out\n"
            with self._writing:
                self._append(heading + kept)
            heading = b""

        return take

    def _append(self, data: bytes) -> None:
        # A full disk must cost nobody a match for what a program prints.
        try:
            if self.path.exists() and self.path.stat().st_size + len(data) > self._a_file:
                self.path.replace(self.path.with_suffix(".old"))
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as file:
                file.write(data)
        except OSError:
            return


class Entrance:
    """A listening socket at which the programs of some seats come in."""

    def __init__(self, listener: trio.SocketListener, *, is_ours: bool) -> None:
        """``is_ours`` is true for a program that the arena has started and sees end."""
        self._listener = listener
        self._turn = trio.Lock()
        self.is_ours = is_ours
        self.gone = trio.Event()
        """Set when nobody can come any more."""
        self.has_patience = not is_ours
        """The first connection may take as long as it likes."""

    async def accept(self) -> trio.SocketStream:
        """Accept the next connection; the seat that has waited longest gets it."""
        async with self._turn:
            stream = await self._listener.accept()
        self.has_patience = False
        return stream


class StartedProgram:
    """A program that is started anew for each seat of each match."""

    def __init__(self, line: str, memory: int = MEMORY) -> None:
        """``line`` is its command line, in which {host}, {port} and {name} are filled in.

        It is split like a line of a shell, but no shell reads it. ``memory`` is in bytes.

        Raises BadPlayer if it cannot be split.
        """
        try:
            self._words = shlex.split(line)
        except ValueError as error:
            raise BadPlayer(f"cannot read the command {line!r}: {error}") from None
        self._memory = memory

    @asynccontextmanager
    async def come(self, name: str, output: TakeOutput) -> AsyncIterator[Entrance]:
        """Start the program; it is gone at the end of the block. Raises OSError."""
        (listener,) = await open_listeners(LOOPBACK, 0)
        async with listener:
            entrance = Entrance(listener, is_ours=True)
            mark = secrets.token_hex(16)
            process = await self._start(name, listener.socket.getsockname()[1], mark)
            try:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(_read, process, output)
                    nursery.start_soon(wait_and_set, process, entrance.gone)
                    yield entrance
                    nursery.cancel_scope.cancel()
            finally:
                with trio.CancelScope(shield=True, deadline=trio.current_time() + _END_LIMIT):
                    await _end(process, mark, output)

    async def _start(self, name: str, port: int, mark: str) -> trio.Process:
        values = {"{host}": LOOPBACK, "{port}": str(port), "{name}": name}
        command = filled(self._words, values)
        return await trio.lowlevel.open_process(
            ["/bin/sh", "-c", _BOUNDED, str(self._memory // 1024), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, MARK: mark},
            **of_own_group(),
        )


class ConnectingProgram:
    """A program that somebody else starts, and that connects to a port for each seat."""

    def __init__(
        self, listener: trio.SocketListener, say: Callable[[str], None], at_once: int
    ) -> None:
        """``say`` is told once that the program is waited for, for somebody has to start it."""
        self.turn = trio.CapacityLimiter(at_once)
        """It cannot know for which match it connects, so it plays no more of them at a time than
        somebody has said that it can."""
        self._entrance = Entrance(listener, is_ours=False)
        self._port: int = listener.socket.getsockname()[1]
        self._say = say
        self._is_told = False

    @asynccontextmanager
    async def come(self, name: str, output: TakeOutput) -> AsyncIterator[Entrance]:
        if not self._is_told:
            self._is_told = True
            self._say(f"Waiting for {shown_name(name)} at port {self._port}.")
        yield self._entrance


Program = StartedProgram | ConnectingProgram
"""A player on the wire, whatever match it plays."""


async def _read(process: trio.Process, output: TakeOutput) -> None:
    assert process.stdout is not None
    async for data in process.stdout:
        await trio.to_thread.run_sync(output, bytes(data))


async def _end(process: trio.Process, mark: str, output: TakeOutput) -> None:
    signal_group(process, KILL)
    await _sweep(mark)
    await process.wait()
    # What it said last says mostly why it has ended.
    with trio.move_on_after(_LAST_WORDS):
        await _read(process, output)
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        await pipe.aclose()


async def _sweep(mark: str) -> None:
    # A process that is just being born is found the next time, and nobody dies at once.
    for _ in range(_SWEEPS):
        left = await trio.to_thread.run_sync(_marked, mark)
        if not left:
            return
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, KILL)
        await trio.sleep(_SWEEP_EVERY)


def _marked(mark: str) -> list[int]:
    """Return the processes that carry a mark; none if the system does not show environments."""
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if mark.encode() in environment.read_bytes():
                found.append(int(environment.parent.name))
    return found
