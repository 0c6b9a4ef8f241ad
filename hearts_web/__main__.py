"""The command ``hearts-web``, also as ``python -m hearts_web``: it says what is not installed."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from hearts.errors import MissingExtra

_EXTRA = ("h11", "wsproto")


def main(arguments: Sequence[str] | None = None) -> int:
    try:
        from .command import main as run
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in _EXTRA:
            raise
        print(MissingExtra("web", "hearts-web", missing), file=sys.stderr)
        return 2
    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
