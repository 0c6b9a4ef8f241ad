"""The upkeep of the data dir while the server runs.

It checks that the disk has room and that the journal is still where it was opened, and orders that
old games go. The disk is asked in a thread, because it may be on a network and not answer for a
while.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import trio
from msgspec import Struct

from hearts.net.logline import EventLog

from .journal.store import PruneTarget
from .lobby.sessions import FINISHED_KEPT

log = EventLog(__name__)

LOOK_EVERY = 5.0
"""Seconds between two looks."""
PRUNE_EVERY = 60.0
"""Seconds between two orders to prune."""
_ENOUGH_AGAIN = 1.1
"""Times the mark that has to be free before new tables begin again."""

NO_SPACE = "the server has hardly any disk space left: no new table begins"
NOT_SAVED = "the server cannot save what is played any more: no new table begins"


class DiskState(Struct, frozen=True, gc=False):
    """A look at the disk."""

    free: int
    """Bytes that the server may use; those of the root are not among them."""
    inode: tuple[int, int] | None
    """Which file has the journal's name; None for none."""


def look_at(journal: Path) -> DiskState:
    """Look at the disk; waits for it. Raises OSError if not even the place of the dir is there."""
    try:
        file = journal.stat()
    except FileNotFoundError:
        place = next(folder for folder in journal.parents if folder.is_dir())
        return DiskState(shutil.disk_usage(place).free, None)
    return DiskState(shutil.disk_usage(journal.parent).free, (file.st_dev, file.st_ino))


async def prune_now_and_then(prune: Callable[[PruneTarget], None], journal_size: int) -> None:
    """Order the deletion of old games, until cancelled. With a size of 0 there is no limit."""
    while journal_size:
        prune(PruneTarget(journal_size, int(time.time() - FINISHED_KEPT)))
        await trio.sleep(PRUNE_EVERY)


class Upkeep(Struct, eq=False):
    """Looks after the disk of a journal that is open."""

    journal: Path
    close: Callable[[str], object]
    """Lets no new table begin, for a reason; with "" they begin again."""
    tell: Callable[[str], object]
    """Tells all tables a text."""
    min_free_space: int
    """In bytes; 0 for no limit."""
    inode: tuple[int, int] | None = None
    is_low: bool = False
    is_gone: bool = False

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Look now and then, until cancelled; started after the first look."""
        started = False
        while True:
            try:
                disk = await trio.to_thread.run_sync(look_at, self.journal, abandon_on_cancel=True)
            except OSError as error:
                log.warning("cannot-look-at-disk", why=error)
            else:
                self.see(disk)
            if not started:
                started = True
                task_status.started()
            await trio.sleep(LOOK_EVERY)

    def see(self, disk: DiskState) -> None:
        """React to a look at the disk; the first one is at the file that was opened."""
        if self.inode is None:
            self.inode = disk.inode
        before = self.is_low, self.is_gone
        self.is_low = disk.free < self.min_free_space * (_ENOUGH_AGAIN if self.is_low else 1)
        self.is_gone = disk.inode != self.inode
        was_low, was_gone = before
        if self.is_low and not was_low:
            log.error("disk-nearly-full", free=disk.free, mark=self.min_free_space)
        elif was_low and not self.is_low:
            log.warning("disk-has-room-again", free=disk.free)
        if self.is_gone and not was_gone:
            log.error("journal-gone", file=self.journal)
            self.tell("the server's files are gone: play goes on, but nothing is saved any more")
        elif was_gone and not self.is_gone:
            log.warning("journal-back", file=self.journal)
            self.tell("the server's files are back: what is played is saved")
        if before != (self.is_low, self.is_gone):
            self.close(NOT_SAVED if self.is_gone else NO_SPACE if self.is_low else "")
