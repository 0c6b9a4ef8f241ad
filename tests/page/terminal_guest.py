"""Somebody at the full screen of a terminal, beside people at pages."""

from __future__ import annotations

import signal
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path

import trio

from tests.terminal.play import mark, settle, trick_number
from tests.terminal.terminal import CLIENT, NotSeen, Terminal, terminal

AGAIN = 2.0
"""Seconds after which a key that did nothing is pressed again."""


async def _nothing(screen: Terminal) -> None:
    """What is done before the table, where the command line has said all."""


class TerminalGuest:
    """Somebody at the full screen of ``hearts-client``, who plays what the cursor offers.

    They sit in a thread of their own, for the pages have the one of the test.
    """

    def __init__(
        self,
        home: Path,
        *arguments: str,
        command: Sequence[str] = CLIENT,
        come: Callable[[Terminal], Awaitable[None]] = _nothing,
    ) -> None:
        """``come`` is what they do before they are at the table."""
        settle(home)
        self._home = home
        self._arguments = arguments
        self._command = command
        self._come = come
        self._screen: Terminal | None = None
        self._token: trio.lowlevel.TrioToken | None = None
        self._is_killed = False
        self._scope = trio.CancelScope()
        self._problem: Exception | None = None
        self._thread = threading.Thread(target=self._run)

    @contextmanager
    def seated(self) -> Iterator[TerminalGuest]:
        """Let them play until the end of the block. Raises what went wrong at their terminal."""
        self._thread.start()
        try:
            yield self
        finally:
            if self._token is not None and self._thread.is_alive():
                self._token.run_sync_soon(self._scope.cancel)
            self._thread.join()
        if self._problem is not None:
            raise self._problem

    @property
    def text(self) -> str:
        return self._screen.text if self._screen is not None else ""

    @property
    def said(self) -> str:
        """All that the program has written to the terminal."""
        return self._screen.said.decode(errors="replace") if self._screen is not None else ""

    def type(self, keys: str) -> None:
        """Press keys while nothing is asked of them."""
        assert self._screen is not None
        assert self._token is not None
        self._token.run_sync_soon(self._screen.type, keys)

    def kill_and_come_back(self) -> None:
        """Kill the program; another one comes back to the seat."""
        assert self._screen is not None
        self._is_killed = True
        self._screen.signal(signal.SIGKILL)

    def _run(self) -> None:
        try:
            trio.run(self._play)
        except Exception as problem:
            self._problem = problem

    async def _play(self) -> None:
        self._token = trio.lowlevel.current_trio_token()
        with self._scope:
            await self._sit(*self._arguments)
            await self._sit("--resume")

    async def _sit(self, *arguments: str) -> None:
        """Play until the program is killed."""
        async with terminal(
            self._home, *arguments, command=self._command, size=(100, 40)
        ) as screen:
            self._screen = screen
            await self._come(screen)
            done = ""
            while True:
                try:
                    done = await _next_asked(screen, done)
                except NotSeen:
                    if self._is_killed:
                        return
                    raise
                if done == "mark":
                    await mark(screen)
                elif done:
                    screen.type("\r")


async def _next_asked(screen: Terminal, done: str) -> str:
    """What is asked next, if ``done`` is what was asked last, or that once more.

    A key that came too soon, or while the server was away, has done nothing.
    """

    def is_new() -> bool:
        return _asked(screen) != done

    with trio.move_on_after(AGAIN if done else inf):
        await screen.wait_for(is_new, seconds=inf)
    return _asked(screen)


def _asked(screen: Terminal) -> str:
    """What a person is asked; a trick is asked for once."""
    if screen.shows("Mark three"):
        return "mark"
    if screen.shows("Enter passes"):
        return "pass"
    return f"trick {trick_number(screen)}" if screen.shows("Your turn") else ""
