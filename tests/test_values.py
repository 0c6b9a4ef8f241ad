"""Values: what the garbage collector does not look at can be part of no cycle."""

from __future__ import annotations

import importlib
import pkgutil
import types
from collections.abc import Iterator
from datetime import date
from enum import Enum
from pathlib import PurePath
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pytest
from msgspec import Struct
from msgspec.structs import fields

import hearts
import hearts_arena
import hearts_client
import hearts_conformance
import hearts_server
import hearts_web
import taunt_server

PACKAGES = (
    hearts, hearts_arena, hearts_client, hearts_conformance, hearts_server, hearts_web,
    taunt_server,
)  # fmt: skip
ATOMS = (int, float, str, bytes, date, type(None), Enum, PurePath)
GROUPS = (tuple, frozenset, Union, types.UnionType)


def values(base: type[Struct] = Struct) -> Iterator[type[Struct]]:
    for kind in base.__subclasses__():
        if kind.__module__.split(".")[0] != "tests":
            yield kind
            yield from values(kind)


def cannot_refer_back(kind: Any) -> bool:
    """Whether what has this type can hold nothing that was made after it."""
    origin = get_origin(kind)
    if origin is Annotated:
        return cannot_refer_back(get_args(kind)[0])
    if origin in (Literal, type) or kind is Ellipsis:
        return True
    if origin in GROUPS:
        return all(map(cannot_refer_back, get_args(kind)))
    if not isinstance(kind, type):
        return False
    if issubclass(kind, Struct):
        return not kind.__struct_config__.gc and kind.__struct_config__.frozen
    return issubclass(kind, ATOMS)


@pytest.fixture(scope="module")
def classes() -> list[type[Struct]]:
    for package in PACKAGES:
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    return list(values())


def test_what_has_no_garbage_collection_is_in_no_cycle(classes: list[type[Struct]]) -> None:
    without = [kind for kind in classes if not kind.__struct_config__.gc]
    assert without
    for kind in without:
        for field in fields(kind):
            assert cannot_refer_back(field.type), f"{kind.__qualname__}.{field.name}"
