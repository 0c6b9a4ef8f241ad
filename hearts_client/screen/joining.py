"""Sitting down at tables: alone, at a server, at a seat that was left, or beside one to watch."""

from __future__ import annotations

from msgspec.structs import replace

from hearts.session.client_events import TableLooked, TablesListed
from hearts.session.messages import Options
from hearts_client.library.dialects import Dialect
from hearts_client.library.reach import where
from hearts_client.screen.input.ui import waiting
from hearts_client.screen.table.seat_session import SeatSession
from hearts_client.screen.table.table_page import Leaving
from hearts_client.screen.table.watch_session import watch_table
from hearts_client.session.saved import SavedSession
from hearts_client.session.visit import Computers, Guest, TableVisit, alone

from .shared import Shared
from .wish import Join, PlayAlone

_THREE_COMPUTERS = frozenset({1, 2, 3})


class Joining:
    """The ways to a table; each of them ends when the person is done there.

    They raise HeartsErrors, in groups, if a table cannot be reached or ends in a fault.
    """

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._ui = shared.ui

    async def tables(self, guest: Guest, first: str = "") -> TablesListed | None:
        """Ask for the public tables of a server; None if the person does not wait for them.

        ``first`` is the table to know most of.
        """
        with waiting(self._ui, f"Asking {where(guest.host, guest.port)} for its tables..."):
            return await guest.tables(first)
        return None

    async def look(self, wish: Join) -> TableLooked | None:
        """Ask what the table of a wish is; None if the person does not wait for it."""
        guest = wish.guest
        with waiting(self._ui, f"Asking {where(guest.host, guest.port)} for the table..."):
            return await guest.look(wish.table)
        return None

    async def watch(self, guest: Guest, game_number: int) -> None:
        """Watch a table that plays."""
        with waiting(self._ui, f"Going to game {game_number}..."):
            async with guest.watch(game_number) as watcher:
                await watch_table(self._shared, watcher)

    async def play_alone(self, wish: PlayAlone) -> str:
        """Play against three computers; give the deal that is wanted again, or nothing."""
        place = alone(self._shared.profile.dialect or Dialect.DEALER)
        options = Options(_THREE_COMPUTERS, wish.rules, wish.end_score)
        return await self._play(TableVisit(place, wish.name, options=options, deal=wish.deal))

    async def join(self, wish: Join) -> str:
        """Play at a server; give the deal that is wanted again, or nothing."""
        guest = wish.guest
        dialect = self._shared.profile.dialect or Dialect.DEALER
        visit = TableVisit(
            guest.place(dialect), guest.name, wish.table, wish.options, guest.password
        )
        return await self._play(visit, waits=wish.waits)

    async def resume(self, saved: SavedSession) -> str:
        """Come back to a seat; give the deal that is wanted again, or nothing."""
        place, progress = saved.place, saved.progress
        if self._shared.profile.dialect is not None:
            place = replace(place, dialect=self._shared.profile.dialect)
        return await self._play(TableVisit(place, progress.names[progress.player], saved=saved))

    async def _play(self, visit: TableVisit, *, waits: bool = False) -> str:
        place, settings = visit.place, self._shared.theme.settings
        doing, level = f"Connecting to {where(place.host, place.port)}...", ""
        if place.solo:
            doing, level = "The computers sit down...", settings.level
            # The page makes the pauses, so that a hand can be finished at once.
            computers = Computers(self._shared.profile.turn_limit, 0, level, settings.computers)
            visit = replace(visit, computers=computers)
        with waiting(self._ui, doing) as page:
            async with visit.seat(self._shared.profile.places.sessions) as seat:
                session = SeatSession(self._shared, seat, deal=visit.deal, waits=waits, level=level)
                leaving = await session.play()
                if place.solo:
                    page.say("The computers stand up...")
                return session.again if leaving is Leaving.AGAIN else ""
        return ""
