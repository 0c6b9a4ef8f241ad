"""The deal of the day, line by line: what is told of it, one try, and the list."""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import msgspec
import trio
from msgspec import Struct

from hearts.errors import HeartsError
from hearts.net.files import write_whole
from hearts.session.messages import VISITOR_BYTES
from hearts.wire.day_chain import day_number, is_of_chain
from hearts_client.library.reach import where
from hearts_client.session.visit import Guest

_Known = dict[str, tuple[str, str, str]]
"""By server: our token there, its anchor, and the day on which it told that first."""


class ToldDay(Struct):
    """The texts of a server about its days (SocketSpec.md 3.5); ``lines`` are for people."""

    day: str
    state: str
    anchor: str
    over: str
    value: str
    lines: Sequence[str]

    @property
    def is_of_chain(self) -> bool:
        """True if the value of the day that is over fits the anchor."""
        number = day_number(date.fromisoformat(self.over))
        return is_of_chain(bytes.fromhex(self.value), number, bytes.fromhex(self.anchor))


def read_day(texts: Sequence[str]) -> ToldDay:
    """Read the texts. Raises HeartsError if they tell of no day."""
    try:
        (_, day, state, anchor), (_, over, value) = (text.split(" ") for text in texts[:2])
        return ToldDay(day, state, anchor, over, value, texts[2:])
    except ValueError:
        raise HeartsError("the server has no deal of the day") from None


def _read(file: Path) -> _Known:
    try:
        return msgspec.json.decode(file.read_bytes(), type=_Known)
    except (FileNotFoundError, msgspec.DecodeError):
        return {}


async def play_day(
    guest: Guest, folder: Path, say: Callable[[str], None], play: Callable[[str], Awaitable[None]]
) -> None:
    """Tell of the day, and let the person ``play`` at the table of this name if they may."""
    server, file = where(guest.host, guest.port), folder / "days.json"
    known = await trio.to_thread.run_sync(_read, file)
    token, *_ = known.setdefault(server, (secrets.token_hex(VISITOR_BYTES), "", ""))
    visitor = bytes.fromhex(token)

    async def tell() -> str:
        told = read_day((await guest.tables(visitor=visitor)).greeting)
        _, anchor, since = known[server]
        if anchor not in ("", told.anchor) or not told.is_of_chain:
            say("* WARNING: the days of this server do not follow from what it told before.")
        if anchor != told.anchor:
            since = str(datetime.now(UTC).date())
            known[server] = token, told.anchor, since
            # Who is not kept would have a second try.
            await trio.Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
            await trio.to_thread.run_sync(write_whole, file, msgspec.json.encode(known).decode())
        for line in (f"Fixed and published on {since}; the host could know it.", *told.lines):
            say(line)
        return told.state

    if await tell() == "open":
        await play(f"day {urlsafe_b64encode(visitor).rstrip(b'=').decode()}")
        await tell()
