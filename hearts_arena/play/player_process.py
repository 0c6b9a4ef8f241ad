"""Processes of their own for players: they end with the process that starts them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from typing import TypeAlias, TypeVarTuple

from hearts.net.system import interrupts_wait, limit_memory

_PRELOADED = "hearts_arena.play.match_runner"
_What = TypeVarTuple("_What")

if sys.platform == "win32":
    from multiprocessing.connection import PipeConnection

    Pipe: TypeAlias = PipeConnection
    context = multiprocessing.get_context("spawn")
else:
    from multiprocessing.connection import Connection

    Pipe: TypeAlias = Connection
    """An end of a pipe between two processes."""
    context = multiprocessing.get_context("forkserver")


class PlayerProcess:
    """A process in which players are asked, as it is seen from outside."""

    def __init__(self, memory: int, work: Callable[[Pipe, *_What], None], *what: *_What) -> None:
        """Start it: it calls ``work`` with its end of the pipe and ``what``.

        ``work`` must be a function that can be imported. The process may have ``memory`` bytes, 0
        for no limit.
        """
        self.pipe, theirs = context.Pipe()
        if sys.platform != "win32":
            # A process that starts where all is imported is there ten times as soon.
            context.set_forkserver_preload([_PRELOADED])
        self._process = context.Process(
            target=_begin, args=(memory, work, theirs, *what), daemon=True
        )
        # Ctrl-C is for the tournament. A process that starts with it blocked hears nothing
        # of it, even before its own code runs. Where the tracker starts, it unblocks it.
        if sys.platform != "win32":
            resource_tracker.ensure_running()
        with interrupts_wait():
            self._process.start()
        theirs.close()

    @property
    def sentinel(self) -> int:
        """Ready for :func:`multiprocessing.connection.wait` once the process has ended."""
        return self._process.sentinel

    def end(self) -> None:
        """End it at once, whatever it is at.

        Who waits for the pipe in another thread hears its end, so it is not closed here.
        """
        self._process.kill()
        self._process.join()
        self._process.close()


def _begin(memory: int, work: Callable[[Pipe, *_What], None], pipe: Pipe, *what: *_What) -> None:
    # Ctrl-C goes to all processes of a terminal; it is for the one that gave the work.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    limit_memory(memory)
    work(pipe, *what)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
