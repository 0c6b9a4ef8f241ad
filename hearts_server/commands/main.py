"""The command ``hearts-server``: finds the command that is meant, and imports no other."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from hearts.errors import HeartsError, key_hint

COMMANDS = {
    "records": "records",
    "verify": "verify",
    "tables": "console",
    "say": "console",
    "end": "console",
    "remove": "console",
    "mute": "console",
    "ban": "console",
    "bans": "console",
    "warn": "console",
    "acts": "console",
    "moderator": "console",
    "reports": "console",
    "unban": "console",
    "names": "console",
    "import": "moving",
    "export": "moving",
    "cluster": "cluster",
    "docs": "documents",
    "invite": "console",
    "invitation": "console",
    "words": "words",
    "standings": "standings",
}
"""The modules of this package for other commands than to serve; each has a ``main``."""
_SEVERAL = ("console", "moving")
"""Modules that have several commands, and are told which one to run."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; give its exit status, or 2 for what it raises."""
    words = sys.argv[1:] if arguments is None else arguments
    name = "hearts-server"
    try:
        if not words or words[0].startswith("-"):
            return _serve(words)
        command, *more = words
        if command not in COMMANDS:
            hint = key_hint(command, COMMANDS)
            raise HeartsError(f"there is no command {command!r}; {hint} (see --help)")
        name += f" {command}"
        module = COMMANDS[command]
        run = import_module(f"{__package__}.{module}").main
        status = int(run(words if module in _SEVERAL else more))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough; the rest must not be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except HeartsError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    return status


def _serve(words: Sequence[str]) -> int:
    # Who asks for help, or has given a wrong setting, need not wait until a server is imported.
    from hearts_server.given_settings import parse_config

    config = parse_config(words)
    from hearts_server.running.serve import serve

    return serve(config)
