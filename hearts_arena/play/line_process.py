"""A program that speaks in lines, over its standard input and output.

Every wait has an end, and the output that is kept has a bound. Nothing of the program is left when
it is closed: its process group is killed, also if the process that has started it is.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import threading
import time

from hearts.net.system import (
    KILL,
    check_waits_for_pipes,
    of_own_group,
    readable,
    signal_group,
    unblock,
)

LONGEST_LINE = 1000
"""Bytes of a line that the program may say, without its line break."""
EXIT_LIMIT = 2.0
"""Seconds for a program to end by itself when its input has ended."""
_LAST_WORDS = 2000
"""Bytes of its latest standard error that are kept."""
_AT_ONCE = 65536
# The reader of the other pipe is there for a starter that is killed: nobody else holds the other
# end of it.
_BOUNDED = (
    'ulimit -c 0; [ "$1" = 0 ] || ulimit -d "$1" 2>/dev/null; shift; '
    '( (read -r _ <"/dev/fd/$0"; kill -s KILL 0) >/dev/null 2>&1 & ); exec "$@"'
)


class LineFault(Exception):
    """The program has ended, or does not keep to the protocol; the text says how."""


class LineProcess:
    def __init__(self, line: str, memory: int = 0, *, shows_errors: bool = False) -> None:
        """Start it, with ``memory`` bytes or, if it is 0, the limit of this process.

        ``line`` is split like a line of a shell, but no shell reads it. Its standard error is ours,
        or is kept as its last words. Raises LineFault if it cannot be started.
        """
        watched, self._watch = os.pipe()
        try:
            check_waits_for_pipes()
            self._process = subprocess.Popen(
                [
                    *("/bin/sh", "-c", _BOUNDED, str(watched), str(memory // 1024)),
                    *shlex.split(line),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if shows_errors else subprocess.PIPE,
                bufsize=0,
                pass_fds=(watched,),
                **of_own_group(),
            )
        except (OSError, ValueError) as error:
            os.close(self._watch)
            raise LineFault(f"cannot be started: {error}") from None
        finally:
            os.close(watched)
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        self._pipes = [pipe for pipe in pipes if pipe is not None]
        self._input, self._output, *self._errors = (pipe.fileno() for pipe in self._pipes)
        for pipe in self._pipes:
            unblock(pipe.fileno())
        self._unsent = b""
        self._unread = b""
        self._last_words = b""
        self._is_closed = False
        self._ending = threading.Lock()

    def write(self, line: str) -> None:
        """Say a line; it leaves with the next :meth:`flush`."""
        self._unsent += line.encode() + b"\n"

    def flush(self) -> None:
        """Hand over what was said. Raises LineFault if the program is gone or does not read."""
        data, self._unsent = self._unsent, b""
        try:
            written = os.write(self._input, data) if data else 0
        except BlockingIOError:
            written = 0
        except OSError:
            raise self._ended() from None
        if written != len(data):
            raise LineFault("does not read what it is told")

    def read(self, deadline: float) -> str | None:
        """Return the next line that it says; None if there is none before the deadline, by
        time.monotonic(). Raises LineFault if it has ended, or says too much."""
        while True:
            line, separator, rest = self._unread.partition(b"\n")
            if len(line) > LONGEST_LINE:
                raise LineFault(f"says a line of more than {LONGEST_LINE} bytes")
            if separator:
                self._unread = rest
                return line.decode("utf-8", "replace").rstrip("\r")
            if not self._wait(deadline):
                return None

    def _wait(self, deadline: float) -> bool:
        """Read what there is; False if the deadline has come first."""
        watched = [self._output, *self._errors]
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            ready = readable(watched, min(left, 3600.0))
            for number in self._errors:
                if number in ready and not self._read_error(number):
                    watched.remove(number)
            if self._output in ready:
                data = os.read(self._output, _AT_ONCE)
                if not data:
                    raise self._ended()
                self._unread += data
                return True

    def _read_error(self, number: int) -> bool:
        """Keep some of its latest standard error; False if no more can come now."""
        try:
            data = os.read(number, _AT_ONCE)
        except BlockingIOError:
            return False
        self._last_words = (self._last_words + data)[-_LAST_WORDS:]
        return bool(data)

    def _ended(self) -> LineFault:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(EXIT_LIMIT)
        for number in self._errors:
            while self._read_error(number):
                pass
        status = self._process.returncode
        words = self._last_words.decode("utf-8", "replace").strip().splitlines()
        said = f"; it said last: {words[-1][:200]!a}" if words else ""
        return LineFault(f"has ended (exit status {status}){said}")

    def kill(self) -> None:
        """Kill it and all processes of its group; somebody closes it later."""
        with self._ending:
            if not self._is_closed:
                signal_group(self._process, KILL)

    def close(self, patience: float = EXIT_LIMIT) -> None:
        """End the input of the program; kill it if it has not ended ``patience`` seconds later."""
        with self._ending:
            if self._is_closed:
                return
            self._is_closed = True
        first, *others = self._pipes
        with contextlib.suppress(OSError):
            first.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        signal_group(self._process, KILL)
        self._process.wait()
        os.close(self._watch)
        for pipe in others:
            pipe.close()
