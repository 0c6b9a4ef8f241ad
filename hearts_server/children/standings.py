"""The standings that clients may ask for: another process counts them, now and then."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from pathlib import Path

import msgspec
import trio

from hearts.net.children import child
from hearts.net.logline import EventLog
from hearts.session.messages import MAX_GREETING
from hearts.standings.told import AskedStandings
from hearts_server.config import Config
from hearts_server.datadir import STANDINGS_FILE
from hearts_server.standings.counting import EVER
from hearts_server.standings.page import StandingsPage, this_month

log = EventLog(__name__)

COUNT_EVERY = 60.0
"""Seconds between two counts at least; they come only if something has happened, or with a
month."""


class StandingsProcess:
    """Runs ``hearts-server standings``, which has the lowest priority."""

    def __init__(
        self,
        config: Config,
        happened: Callable[[], int],
        show: Callable[[Mapping[int, Sequence[str]]], None],
        erased: Callable[[Collection[int]], Awaitable[None]],
    ) -> None:
        """``happened`` counts the tables that have ended and the names that were given up; ``show``
        gets the texts for clients, by the byte that asks for them; ``erased`` gets the numbers of
        names that are nowhere any more.
        """
        self._file = config.data_dir / STANDINGS_FILE
        self._happened = happened
        self._show = show
        self._erased = erased
        self._command = [sys.executable, "-m", "hearts_server", "standings"]
        self._command += ["--data-dir", str(config.data_dir), "--write", str(self._file)]
        if config.store:
            self._command += ["--store", config.store]
        if config.deal:
            # Others may still have the same deals before them.
            self._command.append("--no-pars")

    async def run(self) -> None:
        """Count again and again, until cancelled."""
        while True:
            before = self._happened(), this_month()
            await self._count()
            page = await trio.to_thread.run_sync(_read, self._file)
            if page is not None:
                self._show(texts_of(page))
                await self._erased(page.erased)
            while True:
                await trio.sleep(COUNT_EVERY)
                if (self._happened(), this_month()) != before:
                    break

    async def _count(self) -> None:
        command = child(self._command, in_our_session=True, stderr=subprocess.PIPE)
        try:
            async with trio.open_nursery() as nursery:
                process: trio.Process = await nursery.start(command)
                said = await _last_line(process)
                if status := await process.wait():
                    log.error("standings-not-counted", status=status, why=said)
        except* OSError as errors:
            log.error("standings-not-counted", why=errors.exceptions[0])


async def _last_line(process: trio.Process) -> str:
    """Read what a process says about its work, to its end."""
    assert process.stderr is not None
    said = b""
    async for data in process.stderr:
        said = (said + data)[-1000:]
    return said.decode(errors="replace").strip().rpartition("\n")[2]


def _read(file: Path) -> StandingsPage | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=StandingsPage)
    except (OSError, msgspec.MsgspecError):
        return None


def texts_of(page: StandingsPage) -> Mapping[int, Sequence[str]]:
    """Return the texts of both tables, as far as a greeting has room for them."""
    months = {AskedStandings.EVER: EVER, AskedStandings.MONTH: page.month}
    return {
        int(asked): page.told(month, MAX_GREETING - 1).texts() for asked, month in months.items()
    }
