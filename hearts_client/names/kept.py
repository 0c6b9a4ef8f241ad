"""The master secret of a person, and the servers that they have a name at, in one file.

The names are those of the owner of the file: it is for their eyes alone.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.json import encode, format
from msgspec.structs import replace

from hearts.errors import HeartsError
from hearts.names.words import SECRET_BYTES
from hearts.net.files import write_whole
from hearts.wire.json_values import InvalidJson, from_json
from hearts_client.session.saved import write_in_time

FILE = "names.json"
_LARGEST = 1 << 20
_Secret = Annotated[str, Meta(pattern=r"\A([0-9a-f]{32})?\Z")]
_Key = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class KnownServer(Struct, frozen=True, gc=False):
    """A server that has shown its key."""

    key: _Key
    name: str = ""
    """The person's own name there; empty for none."""


class _File(Struct, frozen=True):
    secret: _Secret = ""
    is_written_down: bool = False
    servers: dict[str, KnownServer] = {}
    """By address, as hosts are written."""


class CannotKeepNames(HeartsError):
    """The file of names cannot be read, or not be written; the text says which and why."""


class KeptNames:
    """The file of names, read once. It is written when something changes."""

    is_visitor = False
    """True for a visitor by ssh, of whom nothing is kept here."""

    def __init__(self, folder: Path | None) -> None:
        """``folder`` is where the file is; without one nothing is kept, and no name is proved.

        Raises CannotKeepNames for a file that is no file of ours: it may hold the only copy of a
        secret, and is never written over.
        """
        self._path = None if folder is None else folder / FILE
        self._file = _File() if self._path is None else _read(self._path)

    @property
    def secret(self) -> bytes:
        """The master secret; empty if there is none yet."""
        return bytes.fromhex(self._file.secret)

    @property
    def owes_words(self) -> bool:
        """True if there are names, and the person has not shown that they have the words."""
        return not self._file.is_written_down and any(it.name for it in self.servers.values())

    @property
    def servers(self) -> Mapping[str, KnownServer]:
        return self._file.servers

    def at(self, address: str) -> KnownServer | None:
        return self._file.servers.get(address)

    def other_address(self, key: bytes, address: str) -> str:
        """Return an address at another host where a server of this key is known; or nothing."""
        host = _host(address)
        known = self._file.servers.items()
        return next((at for at, it in known if it.key == key.hex() and _host(at) != host), "")

    async def made_secret(self) -> bytes:
        """Return the master secret, which is made if there is none. Raises CannotKeepNames."""
        if not self._file.secret:
            fresh = secrets.token_hex(SECRET_BYTES)
            await self._write(replace(self._file, secret=fresh, is_written_down=False))
        return self.secret

    async def use_secret(self, secret: bytes) -> None:
        """Use the secret of twelve words that somebody has; what was proved by another one is
        theirs no more. Raises CannotKeepNames, also if that one would be lost for good."""
        if secret != self.secret:
            if self.owes_words:
                raise CannotKeepNames("write down the words of the names that you have first")
            servers = {at: replace(it, name="") for at, it in self._file.servers.items()}
            await self._write(_File(secret.hex(), is_written_down=True, servers=servers))

    async def wrote_down(self) -> None:
        """Take note that the person has the words. Raises CannotKeepNames."""
        await self._write(replace(self._file, is_written_down=True))

    async def know(self, address: str, key: bytes, name: str) -> None:
        """Know a server, and the person's name there. Raises CannotKeepNames."""
        known = KnownServer(key.hex(), name)
        if self.at(address) != known:
            await self._write(replace(self._file, servers={**self._file.servers, address: known}))

    async def forget(self, address: str) -> None:
        """Forget a server, so that it may show another key. Raises CannotKeepNames."""
        servers = {at: it for at, it in self._file.servers.items() if at != address}
        await self._write(replace(self._file, servers=servers))

    async def _write(self, file: _File) -> None:
        if self._path is None:
            raise CannotKeepNames("there is no home folder to keep a name in")
        why = await write_in_time(partial(_write, self._path, file))
        if why is not None:
            raise CannotKeepNames(f"{self._path} cannot be written: {why}")
        self._file = file


class VisitorNames(KeptNames):
    """The names of a visitor by ssh: the door gives their secret anew at each visit, by the key
    that has let them in."""

    is_visitor = True

    def __init__(self, secret: bytes) -> None:
        """``secret`` is empty for a visitor without a key."""
        super().__init__(None)
        self._file = _File(secret.hex(), is_written_down=True)

    async def _write(self, file: _File) -> None:
        if not self._file.secret:
            raise CannotKeepNames("a name is for those who come with an ssh key")
        self._file = file


def _host(address: str) -> str:
    return address.rpartition(":")[0]


def _write(path: Path, file: _File) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole(path, format(encode(file), indent=1) + b"\n", mode=0o600)


def _read(path: Path) -> _File:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except FileNotFoundError:
        return _File()
    except OSError as error:
        raise CannotKeepNames(f"{path} cannot be read: {error.strerror}") from None
    try:
        return from_json(data, _File)
    except InvalidJson as error:
        raise CannotKeepNames(f"{path} is no file of names: {error}") from None
