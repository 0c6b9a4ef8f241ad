"""The server's greeting: its name, and the word of the day, which is a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import trio

from hearts.net.logline import EventLog
from hearts.session.messages import MAX_GREETING
from hearts.settings.table import ConfigError
from hearts.wire.codec import TEXT_LIMIT
from hearts.wire.text import is_legible, is_printable

log = EventLog(__name__)

WELCOME_LIMIT = 2000
"""Bytes of the word of the day."""


class Greeting:
    """The words of a server that clients may ask for."""

    def __init__(self, name: str = "", file: Path | None = None) -> None:
        """Raises ConfigError if the file cannot be used."""
        self._name = name
        self._file = file
        self.texts = self._read()
        """The name, which may be empty, and the lines of the file; nothing if there is neither."""
        self.standings: Mapping[int, Sequence[str]] = {}
        """The texts of the standings, by the byte that asks for them; nothing without names."""

    def _read(self) -> tuple[str, ...]:
        lines = () if self._file is None else _lines(self._file)
        return (self._name, *lines) if self._name or lines else ()

    async def read_again(self) -> None:
        """Read the file again; one that cannot be used changes nothing."""
        if self._file is None:
            return
        try:
            # The file may lie on a disk that does not answer.
            self.texts = await trio.to_thread.run_sync(self._read, abandon_on_cancel=True)
        except ConfigError as error:
            log.error("welcome-not-read", why=error)
        else:
            log.info("welcome-read", file=self._file)


def _lines(file: Path) -> tuple[str, ...]:
    """Return the lines that say something, without control characters. Raises ConfigError."""
    try:
        if file.exists() and not file.is_file():
            raise ConfigError(f"--welcome: {file} is no file")
        with file.open("rb") as opened:
            data = opened.read(WELCOME_LIMIT + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"--welcome: cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"--welcome: {file} is no UTF-8") from None
    shown = ("".join(filter(is_printable, line.expandtabs(1))).strip() for line in text.split("\n"))
    lines = tuple(filter(None, shown))
    if len(data) > WELCOME_LIMIT or len(lines) >= MAX_GREETING:
        most = f"{WELCOME_LIMIT} bytes and {MAX_GREETING - 1} lines"
        raise ConfigError(f"--welcome: {file} has more than {most}")
    for line in lines:
        if len(line.encode()) > TEXT_LIMIT or not is_legible(line):
            raise ConfigError(
                f"--welcome: a line of {file} has more than {TEXT_LIMIT} bytes, or piles of marks"
            )
    return lines
