"""The data dir: the secret, the counter of game numbers, and a lock against a second server.

Everything in it is readable by its owner alone.
"""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec import Struct

from hearts.net.files import FULL_DISK, remove_unfinished, write_whole
from hearts.net.logline import EventLog
from hearts.settings.table import ConfigError
from hearts.wire.codec import INT_MAX
from hearts.wire.credentials import SECRET_BYTES

from .config import CONSOLE_FILE, DOOR_FILE, JOURNAL_FILE
from .journal.store import TryLater

log = EventLog(__name__)

PAGE_GAME, PAGE_CHAT = "web-game", "web-chat"
"""Beginnings of the names of the sockets at which the gateway finds the game and the chat."""
SOCKETS = (PAGE_GAME, PAGE_CHAT)
_LONGEST_PATH = 100
"""Bytes of the path of a Unix socket: systems have room for 104 or 108."""
SECRET_FILE = "secret"
_COUNTER_FILE = "game-number"
_LOCK_FILE = "lock"
PASSWORD_FILE = "password"
STANDINGS_FILE = "standings.json"
_KNOWN_FILE = "known-networks"
NAMES_FILE = "names"
MODERATION_FILE = "moderation"
KEPT_FILES = (NAMES_FILE, MODERATION_FILE)
"""Names of what outlasts a server beside networks."""
_PRIVATE_FILES = (SECRET_FILE, _COUNTER_FILE, PASSWORD_FILE, _KNOWN_FILE, *KEPT_FILES)
_OUR_FILES = (
    *(*_PRIVATE_FILES, _LOCK_FILE, JOURNAL_FILE, CONSOLE_FILE, DOOR_FILE, STANDINGS_FILE),
    *SOCKETS,
)
"""Beginnings of the names of files in a data dir."""
_LARGEST_KEPT = 1 << 20
"""Bytes of a file of networks that may be ours."""
_RESERVED_AT_ONCE = 1000
"""Numbers for which the counter is written once; a restart skips what is left of them."""


class KeptBytes(Struct, frozen=True):
    """Bytes that outlast the server, as they are stored, and where."""

    stored: bytes
    """The latest bytes that were given to ``keep``; empty without any."""
    keep: Callable[[bytes], None]
    """Stores what it gets in their place; runs in a thread of trio's, and may raise OSError."""


class KeptNetworks(Struct, frozen=True):
    """The networks that outlast a server, and what else does."""

    known: KeptBytes
    """Those that know the password: :class:`~hearts_server.lobby.passwords.KnownNetworks`."""
    others: Callable[[str], KeptBytes]
    """Gives what is kept under one of KEPT_FILES. Raises ConfigError if that cannot be read."""


class DataDir:
    """An open data dir, locked by this process until it ends."""

    def __init__(self, path: Path) -> None:
        """Open the dir, making what is missing. Raises ConfigError, saying what to do."""
        self.path = path
        self.secret_file = path / SECRET_FILE
        """The file in which the taunt server finds the secret."""
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            _keep_private(path, *(path / name for name in _PRIVATE_FILES))
            self._lock = os.open(path / _LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(self._lock)
                raise ConfigError(
                    f"--data-dir: another hearts-server uses {path}; stop it or choose another dir"
                ) from None
            for name in _PRIVATE_FILES:
                remove_unfinished(path / name)
            self.secret = self._read_secret()
            self._next_number = self._read_counter()
            self._reserved = self._next_number
            self.reserve()
        except OSError as error:
            if error.errno in FULL_DISK:
                raise TryLater(f"--data-dir: cannot write {path}: {error.strerror}") from None
            raise ConfigError(
                f"--data-dir: cannot use {path}: {error.strerror}; choose a dir that you may write"
            ) from None

    def close(self) -> None:
        """Let another server use the dir."""
        os.close(self._lock)

    @property
    def running_low(self) -> bool:
        """True if :meth:`reserve` is to be called, off the event loop, as it waits for a disk."""
        return self._reserved - self._next_number < _RESERVED_AT_ONCE // 2

    def new_game_number(self) -> int:
        """Return a number that was never given before under this secret. Raises OSError."""
        if self._next_number >= self._reserved:
            self.reserve()
        number = self._next_number
        self._next_number += 1
        return number

    def skip_to(self, number: int) -> None:
        """Give no number below this one: those were given, whatever the counter says.

        Raises OSError.
        """
        if number > self._next_number:
            self._next_number = number
            self._reserved = max(self._reserved, number)
            self.reserve()

    def own_password(self, make: Callable[[], str]) -> str:
        """Return the password that was made for this dir, or a new one. Raises OSError."""
        file = self.path / PASSWORD_FILE
        if file.exists():
            password = file.read_text(encoding="utf-8", errors="replace").strip()
            if password:
                return password
        password = make()
        write_whole(self.path / PASSWORD_FILE, f"{password}\n")
        return password

    def kept_networks(self) -> KeptNetworks:
        return KeptNetworks(self._kept(_KNOWN_FILE), self._kept_whole)

    def _kept_whole(self, name: str) -> KeptBytes:
        file = self.path / name
        try:
            stored = file.read_bytes() if file.exists() else b""
        except OSError as error:
            raise ConfigError(f"--data-dir: cannot read {file}: {error.strerror}") from None
        return KeptBytes(stored, partial(write_whole, file))

    def _kept(self, name: str) -> KeptBytes:
        """Return what a file keeps; it is empty if that cannot be read."""
        stored = b""
        try:
            with (self.path / name).open("rb") as file:
                stored = file.read(_LARGEST_KEPT)
        except FileNotFoundError:
            pass
        except OSError as error:
            log.error("cannot-read-networks", file=name, why=error)
        return KeptBytes(stored, partial(write_whole, self.path / name))

    def _read_secret(self) -> bytes:
        if not self.secret_file.exists():
            write_whole(self.path / SECRET_FILE, secrets.token_bytes(SECRET_BYTES))
        secret = self.secret_file.read_bytes()
        if len(secret) != SECRET_BYTES:
            raise ConfigError(
                f"--data-dir: {self.secret_file} has {len(secret)} bytes in place of "
                f"{SECRET_BYTES}; move it away and a new one is made"
            )
        return secret

    def _read_counter(self) -> int:
        file = self.path / _COUNTER_FILE
        if not file.exists():
            return 1
        text = file.read_text(encoding="ascii", errors="replace").strip()
        if not text.isdecimal() or not 1 <= int(text) < INT_MAX - _RESERVED_AT_ONCE:
            raise ConfigError(
                f"--data-dir: {file} holds no game number; write one above all that were given, "
                f"or move {self.secret_file} and {file} away"
            )
        return int(text)

    def reserve(self) -> None:
        """Write down that more numbers are taken, before any of them is given. Raises OSError."""
        reserved = self._reserved + _RESERVED_AT_ONCE
        write_whole(self.path / _COUNTER_FILE, f"{reserved}\n")
        self._reserved = reserved


def _keep_private(*paths: Path) -> None:
    """Take from others what they may do with these paths, and say so. Raises OSError."""
    for path in paths:
        mode = path.stat().st_mode & 0o777 if path.exists() else 0
        if mode & 0o077:
            ours = _is_ours(path)
            if ours:
                path.chmod(mode & 0o700)
            log.warning("open-to-others", path=path, mode=f"{mode:o}", closed=ours)


def _is_ours(path: Path) -> bool:
    # A dir that holds other things is somebody's home or worse, and is left as it is.
    return path.stat().st_uid == os.geteuid() and (
        path.is_file() or all(child.name.startswith(_OUR_FILES) for child in path.iterdir())
    )


def own_socket(folder: Path, name: str) -> str:
    """Return the path of a Unix socket of this process, where a program that it starts is to
    connect or to listen. Raises OSError if no socket can be there.

    What processes that were killed have left is removed.
    """
    for old in folder.glob(f"{name}-*"):
        # Other files of such a name are the host's.
        if old.is_socket():
            old.unlink(missing_ok=True)
    path = str(folder / f"{name}-{os.getpid()}")
    if len(os.fsencode(path)) > _LONGEST_PATH:
        raise OSError("the path of the data dir is too long for a Unix socket")
    return path
