"""Programs that we start: they end with us. Those of ours say where they listen."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import trio

from .system import KILL, of_own_group, signal_group


def child(
    command: Sequence[str], *, in_our_session: bool = False, **more: Any
) -> Callable[..., Any]:
    """Return a program to be started in a nursery, with ``more`` for trio.run_process.

    Its standard input is a pipe that closes when we are gone, for :func:`wait_for_parents_end`.
    Ctrl-C at the terminal does not reach it: we end it ourselves. ``in_our_session`` is for one
    whose low priority is to count beside us: Linux may share the processor out among sessions first
    (autogroup). A program with a log is not in our session, because a terminal can be set to stop
    programs that write to it from the background.
    """
    return partial(
        trio.run_process,
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        check=False,
        **of_own_group(in_our_session=in_our_session),
        **more,
    )


async def wait_for_parents_end(receive: Callable[[str], object] = len) -> None:
    """Wait until standard input ends: it ends when the program that has started us ends.

    ``receive`` gets each line that this program writes there until then.
    """
    said = b""
    # A thread, because standard input may be anything; it ends with the process.
    while data := await trio.to_thread.run_sync(os.read, 0, 65536, abandon_on_cancel=True):
        *whole, said = (said + data).split(b"\n")
        for line in whole:
            receive(line.decode(errors="replace"))


async def listening_lines(process: trio.Process, last: str, limit: float) -> dict[str, str]:
    """Return the lines "PROGRAM listening on HOST:PORT", or with the path of a Unix socket, that a
    child says, by program.

    They end with that of the program ``last``, with the output, or after ``limit`` seconds.
    """
    assert process.stdout is not None
    found: dict[str, str] = {}
    said = b""
    with trio.move_on_after(limit):
        while last not in found:
            data = await process.stdout.receive_some(1024)
            if not data:
                break
            *whole, said = (said + data).split(b"\n")
            for line in (each.decode(errors="replace") for each in whole):
                program, listening, where = line.partition(" listening on ")
                if listening and ("/" in where or where.rpartition(":")[2].isdecimal()):
                    found.setdefault(program, line)
    return found


def port_of(line: str) -> int:
    """Return the port in such a line."""
    return int(line.rpartition(":")[2])


def filled(words: Sequence[str], values: Mapping[str, str]) -> Sequence[str]:
    """Return the words of a command with values in the places of names such as ``{port}``."""
    for name, value in values.items():
        words = [word.replace(name, value) for word in words]
    return words


async def run_quietly(command: Sequence[str], limit: float) -> bool:
    """Run a program without output; True if it ended well within ``limit`` seconds.

    It ends at once if that is over, or if the task is cancelled, with all that it has started.
    """
    with trio.move_on_after(limit):
        try:
            done = await trio.run_process(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
                deliver_cancel=_kill_group,
                **of_own_group(),
            )
        except OSError:
            return False
        return done.returncode == 0
    return False


async def _kill_group(process: trio.Process) -> None:  # noqa: ASYNC124
    signal_group(process, KILL)


async def wait_and_set(process: trio.Process, ended: trio.Event) -> None:
    """Wait for the end of a program, and set an event then."""
    await process.wait()
    ended.set()
