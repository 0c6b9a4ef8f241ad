"""A JSON object in a file of the person's configuration, which he may have edited himself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from hearts.errors import HeartsError
from hearts.net.files import write_whole

_LARGEST = 65536
"""Bytes of a file that may be one of ours."""


class NotUsable(HeartsError):
    """A file holds nothing that can be used; the text says why."""


def read_object(path: Path) -> dict[str, object]:
    """What a file holds; empty if there is no file. Raises NotUsable."""
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
