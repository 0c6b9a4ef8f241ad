"""The command ``hearts-client``: finds what is wanted, and imports nothing else."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from hearts.errors import HeartsError
from hearts.settings.option_rows import FAILED

from .options import parse

_COMMANDS = {
    "analyse": "hearts_client.commands.analyse",
    "conformance": "hearts_conformance.command",
    "mistakes": "hearts_client.commands.mistakes",
    "names": "hearts_client.commands.names",
    "replay": "hearts_client.commands.replay",
    "sheet": "hearts_client.commands.sheet",
    "statistics": "hearts_client.commands.statistics",
}
"""The modules of the other commands; each has a ``main``."""
_SIMPLE = frozenset({"", "dumb", "unknown"})
"""Terminals that show lines and nothing else."""
_NO_SCREEN = """\
For a table that fills the screen: pip install 'hearts-server[screen]'
Until then the game goes line by line; --plain does so without this advice."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Return the command ``hearts-client``; gives the exit status."""
    words = sys.argv[1:] if arguments is None else arguments
    if words and words[0] in _COMMANDS:
        status: int = import_module(_COMMANDS[words[0]]).main(words[1:])
        return status
    given = parse(words)
    ascii = given.ascii or not _can_print("♥♣♦♠")
    if _wants_screen(given):
        shown = _run_screen(given, ascii)
        if shown is not None:
            return shown
    # The full screen needs none of it.
    from .play import play

    return play(given, ascii=ascii)


def _wants_screen(given: argparse.Namespace) -> bool:
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    is_simple = os.environ.get("TERM", "dumb") in _SIMPLE
    in_lines = given.plain or given.list or given.standings
    return is_terminal and not (in_lines or is_simple)


def _run_screen(given: argparse.Namespace, ascii: bool) -> int | None:
    """Return the exit status of the full screen; None if it is not installed."""
    try:
        from hearts_client.screen.app import run
    except ModuleNotFoundError as error:
        if error.name != "urwid":
            raise
        print(_NO_SCREEN)
        return None
    try:
        return run(given, ascii=ascii)
    except HeartsError as error:
        print(f"hearts-client: {error}", file=sys.stderr)
        return FAILED


def _can_print(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
