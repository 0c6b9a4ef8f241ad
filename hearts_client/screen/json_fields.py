"""The fields of an object that a person may have edited: each is checked, and the rest stays."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from enum import Enum
from typing import TypeVar

T = TypeVar("T")
E = TypeVar("E", bound=Enum)


class Fields:
    """An object whose fields are taken one by one; what is wrong with one is noted."""

    def __init__(self, data: Mapping[str, object]) -> None:
        self._data = data
        self.problems: list[str] = []

    def take(self, name: str, read: Callable[[object], T], default: T) -> T:
        """A field as ``read`` makes it of its value; the default where it is missing or wrong.

        ``read`` raises ValueError or argparse.ArgumentTypeError for a value that is wrong.
        """
        if name not in self._data:
            return default
        try:
            return read(self._data[name])
        except (ValueError, argparse.ArgumentTypeError) as error:
            self.problems.append(f"{name}: {error}")
            return default


def as_text(value: object) -> str:
    """A text. Raises ValueError."""
    if not isinstance(value, str):
        raise ValueError("this is no text")
    return value


def as_whole(low: int, high: int) -> Callable[[object], int]:
    """Reads a whole number; it raises ValueError."""

    def read(value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            raise ValueError(f"give a whole number from {low} to {high}")
        return value

    return read


def as_seconds(high: float) -> Callable[[object], float]:
    """Reads seconds from 0; it raises ValueError."""

    def read(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= high:
            raise ValueError(f"give seconds from 0 to {high:g}")
        return float(value)

    return read


def as_bool(value: object) -> bool:
    """True or false. Raises ValueError."""
    if not isinstance(value, bool):
        raise ValueError("give true or false")
    return value


def as_member(kind: type[E]) -> Callable[[object], E]:
    """Reads a member of an enumeration by its value; it raises ValueError."""

    def read(value: object) -> E:
        for member in kind:
            if member.value == value:
                return member
        raise ValueError(f"give one of {', '.join(str(member.value) for member in kind)}")

    return read


def as_texts(read_text: Callable[[str], str], most: int) -> Callable[[object], tuple[str, ...]]:
    """Reads a list of texts that ``read_text`` accepts; it raises what that raises, ValueError."""

    def read(value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or len(value) > most:
            raise ValueError(f"give a list of at most {most} texts")
        return tuple(read_text(as_text(item)) for item in value)

    return read


def or_none(read: Callable[[object], T]) -> Callable[[object], T | None]:
    """Reads null as None, and anything else as ``read`` does."""
    return lambda value: None if value is None else read(value)
