"""What the settings may be, and their form in a file."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping, Sequence

from msgspec import to_builtins

from hearts.arguments import level
from hearts.taunt import TAUNT_LIMIT
from hearts.wire.text import is_legible, is_visible
from hearts_client.commands.arguments import name_text

from .json_fields import take_fields
from .settings import Settings

_COMPUTERS = 3


def taunt_text(text: str) -> str:
    """A text that the chat takes. Raises argparse.ArgumentTypeError."""
    size = len(text.encode("utf-8", "replace"))
    if not 1 <= size <= TAUNT_LIMIT or not is_legible(text) or not is_visible(text):
        raise argparse.ArgumentTypeError(
            f"a taunt has 1 to {TAUNT_LIMIT} bytes, something to be seen and no control characters"
        )
    return text


def command_text(text: str) -> str:
    """A program with options, as in a shell; or nothing. Raises argparse.ArgumentTypeError."""
    try:
        is_empty = not shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"this is no command: {error}") from None
    if (is_empty and text) or "\0" in text:
        raise argparse.ArgumentTypeError("this is no command")
    return text


def computer_names(names: Sequence[str]) -> tuple[str, str, str]:
    """Names for the three computers of a game alone. Raises argparse.ArgumentTypeError."""
    left, across, right = (name_text(name.strip()) for name in names)
    if len({left, across, right}) < _COMPUTERS or "," in left + across + right:
        raise argparse.ArgumentTypeError(
            "the three computers need different names, without a comma"
        )
    return left, across, right


def to_dict(settings: Settings) -> dict[str, object]:
    """The form of the settings in a file."""
    data: dict[str, object] = to_builtins(settings)
    return data


def from_dict(data: Mapping[str, object]) -> tuple[Settings, list[str]]:
    """The settings of a file, and what is wrong there; a field that is wrong is as by default."""
    checks = {
        "computers": computer_names,
        "level": level,
        "taunts": _taunts,
        "sound_command": command_text,
    }
    return take_fields(data, Settings, checks)


def _taunts(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(taunt_text, texts))
