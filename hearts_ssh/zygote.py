"""The process that forks the clients of visitors: it has read the client once, for all of them.

It is forked before the door begins a loop or reads a key, has no threads, and waits for orders of
five bytes: the number of a visitor, and a signal for their client or 0. With 0 come two
descriptors, the terminal and the socket to the door, for a client that is to be started.
"""

from __future__ import annotations

import fcntl
import itertools
import os
import resource
import signal
import socket
import struct
import sys
import termios
import traceback
from collections.abc import Callable
from functools import partial
from typing import NoReturn

from hearts.errors import leaves

_ORDER = struct.Struct("!IB")
_START = 0
_CONTROL = 3
"""The descriptor of a client's socket to its door."""
_LOG = 4
"""The descriptor of standard error of the door, for a client that fails."""
_MB = 1 << 20
LIMITS = {
    resource.RLIMIT_CPU: 3600,
    resource.RLIMIT_DATA: 256 * _MB,
    resource.RLIMIT_FSIZE: 0,
    resource.RLIMIT_NOFILE: 24,
    resource.RLIMIT_NPROC: 0,
    resource.RLIMIT_CORE: 0,
}
"""Seconds of the processor, bytes of memory and of files, open files, processes, bytes of a core
file that a client may have. Linux counts threads as processes; root may have them all the same."""


class Zygote:
    """The door's side of it."""

    def __init__(self, orders: socket.socket) -> None:
        self.orders = orders
        self._numbers = itertools.count(1)

    def start(self, terminal: int, control: int) -> Callable[[signal.Signals], object]:
        """Have a client started; give what sends it a signal for as long as it is there.

        Raises OSError if the zygote is gone.
        """
        number = next(self._numbers)
        socket.send_fds(self.orders, [_ORDER.pack(number, _START)], [terminal, control])
        return lambda wanted: self.orders.sendall(_ORDER.pack(number, wanted))


def begin_zygote() -> Zygote:
    """Fork the zygote; it ends when the other side does."""
    ours, theirs = socket.socketpair()
    sys.stdout.flush()
    sys.stderr.flush()
    if os.fork():
        theirs.close()
        return Zygote(ours)
    ours.close()
    status = 1
    try:
        from hearts_client import hardened

        hardened.prepare()
        _Forks(theirs, hardened.run).serve()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


class _Forks:
    def __init__(self, orders: socket.socket, run: Callable[[socket.socket], int]) -> None:
        self._orders = orders
        self._run = run
        self._pids: dict[int, int] = {}
        """The process of each visitor that has not ended."""

    def serve(self) -> None:
        # The interrupt key reaches every program of a terminal; the door ends us.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, lambda number, frame: self._reap())
        while True:
            data, descriptors, _, _ = socket.recv_fds(self._orders, _ORDER.size, 2)
            if len(data) < _ORDER.size:
                return
            visitor, wanted = _ORDER.unpack(data)
            # No number may stand for another process meanwhile.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
            if wanted == _START:
                self._start(visitor, descriptors)
            elif visitor in self._pids:
                os.kill(self._pids[visitor], wanted)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})

    def _start(self, visitor: int, descriptors: list[int]) -> None:
        pid = os.fork()
        if not pid:
            _become_client(descriptors, self._run)
        self._pids[visitor] = pid
        for descriptor in descriptors:
            os.close(descriptor)

    def _reap(self) -> None:
        while self._pids:
            pid, _ = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            self._pids = {visitor: each for visitor, each in self._pids.items() if each != pid}


def _become_client(descriptors: list[int], run: Callable[[socket.socket], int]) -> NoReturn:
    """Be the client of one visitor from here on; nothing of the zygote is left open."""
    status = 1
    try:
        # Far up first, because the numbers wanted may be taken; and before anything can fail, for
        # the number of the log may be that of the orders now.
        far = [fcntl.fcntl(each, fcntl.F_DUPFD, 100) for each in (*descriptors, 2)]
        for source, target in zip((far[0], *far), (0, 1, _CONTROL, _LOG), strict=True):
            os.dup2(source, target)
        os.dup2(far[0], 2)
        os.closerange(_LOG + 1, 1024)
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        os.environ.clear()
        os.chdir("/")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        for kind, most in LIMITS.items():
            resource.setrlimit(kind, (most, most))
        text = partial(open, encoding="utf-8", errors="replace", closefd=False)
        sys.stdin, sys.stdout, sys.stderr = text(0), text(1, "w"), text(2, "w")
        status = run(socket.socket(fileno=_CONTROL))
        sys.stdout.flush()
    except BaseException as error:
        _log(error)
    finally:
        os._exit(status)


def _log(error: BaseException) -> None:
    """Say where a client has failed, unless its terminal is gone. The texts of errors may name
    hidden cards.
    """
    for each in (each for each in leaves(error) if not isinstance(each, OSError)):
        *_, at = traceback.extract_tb(each.__traceback__)
        said = f"hearts-ssh: a client failed: {type(each).__name__} at {at.filename}:{at.lineno}\n"
        os.write(_LOG, said.encode())
