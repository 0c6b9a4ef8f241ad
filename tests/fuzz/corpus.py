"""The corpus in the repository: small files that reach much, and one for each fault found."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path
from types import FrameType
from typing import Any

from .targets import TARGETS, Target

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
REGRESSION = "regression-"
"""How the name of a file begins that once was a finding; :func:`distil` leaves it alone."""
LONGEST = 2048
"""Bytes of a file that :func:`distil` keeps, at most."""
MOST = {"server": 14, "seat": 10}
"""Files of a target that :func:`distil` keeps, at most; of any other :data:`MOST_OF_OTHERS`."""
MOST_OF_OTHERS = 4
OURS = ("hearts", "hearts_server", "hearts_web", "taunt_server")
"""The packages whose lines count."""

Arc = tuple[str, int, int]


def files(name: str) -> list[Path]:
    return sorted(path for path in (CORPUS / name).glob("*") if path.is_file())


def replay(name: str) -> int:
    """Run a target with each of its files; how many there were."""
    paths = files(name)
    for path in paths:
        try:
            TARGETS[name](path.read_bytes())
        except Exception as error:
            error.add_note(f"input: {path.relative_to(HERE)}")
            raise
    return len(paths)


def distil(name: str, inputs: Iterable[bytes]) -> list[Path]:
    """Keep in the corpus those few of the inputs that together reach most; the files."""
    known = {path.read_bytes() for path in files(name)}
    reached = {
        data: arcs(TARGETS[name], data)
        for data in sorted({*inputs, *known}, key=lambda data: (len(data), data))
        if len(data) <= LONGEST
    }
    missing = set[Arc]().union(*reached.values())
    kept: list[bytes] = []
    while missing and reached and len(kept) < MOST.get(name, MOST_OF_OTHERS):
        best = max(reached, key=lambda data: len(reached[data] & missing))
        gained = reached.pop(best) & missing
        if not gained:
            break
        missing -= gained
        kept.append(best)
    return _write(name, kept)


def _write(name: str, kept: list[bytes]) -> list[Path]:
    place = CORPUS / name
    place.mkdir(parents=True, exist_ok=True)
    for path in files(name):
        if not path.name.startswith(REGRESSION):
            path.unlink()
    for data in kept:
        (place / hashlib.sha256(data).hexdigest()[:12]).write_bytes(data)
    return files(name)


def arcs(target: Target, data: bytes) -> set[Arc]:
    """From which line to which line of our packages an input leads; nothing for a finding."""
    found: set[Arc] = set()
    trace = _Trace(found)
    before = sys.gettrace()
    sys.settrace(trace.call)
    try:
        target(data)
    except Exception:
        found.clear()
    finally:
        sys.settrace(before)
    return found


class _Trace:
    def __init__(self, found: set[Arc]) -> None:
        self._found = found
        self._is_ours: dict[str, bool] = {}

    def call(self, frame: FrameType, event: str, argument: Any) -> Any:
        module = frame.f_globals.get("__name__", "")
        ours = self._is_ours.get(module)
        if ours is None:
            ours = self._is_ours[module] = module.partition(".")[0] in OURS
        return self._lines(frame) if ours else None

    def _lines(self, frame: FrameType) -> Any:
        file = frame.f_code.co_filename
        last = 0

        def line(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal last
            if event == "line":
                self._found.add((file, last, frame.f_lineno))
                last = frame.f_lineno
            return line

        return line
