"""A person as servers know them on their days, and what is kept of them for it."""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated

import msgspec
import trio
from msgspec import Meta, Struct

from hearts.errors import HeartsError
from hearts.net.files import write_whole
from hearts.session.messages import VISITOR_BYTES
from hearts_client.door_link import DoorLink
from hearts_client.library.reach import where
from hearts_client.session.places import NoHome, Places
from hearts_client.session.saved import SavedSession
from hearts_client.session.visit import Guest

from .told import ToldDay, read_day
from .words import HandPars, day_lines, outcome_lines

_NO_KEY = (
    "the deal of the day is one try for a visitor, and you came without an ssh key, by which you "
    "would be known (ssh-keygen makes one)"
)
_STATES = {"played": ": played", "playing": ": under way"}
_KEPT_DAYS = 3
"""Days of which a server still tells the result."""


class NoVisitor(HeartsError):
    """The person is nobody whom a server could know again, so they have no try."""


class _Server(Struct):
    """One server, as far as it is kept."""

    token: Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
    """The one by which it knows us."""
    anchor: str = ""
    since: str = ""
    """The day on which it first told its anchor; empty if that is not kept."""
    pars: dict[str, HandPars] = {}
    """By day, those of the hands that were played."""
    day: str = ""
    """The one of which it told last, and its state."""
    state: str = ""


class TodaysDeal(Struct, frozen=True):
    """The answer to somebody who has asked for the deal of the day."""

    told: ToldDay
    lines: Sequence[str]
    """Words for people about today."""
    outcome: Sequence[str]
    """The same about hands that were played."""
    table: str
    """The name of the table at which they play it."""

    @property
    def is_open(self) -> bool:
        return self.told.state == "open"

    @property
    def is_playing(self) -> bool:
        return self.told.state == "playing"

    def find(self, guest: Guest, saved: Iterable[SavedSession]) -> SavedSession | None:
        """Return the try that is under way, if it is one of the saved games."""
        here = guest.host, guest.port
        tries = (each for each in saved if str(each.day) == self.told.day)
        return next((each for each in tries if (each.place.host, each.place.port) == here), None)


class DayVisitor:
    """A person as servers know them on their days, and what is kept of them in a file."""

    def __init__(self, folder: Path | None, token: bytes = b"", missing: str = "") -> None:
        """Without a folder nothing is kept. Then the ``token`` counts; if there is none either,
        they have no try, and ``missing`` says why.
        """
        self._file = None if folder is None else folder / "days.json"
        self._token = token
        self._missing = missing
        self._kept: dict[str, _Server] = {}
        """By server, as the file was read last."""

    async def ask(self, guest: Guest) -> TodaysDeal:
        """Ask a server for its day. Raises HeartsError."""
        if self._file is None and not self._token:
            raise NoVisitor(self._missing)
        server = await self._server(guest.host, guest.port)
        visitor = bytes.fromhex(server.token)
        told = read_day((await guest.tables(visitor=visitor)).greeting)
        lines: list[str] = []
        if server.anchor not in ("", told.anchor) or not told.is_of_chain:
            lines = ["* WARNING: the days of this server do not follow from what it told before."]
        if server.anchor != told.anchor:
            server.since = "" if self._file is None else str(datetime.now(UTC).date())
        server.anchor, server.day, server.state = told.anchor, told.day, told.state
        # Who is not kept would have a second try.
        await self._keep()
        lines += day_lines(told, server.since)
        table = f"day {urlsafe_b64encode(visitor).rstrip(b'=').decode()}"
        return TodaysDeal(told, lines, list(outcome_lines(told, server.pars)), table)

    async def label(self, host: str, port: int) -> str:
        """Name today's deal at a server, with its state as far as that is known here."""
        today, state = str(datetime.now(UTC).date()), ""
        with suppress(NoVisitor):
            server = await self._server(host, port)
            state = _STATES.get(server.state, "") if server.day == today else ""
        return f"The deal of the day, {today}{state}"

    async def keep_pars(self, guest: Guest, day: date, pars: HandPars) -> None:
        """Keep the pars of the hands of a day, as far as they are known."""
        server = await self._server(guest.host, guest.port)
        server.pars.setdefault(str(day), {}).update(pars)
        while len(server.pars) > _KEPT_DAYS:
            del server.pars[min(server.pars)]
        await self._keep()

    async def _server(self, host: str, port: int) -> _Server:
        if self._file is not None:
            # Another program of the person may have written it.
            try:
                self._kept = await trio.to_thread.run_sync(_read, self._file)
            except OSError as error:
                raise NoVisitor(f"cannot read {self._file}: {error.strerror}") from None
        token = self._token.hex() or secrets.token_hex(VISITOR_BYTES)
        return self._kept.setdefault(where(host, port), _Server(token))

    async def _keep(self) -> None:
        if self._file is None:
            return
        text = msgspec.json.encode(self._kept).decode()
        try:
            await trio.Path(self._file.parent).mkdir(mode=0o700, parents=True, exist_ok=True)
            await trio.to_thread.run_sync(write_whole, self._file, text)
        except OSError as error:
            raise NoVisitor(f"cannot keep your try in {self._file}: {error.strerror}") from None


def days_of(places: Places, link: DoorLink | None) -> DayVisitor:
    """Return a person as servers know them, a visitor at the door by their key."""
    if link is not None:
        return DayVisitor(None, link.visitor, _NO_KEY)
    folder = places.sessions
    return DayVisitor(None if folder is None else folder.parent, missing=str(NoHome()))


def _read(file: Path) -> dict[str, _Server]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, _Server])
    except (FileNotFoundError, msgspec.DecodeError):
        return {}
