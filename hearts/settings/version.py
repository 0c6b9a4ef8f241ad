"""The version of the programs, and the option that prints it."""

from __future__ import annotations

import argparse
from typing import Any


def program_version() -> str:
    """Return the version that is installed. It reads a file, so it is for a start or an end."""
    # It takes a tenth of what trio takes to import, and most programs never ask.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("hearts-server")
    except PackageNotFoundError:
        return "unknown"


def add_version(parser: argparse.ArgumentParser) -> None:
    """Add ``--version``, which prints the version and all it runs on: a line for a report."""
    no = argparse.SUPPRESS
    parser.add_argument(
        "--version", action=_PrintVersion, nargs=0, dest=no, default=no, help="print it and exit"
    )


class _PrintVersion(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        import platform
        from importlib.metadata import version

        python = f"{platform.python_implementation()} {platform.python_version()}"
        libraries = ", ".join(f"{name} {version(name)}" for name in ("trio", "msgspec"))
        print(f"{parser.prog} {program_version()} ({python}, {libraries}, {platform.platform()})")
        parser.exit()
