"""A visit to a table: at a server, alone with computers, or back at a seat that was left."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from secrets import token_hex
from typing import TypeVar

import trio
from msgspec import Struct
from msgspec.structs import replace

from hearts.errors import HeartsError
from hearts.game.deal import NO_CUTS, parse_deal_text
from hearts.game.rules import DEFAULT_END_SCORE, STANDARD
from hearts.session.client_events import RegistrationRefused, TableLooked, TablesListed
from hearts.session.client_registration import NameProver
from hearts.session.messages import Options, Refusal
from hearts.session.table_words import Introduction, PlayerKind
from hearts.standings.told import AskedStandings, ToldStandings
from hearts_client.library.client import Client
from hearts_client.library.connecting import connect
from hearts_client.library.dialects import Dialect
from hearts_client.library.reach import DEFAULT_TAUNT_PORT, Tls
from hearts_client.library.retries import RETRY_LIMIT
from hearts_client.library.watching import Watcher, watch
from hearts_client.words.lesson import lesson

from .own_server import LOOPBACK, Computers, own_server
from .saved import Keeper, SavedSession, SessionPlace

_NAME_BYTES = 4
AnswerT = TypeVar("AnswerT", TablesListed, TableLooked)
FINAL = frozenset({Refusal.NO_SUCH_GAME, Refusal.TABLE_TAKEN})
"""A player who comes back is told these if the game is over or the seat is not theirs."""


class Guest(Struct, frozen=True, gc=False):
    """A person who wants to play on a server, and its address."""

    host: str
    port: int
    name: str
    tls: Tls | None = None
    """None for clear text."""
    password: str = ""
    """Empty for none."""
    taunt_port: int = DEFAULT_TAUNT_PORT
    """The port of the chat; 0 for none."""

    def __repr__(self) -> str:
        return f"Guest({self.name!r} at {self.host}:{self.port})"  # without the password

    def place(self, dialect: Dialect) -> SessionPlace:
        return SessionPlace(self.host, self.port, self.taunt_port, self.tls, dialect)

    async def tables(self, first: str | None = None, visitor: bytes = b"") -> TablesListed:
        """Ask for the public tables. ``first`` is the table to know most of; None for nothing more.
        With a ``visitor`` the greeting is what their token is told of the deal of the day; with
        the byte of AskedStandings it is the standings.

        Raises RegistrationRefused and CannotConnect.
        """
        asked = TablesListed(())
        return await self._ask(asked, list_only=True, details_first=first, visitor=visitor)

    async def standings(self) -> list[str]:
        """Ask for the standings of names, as lines for people. Raises as :meth:`tables` does, and
        HeartsError if the server has none.
        """
        lines: list[str] = []
        for asked in (AskedStandings.MONTH, AskedStandings.EVER):
            texts = (await self.tables(visitor=bytes((asked,)))).greeting
            told = ToldStandings.of_texts(texts)
            if told is None:
                raise HeartsError("the server has no standings")
            lines += [*([""] if lines else []), *told.shown()]
        return lines

    async def look(self, table: str) -> TableLooked:
        """Ask what the table of a name is. Raises RegistrationRefused and CannotConnect."""
        return await self._ask(TableLooked(False, None), look=table)

    async def _ask(
        self,
        found: AnswerT,
        *,
        list_only: bool = False,
        details_first: str | None = None,
        look: str = "",
        visitor: bytes = b"",
    ) -> AnswerT:
        asking = connect(
            self.host,
            self.port,
            name=self.name,
            password=self.password,
            list_only=list_only,
            details_first=details_first,
            look=look,
            greeting=list_only,
            visitor=visitor,
            tls=self.tls,
        )
        async with asking as client:
            async for event in client:
                if isinstance(event, type(found)):
                    found = event
        return found

    def watch(self, game_number: int) -> AbstractAsyncContextManager[Watcher]:
        return watch(
            self.host,
            self.port,
            game_number=game_number,
            name=self.name,
            password=self.password,
            tls=self.tls,
            retry_limit=RETRY_LIMIT,
        )


class TakenSeat(Struct, frozen=True):
    """A seat that somebody has taken, and what is needed to come back to it."""

    client: Client
    place: SessionPlace
    keeper: Keeper | None = None
    """None if the game is not kept."""

    @property
    def is_alone(self) -> bool:
        return bool(self.place.solo)

    @property
    def invite(self) -> Callable[[str], tuple[str, str]] | None:
        """Gives the line with which friends come to a table of a name, and more about it; None if
        nobody can."""
        return None if self.is_alone else self.place.invite


class TableVisit(Struct, frozen=True):
    """The table at which somebody wants to play, and their name."""

    place: SessionPlace
    name: str
    table: str = ""
    options: Options | None = None
    password: str = ""
    deal: str = ""
    """The text of the first deal of a game alone; empty for a new one."""
    computers: Computers = Computers()
    saved: SavedSession | None = None
    """A game to come back to."""
    prover: NameProver | None = None
    """Proves that the name is the person's; None if they have none there."""

    @property
    def is_of_day(self) -> bool:
        """True for the table of a visitor's token (SocketSpec.md 3.5)."""
        return self.table.startswith("day ")

    @property
    def guest(self) -> Guest:
        """The same person, who asks its server for something else."""
        place = self.place
        return Guest(place.host, place.port, self.name, place.tls, self.password, place.taunt_port)

    def again(self, deal: str) -> TableVisit:
        """Give the visit to a new game alone that begins with a deal."""
        return replace(self, place=alone(self.place.dialect), deal=deal, saved=None)

    @asynccontextmanager
    async def seat(self, keeper: Keeper | None) -> AsyncIterator[TakenSeat]:
        """Take the seat for as long as the block; ``keeper`` keeps the game, if anybody does.

        Raises CannotConnect and CannotHost.
        """
        place, saved = self.place, self.saved
        async with AsyncExitStack() as stack:
            if place.solo:
                folder = None
                if keeper is not None:
                    folder = keeper.folder.parent / "solo" / place.solo
                    stack.push_async_callback(_remove_if_over, folder, keeper)
                server = own_server(self.deal, self.computers, folder)
                port, taunt_port = await stack.enter_async_context(server)
                place = replace(place, port=port, taunt_port=taunt_port)
            connecting = connect(
                place.host,
                place.port,
                name=self.name,
                table=self.table,
                options=self.options,
                password=self.password,
                tls=place.tls,
                greeting=not place.solo,
                prover=self.prover,
                come_back=None if saved is None else saved.progress,
                retry_limit=0 if place.solo else RETRY_LIMIT,
                dialect=place.dialect,
                # A person who plays alone may want a deal of their choice, so they do not cut it.
                # Nor do they cut one that others get too.
                introduction=Introduction(
                    PlayerKind.PERSON, cuts=not (place.solo or self.is_of_day)
                ),
                first_cuts=parse_deal_text(self.deal)[1] if self.deal else NO_CUTS,
            )
            yield TakenSeat(await stack.enter_async_context(connecting), place, keeper)


async def _remove_if_over(folder: Path, keeper: Keeper) -> None:
    """Remove the folder of a game alone that nobody can come back to; what cannot go stays."""
    if keeper.kept is None:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(shutil.rmtree, folder, True)


def alone(dialect: Dialect) -> SessionPlace:
    """Give the place of a new game alone."""
    return SessionPlace(LOOPBACK, 0, 0, None, dialect, token_hex(_NAME_BYTES))


def lesson_visit(name: str) -> TableVisit:
    """Return the visit of somebody who plays the guided first hand."""
    first = lesson()
    computers = Computers(level=first.level, names=first.names)
    options = Options(frozenset({1, 2, 3}), STANDARD, DEFAULT_END_SCORE)
    place = alone(Dialect.DEALER)
    return TableVisit(place, name, options=options, deal=first.deal, computers=computers)


def wants_password(error: BaseException) -> bool:
    return isinstance(error, RegistrationRefused) and error.code == Refusal.BAD_PASSWORD


def complaint(error: BaseException, *, came_back: bool, password: str) -> str:
    """Return one line for the person.

    ``came_back`` says whether a saved game was to go on, and ``password`` how one is given.
    """
    text = str(error)
    if not isinstance(error, RegistrationRefused):
        return text
    text = f"the server refuses: {text}"
    if error.code == Refusal.BAD_PASSWORD:
        text += f"; {password}"
    if came_back and error.code in FINAL:
        text += ". That game is no longer saved"
    elif came_back:
        text += ". The game stays saved: try again later"
    return text
