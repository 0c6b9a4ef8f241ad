"""Keeps a player's own records in files, one for each game.

A record has four names and does not say whose it is, so the seat stands in the name of its file:
``2026-11-22-101500-game-7-1-seat-2.txt`` is the first game of session 7, as player 2 saw it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path

import trio

from hearts.net.files import write_whole

from .own_record import OwnRecord

_SEAT = re.compile(r".*-seat-([0-3])(-[0-9]+)?\.txt")


class RecordFiles:
    """The files of one session. Only their owner can read them."""

    def __init__(self, folder: Path, record: OwnRecord, say: Callable[[str], None]) -> None:
        """``say`` gets a line if a record cannot be written."""
        self._folder = folder
        self._record = record
        self._say = say
        self._paths: dict[int, Path] = {}
        self._saved: dict[int, str] = {}
        self._failed = False

    async def save(self) -> None:
        """Write what is new. A file that cannot be written is told once and hurts nothing."""
        texts = self._record.texts()
        for game, text in texts.items():
            try:
                if self._saved.get(game) != text and not self._failed:
                    await trio.to_thread.run_sync(self._write, game, text)
            except OSError as error:
                self._failed = True
                why = error.strerror or str(error)
                self._say(f"* No record is kept: cannot write in {self._folder}: {why}.")
        self._saved = texts

    def _write(self, game: int, text: str) -> None:
        if game not in self._paths:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            session, seat = self._record.game_number, self._record.picture.player
            name = f"{time.strftime('%Y-%m-%d-%H%M%S')}-game-{session}-{game}-seat-{seat}"
            self._paths[game] = write_new(self._folder, name, ".txt", text, 0o600)
        else:
            write_whole(self._paths[game], text)


def write_new(folder: Path, name: str, ending: str, text: str, mode: int = 0o666) -> Path:
    """Write a new file, numbered if its name is taken. Raises OSError, and leaves no file then."""
    path = folder / f"{name}{ending}"
    for number in count(2):
        with suppress(FileExistsError):
            path.touch(mode, exist_ok=False)
            break
        path = folder / f"{name}-{number}{ending}"
    try:
        write_whole(path, text, mode=mode)
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return path


def seat_of(path: Path) -> int | None:
    """Return the player (0-3) whose record a file is, by its name; None if it does not say."""
    found = _SEAT.fullmatch(path.name)
    return None if found is None else int(found[1])
