"""A scheduler of dask with its workers, as processes of this machine."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .command_runs import ROOT

_END_LIMIT = 20.0
"""Seconds for a process to end that was asked to."""


class DaskCluster:
    """A scheduler, and what was started to play for it. Each process ends with :meth:`close`."""

    def __init__(self, folder: Path, **settings: object) -> None:
        """``folder`` is for what dask writes; ``settings`` are variables of the scheduler."""
        self._folder = folder
        self._running: list[subprocess.Popen[str]] = []
        self._reading: list[threading.Thread] = []
        environment = {**os.environ, **{name: str(value) for name, value in settings.items()}}
        self.scheduler, place = self._start(
            *("dask_scheduler", "--host", "127.0.0.1", "--port", "0"),
            until="Scheduler at:",
            environment=environment,
        )
        self.port = int(place.rpartition(":")[2])
        self.place = ("127.0.0.1", self.port)

    def worker(
        self, *options: str, cwd: Path = ROOT, path: Path | None = None
    ) -> subprocess.Popen[str]:
        """A worker that the scheduler knows. It finds modules in ``path`` first."""
        environment = dict(os.environ, PYTHONPATH=str(path)) if path else None
        given = (f"tcp://127.0.0.1:{self.port}", "--host", "127.0.0.1", *options)
        there = ("--local-directory", str(self._folder))
        process, _ = self._start(
            "dask_worker", *given, *there, until="Registered to:", cwd=cwd, environment=environment
        )
        return process

    def _start(
        self,
        program: str,
        *arguments: str,
        until: str,
        cwd: Path = ROOT,
        environment: dict[str, str] | None = None,
    ) -> tuple[subprocess.Popen[str], str]:
        """A process, when it has said so much, and the rest of that line."""
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{program}", *arguments, "--no-dashboard"],
            cwd=cwd,
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._running.append(process)
        assert process.stderr is not None
        said = []
        for line in process.stderr:
            said.append(line)
            if until in line:
                # It must not wait for somebody to read what it says from now on.
                reader = threading.Thread(target=deque, args=(process.stderr, 0))
                reader.start()
                self._reading.append(reader)
                return process, line.partition(until)[2].strip()
        raise AssertionError("".join(said))

    def close(self) -> None:
        """End all processes, the scheduler last."""
        for process in reversed(self._running):
            process.terminate()
        for process in self._running:
            try:
                process.wait(_END_LIMIT)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for reader in self._reading:
            reader.join()
        for process in self._running:
            assert process.stderr is not None
            process.stderr.close()


@contextmanager
def dask_cluster(folder: Path, **settings: object) -> Iterator[DaskCluster]:
    """A scheduler for the time of the block, with the settings of :class:`DaskCluster`."""
    cluster = DaskCluster(folder, **settings)
    try:
        yield cluster
    finally:
        cluster.close()
