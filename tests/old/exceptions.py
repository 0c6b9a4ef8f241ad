"""What is not as it was, on purpose: the table in README.md beside this file."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from .archive import OldProgram
from .transcripts import Differs

README = Path(__file__).parent / "README.md"


def exceptions(old: OldProgram) -> set[str]:
    """The names of the transcripts of a version that are listed."""
    if not old.is_first:
        return set()
    return set(re.findall(r"^\| `(\w+: [^`]+)` \|", README.read_text("utf-8"), re.M))


def check(old: OldProgram, name: str, play: Callable[[], None]) -> None:
    """Play a transcript; it goes as it was written, or else it is listed, but not both."""
    if name not in exceptions(old):
        play()
        return
    try:
        play()
    except Differs:
        return
    raise AssertionError(f"{name} is as it was: take it out of {README}")
