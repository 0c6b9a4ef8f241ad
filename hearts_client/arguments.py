"""Command line options that the bot and the terminal client share."""

from __future__ import annotations

import argparse
import getpass
from collections.abc import Callable

from hearts.errors import InvalidRules
from hearts.rules import Rules, parse_rules
from hearts.wire import NAME_LIMIT, is_printable

from .client import DEFAULT_PORT

DEFAULT_TAUNT_PORT = 7627


def whole(low: int, high: int) -> Callable[[str], int]:
    """A type for argparse: a whole number from ``low`` to ``high``."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(
                f"give a whole number from {low} to {high}, not {text!r}"
            )
        return value

    return read


def seconds(high: float) -> Callable[[str], float]:
    """A type for argparse: seconds from 0 to ``high``."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not 0 <= value <= high:
            raise argparse.ArgumentTypeError(f"give seconds from 0 to {high:g}, not {text!r}")
        return value

    return read


PORT = whole(1, 65535)


def name_text(text: str) -> str:
    """A type for argparse: the name of a player or a table. Raises ArgumentTypeError."""
    size = len(text.encode("utf-8", "replace"))
    if not 1 <= size <= NAME_LIMIT or not is_printable(text) or not text.strip():
        raise argparse.ArgumentTypeError(
            f"a name has 1 to {NAME_LIMIT} bytes and no control characters"
        )
    return text


def password_text(text: str) -> str:
    """A type for argparse: a password. Raises ArgumentTypeError."""
    if not 1 <= len(text.encode("utf-8", "replace")) <= 1023 or not is_printable(text):
        raise argparse.ArgumentTypeError("a password has 1 to 1023 bytes and no control characters")
    return text


def address(text: str) -> tuple[str, int]:
    """A type for argparse: HOST, HOST:PORT, [IPV6] or [IPV6]:PORT. Raises ArgumentTypeError."""
    if text.count(":") > 1 and not text.startswith("["):
        return text, DEFAULT_PORT
    host, _, port = text.rpartition(":") if ":" in text.rpartition("]")[2] else (text, "", "")
    host = host.removeprefix("[").removesuffix("]")
    if not host:
        raise argparse.ArgumentTypeError(f"{text!r} names no host: give HOST or HOST:PORT")
    return host, PORT(port) if port else DEFAULT_PORT


def rules(text: str) -> Rules:
    """A type for argparse: a rules text. Raises ArgumentTypeError."""
    try:
        return parse_rules(text)
    except InvalidRules as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def default_name() -> str:
    """The name of whoever is logged in, as far as it is a player's name."""
    try:
        return name_text(getpass.getuser())
    except (OSError, KeyError, argparse.ArgumentTypeError):
        return "Player"
