"""Files with all that a person needs to come back after the program has ended, one for a game.

The files are for the eyes of their owner alone: anybody who has one has the seat.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, Literal
from urllib.parse import quote, urlencode

import trio
from msgspec import Meta, Struct
from msgspec.json import encode, format
from msgspec.structs import asdict

from hearts.errors import HeartsError
from hearts.net.files import write_whole
from hearts.session.resume_token import InvalidResumeToken, ResumeToken
from hearts.wire.json_values import InvalidJson, from_json
from hearts.wire.text import count_of
from hearts_client.library.client import DEFAULT_PORT
from hearts_client.library.dialects import Dialect
from hearts_client.library.reach import DEFAULT_TAUNT_PORT, Tls, is_by_door, where

_LARGEST = 16384
"""Bytes of a file that may be one of ours."""
_HERE = ("localhost", "127.0.0.1", "::1")
_YOUR_ADDRESS = "YOUR-ADDRESS"
"""In place of a name that means another machine at each."""
_PAGE_PORT = 7680
_IN_BROWSER = "If the host serves a page, it is at {page}, unless its port is another."
_WRITE_LIMIT = 5.0
"""Seconds that a disk has before the person goes on without it."""


def known_elsewhere(host: str) -> str:
    """Return a host as others may call it: a name that means another machine at each is none."""
    return _YOUR_ADDRESS if host in _HERE else host


def page_of(host: str, tls: Tls | None) -> str:
    """Return the address of the page of a host, if it serves one at the usual port."""
    return f"http{'s' * (tls is not None)}://{where(host, _PAGE_PORT)}/"


class CannotResume(HeartsError):
    """There is no saved game to go on with, or not just one; the text says what to do."""


_SoloName = Annotated[str, Meta(pattern=r"\A[0-9a-f]{0,32}\Z")]


class SessionPlace(Struct, frozen=True, gc=False):
    """The place of a session."""

    host: Annotated[str, Meta(min_length=1)]
    port: Annotated[int, Meta(ge=1, le=65535)]
    taunt_port: Annotated[int, Meta(ge=0, le=65535)]
    """0 for no chat."""
    tls: Tls | None
    dialect: Dialect = Dialect.PLAIN
    solo: _SoloName = ""
    """The name of a game alone, whose server is started where it left off; empty for others."""

    def invite(self, table: str) -> tuple[str, str]:
        """Give the line with which friends come to a table of a name, or to the next free seat,
        without what is as it mostly is; and what else they need. Nobody tells us of a page.
        """
        host = known_elsewhere(self.host)
        page = page_of(host, self.tls)
        page += f"#{urlencode({'table': table})}" if table else ""
        if is_by_door():
            then = f"join the table {table}" if table else "join the next free seat"
            return f"ssh as you have come here; then they {then}", _IN_BROWSER.format(page=page)
        words = ["hearts-client", host if self.port == DEFAULT_PORT else where(host, self.port)]
        if table:
            words += ["--table", table]
        if self.tls is not None:
            words.append("--tls")
        if self.taunt_port != DEFAULT_TAUNT_PORT:
            words += ["--taunt-port", str(self.taunt_port)]
        more = _IN_BROWSER.format(page=page)
        return shlex.join(words), f"It is in the Python package hearts-server. {more}"

    def __str__(self) -> str:
        return "alone" if self.solo else f"at {where(self.host, self.port)}"


class SavedSession(Struct, frozen=True):
    """The place of a session, and its progress."""

    place: SessionPlace
    progress: ResumeToken
    missed: int = 0
    """Deals of the session before we took our seat, as far as that is known."""
    day: date | None = None
    """The day whose deals are played; None for others."""

    @property
    def file_name(self) -> str:
        place, shown = self.place, self.progress.credentials
        if place.solo:
            return f"solo-{place.solo}-{shown.game_number}-{shown.player}.json"
        host = quote(place.host, safe="")
        return f"{host}-{place.port}-{shown.game_number}-{shown.player}.json"

    @property
    def hands_played(self) -> str:
        if not self.progress.knows_count:
            return "some hands played"
        return f"{count_of(self.progress.hands, 'hand')} played"

    @property
    def choice(self) -> str:
        """Its name in ``--resume``."""
        return str(self.progress.credentials.game_number)

    def to_text(self) -> str:
        file = {
            "version": 1,
            **asdict(self.place),
            "progress": self.progress.to_dict(),
            "missed_deals": self.missed,
            "day": self.day,
        }
        # The program may be started in another folder the next time.
        text = encode(file, enc_hook=lambda path: str(path.absolute()))
        return format(text, indent=1).decode() + "\n"

    @classmethod
    def from_text(cls, text: str) -> SavedSession:
        """Raises InvalidResumeToken, saying what is wrong."""
        try:
            kept = from_json(text, _SessionFile, lambda kind, value: kind(value))
        except InvalidJson as error:
            raise InvalidResumeToken(str(error)) from None
        if not kept.host.isprintable():
            raise InvalidResumeToken("there is no host")
        of_place = SessionPlace.__struct_fields__
        place = SessionPlace(**{name: getattr(kept, name) for name in of_place})
        return cls(place, ResumeToken.from_dict(kept.progress), kept.missed_deals, kept.day)


class _SessionFile(SessionPlace, frozen=True, kw_only=True, gc=True):
    version: Literal[1]
    dialect: Dialect
    solo: _SoloName
    progress: Any
    missed_deals: Annotated[int, Meta(ge=0)]
    day: date | None


def write(folder: Path, saved: SavedSession) -> None:
    """Keep a session, in place of its earlier state. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    write_whole(folder / saved.file_name, saved.to_text())


def remove(folder: Path, saved: SavedSession) -> None:
    """Keep a session no longer. Raises OSError."""
    (folder / saved.file_name).unlink(missing_ok=True)


def read_all(folder: Path) -> tuple[list[SavedSession], list[str]]:
    """Return the sessions that are kept, the latest first, and a line for each file that is
    none.
    """
    found: list[tuple[float, SavedSession]] = []
    problems = []
    for path in sorted(folder.glob("*.json")):
        if not path.is_file():
            continue
        try:
            found.append((path.stat().st_mtime, _read(path)))
        except (OSError, UnicodeDecodeError, InvalidResumeToken) as error:
            why = error.strerror if isinstance(error, OSError) else error
            problems.append(f"{path} is not usable: {why}")
    found.sort(key=lambda item: -item[0])
    return [saved for _, saved in found], problems


def _read(path: Path) -> SavedSession:
    with path.open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise InvalidResumeToken("it is too long")
    return SavedSession.from_text(data.decode())


def choose(
    sessions: Sequence[SavedSession], wanted: str, command: str = "hearts-client"
) -> SavedSession:
    """Return the session that a person means; empty for the only one. Raises CannotResume.

    ``command`` starts the program for them.
    """
    if not sessions:
        raise CannotResume("no game is saved here to come back to")
    fitting = [
        saved for saved in sessions if wanted in ("", saved.choice, Path(saved.file_name).stem)
    ]
    if len(fitting) == 1:
        return fitting[0]
    numbers = [saved.choice for saved in sessions]
    head = f"no game {wanted} is saved" if not fitting else "several games are saved"
    lines = [f"{head}; choose one:"]
    for saved in sessions:
        unique = numbers.count(saved.choice) == 1
        option = saved.choice if unique else Path(saved.file_name).stem
        progress = saved.progress
        lines.append(
            f"  {command} --resume {option}    {saved.place} "
            f"as {progress.names[progress.player]}, with {saved.hands_played}"
        )
    raise CannotResume("\n".join(lines))


class Keeper:
    """Keeps the file of the session that is played. It never fails: it says so once."""

    def __init__(
        self,
        folder: Path,
        kept: SavedSession | None = None,
        say: Callable[[str], None] = print,
    ) -> None:
        """``kept`` is what the file of this session holds already."""
        self.say = say
        """Gets a line if the game cannot be saved."""
        self.folder = folder
        self._failed = False
        self._turn = 0
        self._disk = Lock()
        self.kept = kept
        """The content of the file; None while there is none."""

    async def keep(self, saved: SavedSession) -> bool:
        """Write down how far the session is; True if the file holds nothing older now."""
        if saved != self.kept and await self._do(write, saved):
            self.kept = saved
        return self.kept in (saved, None)

    async def forget(self) -> None:
        """Delete what is saved: the session is over, and nobody can come back to it."""
        if self.kept is not None and await self._do(remove, self.kept):
            self.kept = None

    async def _do(self, task: Callable[[Path, SavedSession], None], saved: SavedSession) -> bool:
        self._turn = turn = self._turn + 1

        def do() -> None:
            # One that was given up goes on in its thread: it must not come behind a newer one.
            with self._disk:
                if turn == self._turn:
                    task(self.folder, saved)

        why = await write_in_time(do)
        if why is not None and not self._failed:
            self._failed = True
            self.say(f"* The game cannot be saved for --resume in {self.folder}: {why}.")
        return why is None


async def write_in_time(write: Callable[[], None]) -> str | None:
    """Let a thread write, but not for long; give the reason if that may not have been done."""
    with trio.move_on_after(_WRITE_LIMIT):
        try:
            await trio.to_thread.run_sync(write, abandon_on_cancel=True)
        except OSError as error:
            return error.strerror or str(error)
        return None
    return "the disk does not answer"
