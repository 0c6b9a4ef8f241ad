"""One process of a run: atheris (libFuzzer for Python) leads one target.

``python -m tests.fuzz.engine TARGET FINDINGS [ARGUMENTS OF LIBFUZZER]``. A finding does not end it:
the shortest input of each is kept in FINDINGS, with its traceback.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
import traceback
from pathlib import Path

OURS = ["hearts", "hearts_server", "hearts_client", "hearts_web", "taunt_server"]
FINDING = "FINDING "
"""How the line of output begins that tells of a finding."""
LONGEST_INPUT = 4096
# What a fuzzer would have to guess: ints of the wire, words, and letters and digits that are
# taken for those of ASCII here and there.
DICTIONARY = [
    *(f"\\xff\\xff\\xff\\x{256 - tag:02x}" for tag in range(1, 12)),
    *(f"\\x00\\x00\\x00\\x{number:02x}" for number in (0, 1, 2, 3, 4, 13, 14, 52, 100)),
    "commitment ",
    "computer",
    "stand-in",
    "hearts-record 1\\x0a",
    "scores ",
    *("".join(f"\\x{byte:02x}" for byte in letter.encode()) for letter in "ıſK１٣²\xa0\u2028\x85"),
]


class Findings:
    """A target whose errors are kept, one input for each place that raises."""

    def __init__(self, name: str, place: Path) -> None:
        self._name = name
        self._place = place
        self._target = importlib.import_module("tests.fuzz.targets").TARGETS[name]
        self._shortest: dict[str, int] = {}

    def __call__(self, data: bytes) -> None:
        try:
            self._target(data)
        except Exception as error:
            self._keep(data, error)

    def _keep(self, data: bytes, error: Exception) -> None:
        where = signature(error)
        if len(data) >= self._shortest.get(where, sys.maxsize):
            return
        if where not in self._shortest:
            print(FINDING + json.dumps(f"{self._name}: {where}"), flush=True)
        self._shortest[where] = len(data)
        path = self._place / f"{self._name}-{hashlib.sha256(where.encode()).hexdigest()[:8]}"
        path.write_bytes(data)
        lines = traceback.format_exception(error)
        path.with_suffix(".txt").write_text(f"{where}\n\n{''.join(lines)}", "utf-8", "replace")


def leaf(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def signature(error: BaseException) -> str:
    """The kind of an error and the innermost place of ours that it went through."""
    error = leaf(error)
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "site-packages" not in frame.filename]
    at = (ours or list(frames))[-1]
    return f"{type(error).__name__} in {Path(at.filename).name}:{at.name}:{at.lineno}"


def main() -> None:
    """Fuzz until the time is over; libFuzzer then ends the process."""
    atheris = importlib.import_module("atheris")
    name, place, *arguments = sys.argv[1:]
    with atheris.instrument_imports(include=OURS):
        run = Findings(name, Path(place))
    dictionary = Path(place).parent / "work" / f"{name}.dict"
    dictionary.write_text("".join(f'"{word}"\n' for word in DICTIONARY), "ascii")
    settings = [f"-dict={dictionary}", f"-max_len={LONGEST_INPUT}", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], *settings, *arguments], run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
