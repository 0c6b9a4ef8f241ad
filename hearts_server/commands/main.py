"""The command ``hearts-server``: finds the command that is meant, and imports no other."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

COMMANDS = {
    "records": "records",
    "verify": "verify",
    "tables": "console",
    "say": "console",
    "end": "console",
    "remove": "console",
    "mute": "console",
}
"""The modules of this package for other commands than ``serve``; each has a ``main``."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command ``hearts-server``; gives the exit status."""
    words = sys.argv[1:] if arguments is None else arguments
    module = COMMANDS.get(words[0], "serve") if words else "serve"
    if module not in ("serve", "console"):
        # The console is several commands, and is told which.
        words = words[1:]
    status: int = import_module(f"{__package__}.{module}").main(words)
    return status
