"""The values of settings, read from text. Each reader raises BadArgument with what to give."""

from __future__ import annotations

import re
from pathlib import Path

from hearts.settings.readers import BadArgument, host_name
from hearts.table.seat import COMPUTER_NAMES
from hearts.wire.codec import NAME_LIMIT
from hearts.wire.text import is_legible, is_of_notices, is_visible


def path(text: str) -> Path:
    """Reads a path, with ~ for the home of a user."""
    return Path(text).expanduser()


def host_names(text: str) -> tuple[str, ...]:
    return tuple(host_name(name.strip()) for name in text.split(","))


_UNITS = {"kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


def size(text: str) -> int:
    """Reads bytes with a unit, such as 500 MB; 0 for none."""
    match = re.fullmatch(r"(\d{1,6}) ?([kMGT]B)", text)
    if match is None and text != "0":
        raise BadArgument(f"give a size such as '500 MB' or '2 GB', or 0, not {text!r}")
    return 0 if match is None else int(match[1]) * _UNITS[match[2]]


def store(text: str) -> str:
    """Reads where games are stored, as libpq takes it."""
    if not text.startswith(("postgresql://", "postgres://")):
        raise BadArgument("give postgresql://USER@HOST/DATABASE, or leave it out")
    return text


def node_name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9._-]{1,30}", text):
        raise BadArgument(f"a name of a node has 1 to 30 letters, digits, . _ or -, not {text!r}")
    return text


def password(text: str) -> str:
    """Reads a password as block -7 can carry it."""
    if not 1 <= len(text.encode()) <= 1023 or not text.isprintable():
        raise BadArgument("a password has 1 to 1023 bytes and no control characters")
    return text


def computer_names(text: str) -> tuple[str, ...]:
    """Reads three or four names; a fourth is added if it is missing."""
    names = [name.strip() for name in text.split(",")]
    if not 3 <= len(names) <= len(COMPUTER_NAMES) or len(set(names)) < len(names):
        raise BadArgument(f"give three or four different names, not {text!r}")
    for name in names:
        size = len(name.encode("utf-8", "replace"))
        is_name = is_legible(name) and is_visible(name) and not is_of_notices(name)
        if not 1 <= size <= NAME_LIMIT or not is_name:
            raise BadArgument(f"a name has 1 to {NAME_LIMIT} bytes that can be read, not {name!r}")
    # The fourth is for a seat that a player has left for good.
    names += [name for name in COMPUTER_NAMES if name not in names]
    return tuple(names[: len(COMPUTER_NAMES)])
