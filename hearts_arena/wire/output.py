"""What programs on the wire print, kept in files of bounded size."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

A_MATCH = 64 * 1024
"""Bytes that are kept of what a program prints in one seat of one match."""
A_FILE = 1024 * 1024
"""Bytes at which a file is put aside; the one put aside before is gone then."""


class OutputFile:
    """The file of one program; nothing is made before it prints something."""

    def __init__(self, path: Path, a_file: int = A_FILE, a_match: int = A_MATCH) -> None:
        self.path = path
        self._a_file = a_file
        self._a_match = a_match
        self._writing = threading.Lock()
        """A program may print in several seats at once."""

    def of_match(self, number: int, seat: int) -> Callable[[bytes], None]:
        """A function that keeps what is printed in a seat of a match; it may wait for the disk."""
        left = self._a_match
        heading = f"--- match {number} seat {seat}\n".encode()

        def take(data: bytes) -> None:
            nonlocal left, heading
            kept = data[:left]
            if not kept:
                return
            left -= len(kept)
            if not left:
                kept += b"\n--- the rest is left out\n"
            with self._writing:
                self._append(heading + kept)
            heading = b""

        return take

    def _append(self, data: bytes) -> None:
        # A full disk must cost nobody a match for what a program prints.
        try:
            if self.path.exists() and self.path.stat().st_size + len(data) > self._a_file:
                self.path.replace(self.path.with_suffix(".old"))
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as file:
                file.write(data)
        except OSError:
            return
