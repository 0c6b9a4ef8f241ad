"""How many files and connections this process may have open."""

from __future__ import annotations

import contextlib
import resource


def allow_many_files() -> None:
    """Take as many as the system allows at most; if it grants them not, the limit stays."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
