"""Numbers and places that people give to commands and settings, and a line about mistakes."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
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


LEVELS = ("novice", "simple", "strong", "expert")
"""Names of the bots that computers can play as, the weakest first."""


def worded(read: Callable[[str], ValueT]) -> Callable[[str], ValueT]:
    """Reads as ``read`` does; argparse shows the text of its ValueError."""

    def reader(text: str) -> ValueT:
        try:
            return read(text)
        except ValueError as error:
            raise BadArgument(str(error)) from None

    return reader


def level(text: str) -> str:
    if text not in LEVELS:
        raise BadArgument(f"give one of {', '.join(LEVELS)}, not {text!r}")
    return text


LOG_LEVELS = ("debug", "info", "warning", "error")


def log_level(text: str) -> str:
    if text.lower() not in LOG_LEVELS:
        raise BadArgument(f"give one of {', '.join(LOG_LEVELS)}, not {text!r}")
    return text.lower()


def whole(low: int, high: int) -> Callable[[str], int]:
    """Reads a whole number from ``low`` to ``high``."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise BadArgument(f"give a whole number from {low} to {high}, not {text!r}")
        return value

    return read


def seconds(high: float, never: str | None = None) -> Callable[[str], float]:
    """Reads seconds from 0 to ``high``; the word ``never``, if there is one, means endless."""

    def read(text: str) -> float:
        if never is not None and text == never:
            return inf
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not 0 <= value <= high:
            also = f", or {never!r}" if never else ""
            raise BadArgument(f"give seconds from 0 to {high:g}{also}, not {text!r}")
        return value

    return read


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
    """A place as :func:`place` reads it."""
    if isinstance(where, str):
        return where
    host, port = where
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
