"""The command ``hearts-server``: finds the command that is meant, and imports no other."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from hearts.errors import key_hint

COMMANDS = {
    "records": "records",
    "verify": "verify",
    "tables": "console",
    "say": "console",
    "end": "console",
    "remove": "console",
    "mute": "console",
    "import": "moving",
    "export": "moving",
    "cluster": "cluster",
    "invite": "console",
}
"""The modules of this package for other commands than to serve; each has a ``main``."""
_SEVERAL = ("console", "moving")
"""Modules that have several commands, and are told which one to run."""
_BAD_SETTINGS = 2


def main(arguments: Sequence[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    module = COMMANDS.get(words[0]) if words else None
    if module is None:
        if words and not words[0].startswith("-"):
            return _refuse(words[0])
        return _serve(words)
    if module not in _SEVERAL:
        words = words[1:]
    status: int = import_module(f"{__package__}.{module}").main(words)
    return status


def _refuse(word: str) -> int:
    hint = key_hint(word, COMMANDS)
    print(f"hearts-server: there is no command {word!r}; {hint} (see --help)", file=sys.stderr)
    return _BAD_SETTINGS


def _serve(words: Sequence[str]) -> int:
    # Who asks for help, or has given a wrong setting, need not wait until a server is imported.
    from hearts_server.config import ConfigError
    from hearts_server.given_settings import parse_config

    try:
        config = parse_config(words)
    except ConfigError as error:
        print(f"hearts-server: {error}", file=sys.stderr)
        return _BAD_SETTINGS
    from hearts_server.running.serve import serve

    return serve(config)
