"""The command ``hearts-ssh``, also as ``python -m hearts_ssh``.

The process that forks the visitors' clients is begun first: it has read the client, and nothing of
ssh, no key and no loop.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec

from hearts.errors import MissingExtra
from hearts.settings.table import ConfigError

from .options import parse_arguments
from .zygote import begin_zygote

_BAD_SETTINGS = 2
_EXTRA = ("asyncssh", "urwid")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the door; gives the exit status: 0 after an orderly end, 2 for bad settings."""
    try:
        config = parse_arguments(sys.argv[1:] if arguments is None else arguments)
        for missing in (each for each in _EXTRA if find_spec(each) is None):
            raise MissingExtra("ssh", "hearts-ssh", missing)
        zygote = begin_zygote()
        from .door import run

        return run(config, zygote)
    except (ConfigError, MissingExtra) as error:
        print(f"hearts-ssh: {error}", file=sys.stderr)
        return _BAD_SETTINGS


if __name__ == "__main__":
    sys.exit(main())
