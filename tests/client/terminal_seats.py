"""People whose terminals are lists of lines, at a server in virtual time."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Self

import trio
import trio.testing
from msgspec.structs import replace

from hearts.errors import HeartsError, leaves
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Options
from hearts.session.resume_token import ResumeToken
from hearts.session.table_words import Introduction, PlayerKind
from hearts_client.library.dialects import Dialect
from hearts_client.lines.person import Ending, Person
from hearts_client.session.saved import Keeper, SavedSession, SessionPlace
from hearts_client.session.visit import TakenSeat
from hearts_client.words.style import Style

from .client_house import ClientHouse

CODE = "0004-1061-050R-3GG2-8A1C-60T3-GFQG"
ALONE = Options(frozenset({1, 2, 3}))
PLACE = SessionPlace("hearts.example", 7626, 0, None)
DEALER = Dialect.DEALER
HUMAN = Introduction(PlayerKind.PERSON)
CUTTER = Introduction(PlayerKind.PERSON, cuts=True)


class TerminalSeat:
    """A person whose terminal is a list of lines."""

    def __init__(
        self,
        made: ClientHouse,
        nursery: trio.Nursery,
        *,
        options: Options | None = ALONE,
        name: str = "Ann",
        answer: Callable[[str], str | None] = lambda line: None,
        solo: bool = False,
        deal: str = "",
        record_folder: Path | None = None,
        come_back: ResumeToken | None = None,
        place: SessionPlace = PLACE,
        sessions: Path | None = None,
        saved: SavedSession | None = None,
        life: Callable[[], int] | None = None,
        dialect: Dialect = Dialect.PLAIN,
        introduction: Introduction | None = None,
        table: str = "",
        said: list[str] | None = None,
        is_lesson: bool = False,
    ) -> None:
        self.said: list[str] = [] if said is None else said
        self.ending: Ending | BaseException | None = None
        self._over = trio.Event()
        self._answer = answer
        self._read = 0
        self._send, self._lines = trio.open_memory_channel[str](math.inf)
        request = RegistrationRequest(name, 1, table=table, options=options)
        if come_back is not None:
            request = RegistrationRequest.to_come_back(come_back)
        self.client = made.client(request, life, dialect, introduction)
        place = replace(place, dialect=dialect, solo="a" if solo else "")
        self.person = Person(
            TakenSeat(self.client, place, None if sessions is None else Keeper(sessions, saved)),
            Style(ascii=True),
            self._say,
            deal=deal,
            record_folder=record_folder,
            is_lesson=is_lesson,
        )
        nursery.start_soon(self._play)

    async def _play(self) -> None:
        try:
            self.ending = await self.person.play(self._lines)
        except* HeartsError as errors:
            self.ending = next(leaves(errors))
        self._over.set()

    def _say(self, line: str) -> None:
        self.said.append(line)
        answer = self._answer(line)
        if answer is not None:
            self._send.send_nowait(answer)

    async def type(self, line: str) -> str:
        """Type a line; gives what was said since the last one, up to when all is quiet."""
        self._send.send_nowait(line)
        return await self.new_text()

    async def new_text(self) -> str:
        await trio.testing.wait_all_tasks_blocked()
        new = self.said[self._read :]
        self._read = len(self.said)
        return "\n".join(new)

    def end_input(self) -> None:
        """Ctrl-D."""
        self._send.close()

    async def settled(self) -> Self:
        """The seat, when all is quiet; what was said so far is read."""
        await self.new_text()
        return self

    async def end(self) -> Ending | BaseException | None:
        """Wait for the end; give its reason."""
        await self._over.wait()
        return self.ending


class PersonAtDealer(TerminalSeat):
    """A person in the dealer dialect."""

    def __init__(self, made: ClientHouse, nursery: trio.Nursery, **more: object) -> None:
        settings = {"dialect": DEALER, "introduction": HUMAN, **more}
        super().__init__(made, nursery, **settings)  # type: ignore[arg-type]

    async def text_after(self, seconds: float) -> str:
        await trio.sleep(seconds)
        return await self.new_text()

    async def until(self, text: str) -> str:
        """Give what is said up to a text; the server may have something to store before."""
        heard = ""
        for _ in range(10_000):
            heard += "\n" + await self.text_after(0.1)
            if text in heard:
                return heard
        raise AssertionError(heard)


def first_legal(line: str) -> str | None:
    """A person who takes what comes first, and wants no second game."""
    if line.startswith("Type the three cards"):
        return "1 2 3"
    if line.startswith("You can only play"):
        return ""
    if line == "You can play:":
        return "1"
    if line.startswith("Type others or mine"):
        return "mine"
    return "no" if line.startswith("Another game?") else None
