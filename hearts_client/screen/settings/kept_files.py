"""The settings and the memory of a person, in two files that they may have edited.

Nothing here fails: problems are lines to be shown.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct, to_builtins
from msgspec.structs import fields

from hearts.errors import HeartsError
from hearts.net.files import write_whole
from hearts.wire.json_values import from_plain
from hearts_client.screen.wish import MEMORY_CHECKS, Memory
from hearts_client.session.saved import write_in_time

from .settings import SETTINGS_CHECKS, Settings

SETTINGS_FILE = "settings.json"
MEMORY_FILE = "memory.json"
_LARGEST = 65536
"""Bytes of a file that may be one of ours."""

StructT = TypeVar("StructT", bound=Struct)
_Checks = Mapping[str, Callable[[Any], Any]]


class KeptFiles:
    """The settings and the memory; the files are read once, and changes are written."""

    def __init__(self, folder: Path | None) -> None:
        """``folder`` is where the files are; None keeps nothing."""
        self._folder = folder
        self.homeless = "There is no home folder to keep this in."
        """The line for what cannot be kept without a folder."""
        self.problems: list[str] = []
        """A line for each file that could not be used, or not all of it."""
        self.settings: Settings = self._read(SETTINGS_FILE, Settings, SETTINGS_CHECKS)
        self.memory: Memory = self._read(MEMORY_FILE, Memory, MEMORY_CHECKS)

    def _read(self, name: str, kind: type[StructT], checks: _Checks) -> StructT:
        data: Mapping[str, object] = {}
        problems: list[str] = []
        if self._folder is not None:
            try:
                data = _read_object(self._folder / name)
            except _NotUsable as error:
                problems.append(str(error))
        value, wrong = take_fields(data, kind, checks)
        if problems := [*problems, *wrong]:
            self.problems.append(f"{self._folder}/{name} is not usable: {'; '.join(problems)}")
        return value

    async def keep(self, kept: Settings | Memory) -> str:
        """Use and keep other settings, or remember something else.

        Gives a line if it cannot be kept, or nothing.
        """
        if kept in (self.settings, self.memory):
            return ""
        name = SETTINGS_FILE
        if isinstance(kept, Settings):
            self.settings = kept
        else:
            name, self.memory = MEMORY_FILE, kept
        if self._folder is None:
            return self.homeless
        path = self._folder / name
        why = await write_in_time(partial(_write_object, path, to_dict(kept)))
        return "" if why is None else f"{path} cannot be written: {why}."


class _NotUsable(HeartsError):
    """A file holds nothing that can be used; the text says why."""


def _read_object(path: Path) -> dict[str, object]:
    """Read what a file holds; empty if there is no file. Raises _NotUsable."""
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise _NotUsable("it is too long")
        found = json.loads(data.decode())
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise _NotUsable(error.strerror or str(error)) from None
    except (ValueError, RecursionError):
        raise _NotUsable("this is no JSON") from None
    if not isinstance(found, dict):
        raise _NotUsable("this is no JSON object")
    return found


def _write_object(path: Path, data: Mapping[str, object]) -> None:
    """Keep an object in place of the earlier one; the rest of the file stays.

    A later version may have written more than we know. Raises OSError.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        kept = _read_object(path)
    except _NotUsable:
        kept = {}
    write_whole(path, json.dumps({**kept, **data}, indent=1) + "\n")


def to_dict(kept: Struct) -> dict[str, object]:
    data: dict[str, Any] = to_builtins(kept, enc_hook=lambda path: str(path.absolute()))
    if data.get("tls"):
        # A person who trusted any server once shall say so again.
        del data["tls"]["insecure"]
    return data


def take_fields(
    data: Mapping[str, object], kind: type[StructT], checks: _Checks
) -> tuple[StructT, list[str]]:
    """Give a value, and the faults of its fields; a faulty field has its default.

    A check gives the value to use in place of one of the right type. It raises ValueError or
    argparse.ArgumentTypeError for a value that is wrong, and is not asked about None.
    """
    taken: dict[str, Any] = {}
    problems = []
    for field in fields(kind):
        if field.name not in data:
            continue
        try:
            value = from_plain(data[field.name], field.type, lambda type, found: type(found))
            check = checks.get(field.name)
            taken[field.name] = value if check is None or value is None else check(value)
        except (ValueError, argparse.ArgumentTypeError) as error:
            problems.append(f"{field.name}: {error}")
    return kind(**taken), problems
