"""The fields of an object that a person may have edited: each is checked, and the rest stays."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import fields

from hearts.wire.json_values import from_plain

StructT = TypeVar("StructT", bound=Struct)


def take_fields(
    data: Mapping[str, object], kind: type[StructT], checks: Mapping[str, Callable[[Any], Any]]
) -> tuple[StructT, list[str]]:
    """A value, and what is wrong with its fields; one that is missing or wrong is as by default.

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
