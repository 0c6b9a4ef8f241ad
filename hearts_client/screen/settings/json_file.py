"""JSON objects in files of a person's configuration, which they may have edited themselves."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import fields

from hearts.errors import HeartsError
from hearts.net.files import write_whole
from hearts.wire.json_values import from_plain

StructT = TypeVar("StructT", bound=Struct)

_LARGEST = 65536
"""Bytes of a file that may be one of ours."""


class NotUsable(HeartsError):
    """A file holds nothing that can be used; the text says why."""


def read_object(path: Path) -> dict[str, object]:
    """Read what a file holds; empty if there is no file. Raises NotUsable."""
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise NotUsable("it is too long")
        found = json.loads(data.decode())
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise NotUsable(error.strerror or str(error)) from None
    except (ValueError, RecursionError):
        raise NotUsable("this is no JSON") from None
    if not isinstance(found, dict):
        raise NotUsable("this is no JSON object")
    return found


def write_object(path: Path, data: Mapping[str, object]) -> None:
    """Keep an object, in place of what was kept before; what else the file holds stays.

    A later version may have written more than we know. Raises OSError.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        kept = read_object(path)
    except NotUsable:
        kept = {}
    write_whole(path, json.dumps({**kept, **data}, indent=1) + "\n")


def take_fields(
    data: Mapping[str, object], kind: type[StructT], checks: Mapping[str, Callable[[Any], Any]]
) -> tuple[StructT, list[str]]:
    """Give a value, and what is wrong with its fields; such a field is as by default.

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
