"""A journal's file as a place: killed and broken as a disk can be."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from hearts_server.config import JOURNAL_FILE, Durability
from hearts_server.journal.sqlite import SqliteJournal


class Folder:
    """A folder with the file of a journal in SQLite."""

    def __init__(self, folder: Path, durability: Durability = Durability.NORMAL) -> None:
        self.folder = folder
        self.path = folder / JOURNAL_FILE
        self.durability = durability

    def open(self, on_trouble: Callable[[str | None], None] = lambda why: None) -> SqliteJournal:
        journal = SqliteJournal(self.path, self.durability)
        journal.keeper.tables.rows("PRAGMA busy_timeout=20")
        journal.writer.retry_every = 0.02
        journal.on_trouble = on_trouble
        return journal

    @contextlib.contextmanager
    def broken(self) -> Iterator[None]:
        """Another program holds the file."""
        with contextlib.closing(self.connect()) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")

    def copy(self) -> Folder:
        """The file, SQLite's log, whose index is made anew, and the spool, as a kill leaves
        them."""
        left = Folder(Path(tempfile.mkdtemp(dir=self.folder)), self.durability)
        for suffix in ("", "-wal", "-spool"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copyfile(f"{self.path}{suffix}", f"{left.path}{suffix}")
        return left

    def connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, isolation_level=None)

    def sql(self, statement: str, *values: object) -> list[tuple[object, ...]]:
        """Do one statement."""
        with contextlib.closing(self.connect()) as connection:
            return connection.execute(statement, values).fetchall()

    def files(self) -> dict[str, bytes]:
        """Every file of the folder with its bytes."""
        return {file.name: file.read_bytes() for file in self.folder.iterdir() if file.is_file()}


@contextlib.contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file of this process grows beyond a size; the signal for that is ignored by Python."""
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


# What becomes of a file while a server writes to it


def shortened(path: Path) -> None:
    os.truncate(path, 30)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def zeroed(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(bytes(path.stat().st_size))


def begun_with_zeros(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(bytes(9))


def replaced(path: Path) -> None:
    other = path.with_name("other")
    shutil.copy(path, other)
    other.replace(path)


NOTICED = Path.unlink, shortened, emptied, replaced
MISHAPS = *NOTICED, zeroed, begun_with_zeros
