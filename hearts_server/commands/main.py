"""The command ``hearts-server``: finds the command that is meant, and imports no other."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

_COMMANDS = frozenset({"records", "verify"})
"""Each is a module of this package, with a ``main``; without one of these words it is ``serve``."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command ``hearts-server``; gives the exit status."""
    words = sys.argv[1:] if arguments is None else arguments
    name = "serve"
    if words and words[0] in _COMMANDS:
        name, words = words[0], words[1:]
    status: int = import_module(f"{__package__}.{name}").main(words)
    return status
