"""The settings and the memory, in two files. Nothing here fails: problems are lines to be shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar

import trio

from . import memory
from . import settings as settings_module
from .json_file import NotUsable, read_object, write_object
from .memory import Memory
from .settings import Settings

SETTINGS_FILE = "settings.json"
MEMORY_FILE = "memory.json"
_WRITE_LIMIT = 5.0
"""Seconds that a disk has before the person goes on without it."""

T = TypeVar("T")


class KeptFiles:
    """The settings and the memory; the files are read once, and what changes is written."""

    def __init__(self, folder: Path | None) -> None:
        """``folder`` is where the files are; None keeps nothing."""
        self._folder = folder
        self.problems: list[str] = []
        """A line for each file that could not be used, or not all of it."""
        self.settings: Settings = self._read(SETTINGS_FILE, settings_module.from_dict)
        self.memory: Memory = self._read(MEMORY_FILE, memory.from_dict)

    def _read(
        self, name: str, from_dict: Callable[[Mapping[str, object]], tuple[T, list[str]]]
    ) -> T:
        data: Mapping[str, object] = {}
        problems: list[str] = []
        if self._folder is not None:
            try:
                data = read_object(self._folder / name)
            except NotUsable as error:
                problems.append(str(error))
        value, wrong = from_dict(data)
        if problems := [*problems, *wrong]:
            self.problems.append(f"{self._folder}/{name} is not usable: {'; '.join(problems)}")
        return value

    async def keep_settings(self, settings: Settings) -> str:
        """Use and keep other settings; gives a line if they cannot be kept, or nothing."""
        if settings == self.settings:
            return ""
        self.settings = settings
        return await self._write(SETTINGS_FILE, lambda: settings_module.to_dict(settings))

    async def keep_memory(self, kept: Memory) -> str:
        """Remember something else; gives a line if it cannot be kept, or nothing."""
        if kept == self.memory:
            return ""
        self.memory = kept
        return await self._write(MEMORY_FILE, lambda: memory.to_dict(kept))

    async def _write(self, name: str, to_dict: Callable[[], Mapping[str, object]]) -> str:
        if self._folder is None:
            return "There is no home folder to keep this in."
        path = self._folder / name
        why = "the disk does not answer"
        with trio.move_on_after(_WRITE_LIMIT):
            try:
                write = partial(write_object, path, to_dict())
                await trio.to_thread.run_sync(write, abandon_on_cancel=True)
                return ""
            except OSError as error:
                why = error.strerror or str(error)
        return f"{path} cannot be written: {why}."
