"""The Hearts server: listens, seats people at tables, and runs the tables."""

from __future__ import annotations


def program_version() -> str:
    """Return the version that is installed. It reads a file, so it is for the start."""
    # It takes a tenth of what trio takes to import, and most servers never ask.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("hearts-server")
    except PackageNotFoundError:
        return "unknown"
