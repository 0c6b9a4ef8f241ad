"""The door to what Windows has otherwise, or not at all: terminals, signals, locks, limits.

Nothing else in these packages asks which system it runs on, but for the parts of the arena that
start programs on a wire. ``mypy --platform win32`` reads the other half of it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from typing import IO, Any

import trio

LOWEST_PRIORITY = 19

if sys.platform == "win32":
    import msvcrt

    KILL = signal.SIGTERM
    LEAVING = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGBREAK})
    PIPE_WRITE = 4096
    TerminalError = OSError
else:
    import fcntl
    import resource
    import select
    import termios

    KILL = signal.SIGKILL
    """Ends a program at once."""
    LEAVING = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    """The signals by which a person leaves: by a key, by another program, by a closed window."""
    PIPE_WRITE = select.PIPE_BUF
    """Bytes that one write to a pipe keeps together."""
    TerminalError = termios.error
    """The error of a terminal that is gone."""


# Terminals


def is_terminal_gone(descriptor: int) -> bool:
    """Return True if the window of a terminal is closed."""
    if sys.platform == "win32":
        is_there = os.isatty(descriptor)
    else:
        try:
            is_there = bool(termios.tcgetattr(descriptor))
        except (termios.error, ValueError):
            is_there = False
    return not is_there


@contextlib.contextmanager
def unseen(descriptor: int) -> Iterator[None]:
    """Show nothing of what is typed at a terminal, but for the end of a line."""
    if sys.platform == "win32":
        mode = _ConsoleMode(descriptor)
        mode.set(mode.before & ~_ECHO_INPUT)
        try:
            yield
        finally:
            mode.set(mode.before)
    else:
        before, quiet = termios.tcgetattr(descriptor), termios.tcgetattr(descriptor)
        # The end of a line is still shown, so that the next one begins if it should.
        quiet[3] = quiet[3] & ~termios.ECHO | termios.ECHONL
        termios.tcsetattr(descriptor, termios.TCSADRAIN, quiet)
        try:
            yield
        finally:
            # A terminal that is gone has no setting to go back to.
            with contextlib.suppress(termios.error):
                termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


_ECHO_INPUT = 0x4
"""ENABLE_ECHO_INPUT of SetConsoleMode."""

if sys.platform == "win32":
    import ctypes

    class _ConsoleMode:
        """The mode of a console."""

        def __init__(self, descriptor: int) -> None:
            self._kernel = ctypes.WinDLL("kernel32", use_last_error=True)
            self._handle = ctypes.c_void_p(msvcrt.get_osfhandle(descriptor))
            mode = ctypes.c_ulong()
            self._kernel.GetConsoleMode(self._handle, ctypes.byref(mode))
            self.before = mode.value

        def set(self, mode: int) -> None:
            self._kernel.SetConsoleMode(self._handle, ctypes.c_ulong(mode))


# Programs that we start


def of_own_group(*, in_our_session: bool = False) -> dict[str, Any]:
    """Return the arguments by which a program that is started leads a group of its own."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"process_group": 0} if in_our_session else {"start_new_session": True}


def signal_group(process: trio.Process | subprocess.Popen[bytes], number: int) -> None:
    """Send a signal to a program that leads a group, and to all that it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True)
        else:
            os.killpg(process.pid, number)


def check_waits_for_pipes() -> None:
    """Raise OSError where nobody can wait for several pipes at once."""
    if sys.platform == "win32":
        raise OSError("an engine needs a system like Linux or macOS")


def unblock(descriptor: int) -> None:
    """Let reading and writing a pipe never wait."""
    if sys.platform != "win32":
        os.set_blocking(descriptor, False)


def readable(descriptors: Iterable[int], seconds: float) -> list[int]:
    """Wait for pipes; return those that can be read, none if so many seconds are over."""
    ready: list[int] = []
    if sys.platform != "win32":
        poll = select.poll()
        for descriptor in descriptors:
            poll.register(descriptor, select.POLLIN)
        ready += [descriptor for descriptor, _ in poll.poll(seconds * 1000)]
    return ready


@contextlib.contextmanager
def interrupts_wait() -> Iterator[None]:
    """Start programs that hear nothing of Ctrl-C at the terminal."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# Sockets, limits and locks


def unix_socket() -> socket.socket:
    """Make a Unix socket. Raises OSError where there are none."""
    if sys.platform == "win32":
        raise OSError("there are no Unix sockets on Windows")
    return socket.socket(socket.AF_UNIX)


def is_unix(family: int) -> bool:
    return sys.platform != "win32" and family == socket.AF_UNIX


def usable_cores() -> int:
    """Return the number of cores for this process; a system that does not say has it all."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def give_way() -> None:
    """Take the lowest priority for this process."""
    if sys.platform == "win32":
        kernel = ctypes.WinDLL("kernel32")
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), subprocess.IDLE_PRIORITY_CLASS)
    else:
        os.nice(LOWEST_PRIORITY)


def limit_memory(most: int) -> None:
    """Give this process at most so many bytes, where the system can; 0 for no limit."""
    if sys.platform != "win32" and most:
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def allow_many_files() -> None:
    """Open as many files as the system allows; if it does not grant them, the limit stays."""
    if sys.platform != "win32":
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def lock(file: IO[bytes] | int) -> None:
    """Take a file for this process alone. Raises BlockingIOError if another one has it."""
    if sys.platform == "win32":
        number = file if isinstance(file, int) else file.fileno()
        at = os.lseek(number, 0, os.SEEK_CUR)
        try:
            # Far behind the end, for what is locked nobody else can read.
            os.lseek(number, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(*error.args) from None
        finally:
            os.lseek(number, at, os.SEEK_SET)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


_LOCKED_BYTE = 2**31 - 1


def sync_folder(path: str | os.PathLike[str]) -> None:
    """Make durable which files a folder holds, where a folder can be opened. Raises OSError."""
    if sys.platform == "win32":
        return
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
