"""Sitting down at tables: alone, at a server, at a seat that was left, or beside one to watch."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from hearts.game.deal import NO_CUTS, parse_deal_text
from hearts.session.client_events import TableLooked, TablesListed
from hearts.session.messages import Options
from hearts.session.resume_token import ResumeToken
from hearts.session.table_words import Introduction, PlayerKind
from hearts_client.commands.solo import LOOPBACK, own_server
from hearts_client.library.client import Client
from hearts_client.library.connecting import connect
from hearts_client.library.dialects import Dialect
from hearts_client.library.reach import where
from hearts_client.library.retries import RETRY_LIMIT
from hearts_client.library.watching import watch
from hearts_client.lines.table_list import listing_of
from hearts_client.lines.table_look import look_of
from hearts_client.session.analyst import Ask
from hearts_client.session.saved import SavedSession, SessionPlace
from hearts_client.session.solo_folders import folder_of, kept, new_name

from .remembered import Remembered
from .seat_session import SeatSession
from .theme import Theme
from .tones import Sound
from .ui import Ui
from .waiting import waiting
from .wanted import Leaving
from .watch_session import watch_table
from .wish import Guest, Join, PlayAlone

_PERSON = Introduction(PlayerKind.PERSON, cuts=True)
_ALONE = Introduction(PlayerKind.PERSON)
"""Whoever plays alone may want a deal of his choice, so he does not cut it."""
_THREE_COMPUTERS = frozenset({1, 2, 3})


class Customs(Struct, frozen=True, gc=False):
    """What is the same at every table of an evening."""

    dialect: Dialect | None
    """What was asked for; None for the dealer dialect, or for that of a game to come back to."""
    sessions: Path | None
    """The folder of games to come back to; None where nothing can be kept."""
    records: Path | None
    """The folder of records; None where nothing can be kept."""
    turn_limit: int
    """For a game alone, in seconds; 0 for none."""


class Visits:
    """Each method ends when the person is done with a table.

    They raise HeartsErrors, in groups, if a table cannot be reached or ends in a fault.
    """

    def __init__(
        self,
        ui: Ui,
        theme: Theme,
        remembered: Remembered,
        customs: Customs,
        ring: Callable[[Sound], None],
        ask: Ask,
    ) -> None:
        """``ring`` lets something be heard, and ``ask`` asks a bot what it thinks of a position."""
        self._ui = ui
        self._ring = ring
        self._ask = ask
        self._theme = theme
        self._remembered = remembered
        self._customs = customs

    async def tables(self, guest: Guest, first: str = "") -> TablesListed | None:
        """The public tables of a server; None if the person does not wait for them.

        ``first`` is the table to know most of.
        """
        with waiting(self._ui, f"Asking {where(guest.host, guest.port)} for its tables..."):
            return await self.ask_tables(guest, first)
        return None

    async def ask_tables(self, guest: Guest, first: str = "") -> TablesListed:
        """The same, and nothing is shown meanwhile."""
        asking = connect(
            guest.host,
            guest.port,
            name=guest.name,
            password=guest.password,
            list_only=True,
            details_first=first,
            tls=guest.tls,
        )
        async with asking as client:
            return await listing_of(client)

    async def look(self, wish: Join) -> TableLooked | None:
        """What the table of a wish is; None if the person does not wait for it."""
        guest = wish.guest
        with waiting(self._ui, f"Asking {where(guest.host, guest.port)} for the table..."):
            looking = connect(
                guest.host,
                guest.port,
                name=guest.name,
                password=guest.password,
                look=wish.table,
                tls=guest.tls,
            )
            async with looking as client:
                return await look_of(client)
        return None

    async def watch(self, guest: Guest, game_number: int) -> None:
        """Watch a table that plays."""
        with waiting(self._ui, f"Going to game {game_number}..."):
            watching = watch(
                guest.host,
                guest.port,
                game_number=game_number,
                name=guest.name,
                password=guest.password,
                tls=guest.tls,
                retry_limit=RETRY_LIMIT,
            )
            async with watching as watcher:
                await watch_table(self._ui, watcher, self._theme, self._remembered, self._ring)

    async def play_alone(self, wish: PlayAlone) -> str:
        """Play against three computers; gives the deal that is wanted again, or nothing."""
        name = new_name() if self._customs.sessions is not None else ""
        dialect = self._customs.dialect or Dialect.DEALER
        return await self._play_here(wish, SessionPlace(LOOPBACK, 0, 0, None, dialect, name), None)

    async def _play_here(
        self, wish: PlayAlone, place: SessionPlace, saved: SavedSession | None
    ) -> str:
        """Play alone, from the beginning or on where it was left."""
        sessions = self._customs.sessions
        folder = folder_of(sessions, place.solo) if sessions and place.solo else None
        settings = self._theme.settings
        session: SeatSession | None = None

        def is_kept() -> bool:
            return saved is not None if session is None else session.is_kept

        with waiting(self._ui, "The computers sit down...") as page:
            server = own_server(
                [wish.deal] if wish.deal else [],
                turn_limit=self._customs.turn_limit,
                bot_pause=0,  # The page makes the pauses, so that a hand can be finished at once.
                names=settings.computers,
                data_dir=folder,
                level=settings.level,
            )
            async with kept(folder, is_kept), server as (port, chat_port):
                place = replace(place, port=port, taunt_port=chat_port)
                async with self._sit_down_alone(wish, place, saved) as client:
                    session = self._session(
                        client,
                        deal=wish.deal,
                        solo=True,
                        place=place,
                        saved=saved,
                        level=settings.level,
                    )
                    leaving = await session.play(place.chat)
                    page.say("The computers stand up...")
                    return session.again if leaving is Leaving.AGAIN else ""
        return ""

    def _sit_down_alone(
        self, wish: PlayAlone, place: SessionPlace, saved: SavedSession | None
    ) -> AbstractAsyncContextManager[Client]:
        return connect(
            place.host,
            place.port,
            name=wish.name,
            options=Options(_THREE_COMPUTERS, wish.rules, wish.end_score),
            retry_limit=0,
            come_back=saved.progress if saved is not None else None,
            dialect=place.dialect,
            introduction=_ALONE,
            first_cuts=parse_deal_text(wish.deal)[1] if wish.deal else NO_CUTS,
        )

    async def join(self, wish: Join) -> str:
        """Play at a server; gives the deal that is wanted again, or nothing."""
        guest = wish.guest
        dialect = self._customs.dialect or Dialect.DEALER
        place = SessionPlace(guest.host, guest.port, guest.taunt_port, guest.tls, dialect)
        return await self._play_at(place, wish, None)

    async def resume(self, saved: SavedSession) -> str:
        """Come back to a seat; gives the deal that is wanted again, or nothing."""
        place, progress = saved.place, saved.progress
        if self._customs.dialect is not None:
            place = replace(place, dialect=self._customs.dialect)
        name = progress.names[progress.player]
        if place.solo:
            return await self._play_here(PlayAlone(name), place, saved)
        return await self._play_at(place, Join(Guest(place.host, place.port, name)), saved)

    async def _play_at(self, place: SessionPlace, wish: Join, saved: SavedSession | None) -> str:
        with waiting(self._ui, f"Connecting to {where(place.host, place.port)}..."):
            come_back = saved.progress if saved is not None else None
            async with self._connect(wish, place, come_back) as client:
                session = self._session(client, place=place, saved=saved, waits=wish.waits)
                leaving = await session.play(place.chat, place.tls)
                return session.again if leaving is Leaving.AGAIN else ""
        return ""

    def _session(
        self,
        client: Client,
        *,
        deal: str = "",
        solo: bool = False,
        place: SessionPlace | None = None,
        saved: SavedSession | None = None,
        waits: bool = False,
        level: str = "",
    ) -> SeatSession:
        return SeatSession(
            self._ui,
            client,
            self._theme,
            self._remembered,
            self._ring,
            deal=deal,
            solo=solo,
            records=self._customs.records,
            sessions=self._customs.sessions,
            place=place,
            saved=saved,
            waits=waits,
            level=level,
            ask=self._ask,
        )

    def _connect(
        self, wish: Join, place: SessionPlace, come_back: ResumeToken | None
    ) -> AbstractAsyncContextManager[Client]:
        return connect(
            place.host,
            place.port,
            name=wish.guest.name,
            table=wish.table,
            options=wish.options,
            password=wish.guest.password,
            tls=place.tls,
            come_back=come_back,
            dialect=place.dialect,
            introduction=_PERSON,
        )
