"""Numbers and places that people give to commands and settings, and a line about mistakes."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from math import inf
from typing import NoReturn, TypeVar

ValueT = TypeVar("ValueT")
Place = str | tuple[str, int]
"""A place where a server listens or is reached: the path of a Unix socket, or a host and a port."""


class BadArgument(argparse.ArgumentTypeError, ValueError):
    """A value that cannot be used; the text says what to give. argparse shows it as it is."""


class OneLineParser(argparse.ArgumentParser):
    """Tells what is wrong with a command line in one line, and where all options are told."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


LEVELS = {"novice": 1, "simple": 2, "swift": 5, "strong": 3, "expert": 4}
"""Names of the bots that computers can play as, the cheapest first, with their numbers in block
-15. A number stays that of its level for ever."""


def worded(read: Callable[[str], ValueT]) -> Callable[[str], ValueT]:
    """Make a reader like ``read``; argparse shows the text of its ValueError."""

    def reader(text: str) -> ValueT:
        try:
            return read(text)
        except ValueError as error:
            raise BadArgument(str(error)) from None

    return reader


def _one_of(words: Iterable[str]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.lower() not in words:
            raise BadArgument(f"give one of {', '.join(words)}, not {text!r}")
        return text.lower()

    return read


LOG_LEVELS = ("debug", "info", "warning", "error")
level, log_level = _one_of(LEVELS), _one_of(LOG_LEVELS)
NumberT = TypeVar("NumberT", int, float)


def levels(text: str) -> tuple[str, ...]:
    """Reads levels with commas between them."""
    return tuple(level(name.strip()) for name in text.split(","))


def _number(
    convert: Callable[[str], NumberT], low: float, high: float, wanted: str
) -> Callable[[str], NumberT]:
    def read(text: str) -> NumberT:
        with suppress(ValueError):
            value = convert(text)
            if low <= value <= high:
                return value
        raise BadArgument(f"give {wanted}, not {text!r}")

    return read


def whole(low: int, high: int) -> Callable[[str], int]:
    """Reads a whole number from ``low`` to ``high``."""
    return _number(int, low, high, f"a whole number from {low} to {high}")


def seconds(high: float, never: str | None = None) -> Callable[[str], float]:
    """Reads seconds from 0 to ``high``; the word ``never``, if there is one, means endless."""
    also = f", or {never!r}" if never else ""
    read = _number(float, 0, high, f"seconds from 0 to {high:g}{also}")
    return lambda text: inf if text == never else read(text)


def networks(*names: str, most: int = 100_000) -> Callable[[str], tuple[int, ...]]:
    """Reads a number for each of these networks; 0 alone means no limit for any of them."""

    def read(text: str) -> tuple[int, ...]:
        parts = ["0"] * len(names) if text.strip() == "0" else text.split(",")
        try:
            values = tuple(whole(0, most)(part) for part in parts)
        except ValueError:
            values = ()
        if len(values) != len(names):
            wanted = ",".join("N" * len(names))
            raise BadArgument(f"give {wanted} for {', '.join(names)}, or 0, not {text!r}")
        return values

    return read


def place(text: str) -> Place:
    """Reads a place: HOST:PORT, [IPV6]:PORT, or a path, which has a / in it."""
    if "/" in text:
        return text
    host, colon, port = text.rpartition(":")
    bare = host.removeprefix("[").removesuffix("]")
    if not colon or not bare or (":" in bare and bare == host):
        raise BadArgument(f"give HOST:PORT, or a path with a / in it, not {text!r}")
    return bare, whole(0, 65535)(port)


def host_name(text: str) -> str:
    """Reads the name of a host, with ``*.`` before it for all names of one label more."""
    if not re.fullmatch(r"(\*\.)?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", text):
        raise BadArgument(f"give a name such as cards.example, not {text!r}")
    return text.lower()


def place_text(where: Place) -> str:
    """Return a place as :func:`place` reads it."""
    if isinstance(where, str):
        return where
    host, port = where
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
