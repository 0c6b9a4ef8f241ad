"""Somebody at the full screen of a terminal, beside people at pages."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path

import trio

from tests.terminal.play import mark, settle, trick_number
from tests.terminal.terminal import NotSeen, Terminal, terminal


class TerminalGuest:
    """Somebody at the full screen of ``hearts-client``, who plays what the cursor offers.

    They sit in a thread of their own, for the pages have the one of the test.
    """

    def __init__(self, home: Path, *arguments: str) -> None:
        settle(home)
        self._home = home
        self._arguments = arguments
        self._screen: Terminal | None = None
        self._token: trio.lowlevel.TrioToken | None = None
        self._is_killed = False
        self._scope = trio.CancelScope()
        self._problem: Exception | None = None
        self._thread = threading.Thread(target=self._run)

    @contextmanager
    def seated(self) -> Iterator[TerminalGuest]:
        """They play until the end of the block. Raises what went wrong at their terminal."""
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
        async with terminal(self._home, *arguments) as screen:
            self._screen = screen
            done = ""
            while True:
                try:
                    asked = await _next_asked(screen, done)
                except NotSeen:
                    if self._is_killed:
                        return
                    raise
                if asked == "pass":
                    await mark(screen)
                if asked != "":
                    screen.type("\r")
                done = asked


async def _next_asked(screen: Terminal, done: str) -> str:
    """What is asked next, if ``done`` is what was asked last."""

    def is_new() -> bool:
        return _asked(screen) != done

    await screen.wait_for(is_new, seconds=inf)
    return _asked(screen)


def _asked(screen: Terminal) -> str:
    """What a person is asked; a trick is asked for once."""
    if screen.shows("Mark three"):
        return "pass"
    return f"trick {trick_number(screen)}" if screen.shows("Your turn") else ""
