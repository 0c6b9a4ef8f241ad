"""The real client in a terminal that a test reads and types into.

The terminal is a pseudo-terminal, and its screen that of pyte. Every wait is for something that is
to be seen, with a deadline; who waits in vain is shown the screen.
"""

from __future__ import annotations

import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from fcntl import ioctl
from pathlib import Path

import pyte
import trio

from .modes import ALTERNATE, CURSOR, MOUSE, PASTE, TAKEN, WHOLE, ModalScreen

SHIM = Path(__file__).parent / "shim.py"
ROOT = Path(__file__).parents[2]
CLIENT = (sys.executable, "-m", "hearts_client")
PATIENCE = 30.0
"""Seconds for something to be seen, on a machine that is busy."""
_READ_BYTES = 65536
_QUERY = re.compile(rb"\x1b\[\?(\d+)\$p")
_KNOWN = {ALTERNATE, MOUSE, 1006, PASTE, WHOLE}
_SET, _RESET = 1, 2
Seen = str | Callable[[], object]


class NotSeen(AssertionError):
    """What was waited for did not come; the text has the screen."""


@dataclass(frozen=True, slots=True)
class TerminalState:
    """How a program has left the terminal, for good or for a while."""

    status: int
    """Its exit status; -N where signal N ended or stopped it."""
    as_before: bool
    """Whether the attributes of the terminal are what they were."""


class Terminal:
    """A terminal with a program in it. See :func:`terminal`."""

    def __init__(self, master: int, size: tuple[int, int], *, answers: bool) -> None:
        self._master = master
        self._answers = answers
        self._screen = ModalScreen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self._news = trio.Event()
        self._fate: TerminalState | None = None
        self._shim: trio.Process | None = None
        self.said = b""
        """All bytes that the program has written."""
        self.pid = 0
        """The process of the program, and its group."""
        self.is_gone = False
        """Whether there is no terminal any more."""

    # What is to be seen

    @property
    def screen(self) -> pyte.Screen:
        return self._screen

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def find(self, words: str) -> tuple[int, int] | None:
        """Column and row (from 0) of the first place where words stand; None if nowhere."""
        for row, line in enumerate(self._screen.display):
            if words in line:
                return _column(line, words), row
        return None

    def shows(self, words: str) -> bool:
        return self.find(words) is not None

    @property
    def is_full(self) -> bool:
        return ALTERNATE in self._screen.private

    def left_clean(self) -> bool:
        taken = self._screen.private & TAKEN
        return not taken and CURSOR in self._screen.private

    async def wait_for(self, what: Seen, seconds: float = PATIENCE) -> None:
        """Wait until words stand on the screen, or something is true of it. Raises NotSeen."""
        seen = what if callable(what) else lambda: self.shows(what)
        with trio.move_on_after(seconds):
            while not (self._is_whole and seen()):
                if self._fate is not None:
                    break
                await self._news.wait()
        if not seen():
            name = repr(what) if isinstance(what, str) else getattr(what, "__name__", "that")
            fate = f"; the program has ended: {self._fate}" if self._fate is not None else ""
            raise NotSeen(f"{name} is not to be seen{fate}; the screen:\n{self._framed()}")

    async def wait_until_gone(self, words: str, seconds: float = PATIENCE) -> None:
        """Wait until words stand on the screen no more. Raises NotSeen."""

        def gone() -> bool:
            return not self.shows(words)

        gone.__name__ = f"the end of {words!r}"
        await self.wait_for(gone, seconds)

    @property
    def _is_whole(self) -> bool:
        return WHOLE not in self._screen.private

    def _framed(self) -> str:
        edge = "+" + "-" * self._screen.columns + "+"
        return "\n".join([edge, *(f"|{line}|" for line in self._screen.display), edge])

    # What a person does

    def type(self, keys: str) -> None:
        """Press keys; a key with a name of its own is written as its bytes."""
        self._write(keys.encode())

    def click(self, column: int, row: int) -> None:
        """Press and release the left button of the mouse."""
        for end in "Mm":
            self.type(f"\x1b[<0;{column + 1};{row + 1}{end}")

    def click_text(self, words: str) -> None:
        """Click the middle of the first place where words stand. Raises NotSeen."""
        place = self.find(words)
        if place is None:
            raise NotSeen(f"{words!r} is not there to be clicked:\n{self._framed()}")
        self.click(place[0] + len(words) // 2, place[1])

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        self._screen.resize(rows, columns)
        _set_size(self._master, columns, rows)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program."""
        os.kill(self.pid, number)

    def hang_up(self) -> None:
        """Close the window: the terminal is gone."""
        self.is_gone = True
        trio.lowlevel.notify_closing(self._master)
        os.close(self._master)

    async def go_on(self) -> None:
        """Let a stopped program go on in the foreground, as the shell's ``fg`` does."""
        assert self._shim is not None
        assert self._shim.stdin is not None
        self._fate = None
        await self._shim.stdin.send_all(b"fg\n")

    async def ended(self, seconds: float = PATIENCE) -> TerminalState:
        """Wait until the program has ended, or has been stopped. Raises NotSeen."""
        with trio.move_on_after(seconds):
            while self._fate is None:
                await self._news.wait()
        if self._fate is None:
            raise NotSeen(f"the program goes on:\n{self._framed()}")
        return self._fate

    # The two ends

    def _write(self, data: bytes) -> None:
        # What a person types is far less than the terminal holds.
        assert os.write(self._master, data) == len(data)

    async def read(self) -> None:
        """Show what the program writes, until cancelled."""
        with suppress(trio.ClosedResourceError):
            while True:
                await trio.lowlevel.wait_readable(self._master)
                self._read_all()
                self._tell()

    def _read_all(self) -> None:
        with suppress(BlockingIOError):
            while not self.is_gone:
                data = os.read(self._master, _READ_BYTES)
                self.said += data
                self._stream.feed(data)
                if self._answers:
                    self._answer(data)

    def _answer(self, data: bytes) -> None:
        for query in _QUERY.finditer(data):
            mode = int(query[1])
            state = 0
            if mode in _KNOWN:
                state = _SET if mode in self._screen.private else _RESET
            self._write(b"\x1b[?%d;%d$y" % (mode, state))

    def _tell(self) -> None:
        self._news.set()
        self._news = trio.Event()

    async def run(
        self, shim: trio.Process, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Hear what becomes of the program."""
        self._shim = shim
        assert shim.stdout is not None
        unread = b""
        async for data in shim.stdout:
            *lines, unread = (unread + data).split(b"\n")
            for line in lines:
                match line.decode().split():
                    case ["began", pid]:
                        self.pid = int(pid)
                        task_status.started()
                    case ["stopped", number, as_before]:
                        self._fate = TerminalState(-int(number), as_before == "1")
                    case ["exited", status, as_before]:
                        self._fate = TerminalState(int(status), as_before == "1")
            self._read_all()
            self._tell()


def _column(line: str, words: str) -> int:
    # pyte has an empty cell behind each wide character, and leaves it out of the line.
    return sum(pyte.screens.wcwidth(sign) for sign in line[: line.index(words)])


def _set_size(terminal: int, columns: int, rows: int) -> None:
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))


def environment(home: Path, **more: str) -> dict[str, str]:
    """Nothing of the machine's own terminal, language or settings; an empty text takes away."""
    wanted = {
        **{name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ},
        "HOME": str(home),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm-256color",
        "LC_ALL": "C.UTF-8",
        **more,
    }
    return {name: value for name, value in wanted.items() if value}


@asynccontextmanager
async def terminal(
    home: Path,
    *arguments: str,
    command: Sequence[str] = CLIENT,
    size: tuple[int, int] = (80, 24),
    answers: bool = True,
    **more: str,
) -> AsyncIterator[Terminal]:
    """A terminal in which a program has been started, which is gone at the end of the block.

    ``home`` is where it keeps things, and ``more`` is its environment beside the usual one.
    ``answers`` says whether the terminal says what it can, and so shows each picture whole.
    """
    master, slave = pty.openpty()
    _set_size(master, *size)
    os.set_blocking(master, False)
    made = Terminal(master, size, answers=answers)
    shim = None
    try:
        shim = await trio.lowlevel.open_process(
            [sys.executable, "-ISE", str(SHIM), os.ttyname(slave), *command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(home, **more),
            cwd=home,
            start_new_session=True,
        )
        async with trio.open_nursery() as nursery:
            await nursery.start(made.run, shim)
            nursery.start_soon(made.read)
            try:
                yield made
            finally:
                nursery.cancel_scope.cancel()
                with suppress(ProcessLookupError):
                    os.killpg(made.pid, signal.SIGKILL)
    finally:
        if shim is not None:
            shim.kill()
            with trio.CancelScope(shield=True):
                await shim.wait()
        os.close(slave)
        if not made.is_gone:
            os.close(master)
