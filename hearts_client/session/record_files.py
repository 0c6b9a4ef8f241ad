"""Keeps a player's own records in files, one for each game.

A record has four names and does not say whose it is, so the seat stands in the name of its file:
``2026-11-22-101500-game-7-1-seat-2.txt`` is the first game of session 7, as player 2 saw it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
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
            if self._saved.get(game) == text or self._failed:
                continue
            try:
                await trio.to_thread.run_sync(self._write, game, text)
            except OSError as error:
                self._failed = True
                why = error.strerror or str(error)
                self._say(f"* No record is kept: cannot write in {self._folder}: {why}.")
        self._saved = texts

    def _write(self, game: int, text: str) -> None:
        path = self._paths.get(game)
        if path is None:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = self._paths[game] = self._new_file(game)
        write_whole(path, text)

    def _new_file(self, game: int) -> Path:
        now = time.strftime("%Y-%m-%d-%H%M%S")
        record = self._record
        name = f"{now}-game-{record.game_number}-{game}-seat-{record.picture.player}"
        for number in count(1):
            path = self._folder / (f"{name}.txt" if number == 1 else f"{name}-{number}.txt")
            try:
                path.touch(0o600, exist_ok=False)
            except FileExistsError:
                continue
            return path
        raise AssertionError("there is always another number")


def seat_of(path: Path) -> int | None:
    """Whose record a file is, as its name says: a player 0-3; None if it does not say."""
    found = _SEAT.fullmatch(path.name)
    return None if found is None else int(found[1])
