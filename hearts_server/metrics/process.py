"""Figures of this process: memory, descriptors, processor time.

They are read from /proc if there is one; elsewhere what the standard library knows is given,
and the rest is left out.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

_PROC = Path("/proc/self")
_STARTED = time.time()


def cpu_seconds() -> float:
    times = os.times()
    return times.user + times.system


def resident_bytes() -> int:
    """Memory in use; if the system does not tell it, the most that was ever in use."""
    try:
        pages = int((_PROC / "statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
    return pages * os.sysconf("SC_PAGE_SIZE")


def open_descriptors() -> int | None:
    for folder in (_PROC / "fd", Path("/dev/fd")):
        try:
            # The folder itself is open while it is read.
            return len(os.listdir(folder)) - 1
        except OSError:
            continue
    return None


def most_descriptors() -> float:
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return float("inf") if most == resource.RLIM_INFINITY else most


FIGURES: tuple[tuple[str, str, Callable[[], float | None]], ...] = (
    ("process_cpu_seconds_total", "Processor time of the process.", cpu_seconds),
    ("process_resident_memory_bytes", "Memory in use.", resident_bytes),
    ("process_open_fds", "Open files and sockets.", open_descriptors),
    ("process_max_fds", "Files and sockets that may be open.", most_descriptors),
    ("process_start_time_seconds", "Unix time at which it began.", lambda: _STARTED),
)
"""Name, help and reading of each; None if this system does not tell it.

prometheus-client's own collector knows nothing of macOS.
"""
