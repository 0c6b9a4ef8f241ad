"""The reach of bans and mutes: the people whom they meet, wherever these sit."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import trio

from hearts.hosting.hosted_table import HostedTable
from hearts.table.seat import Kind
from hearts_server.lobby.sessions import Sessions

from .book import Book, Measure, MeasureKind, keys_of

_LOOK_EVERY = 10.0
"""Seconds between two looks for mutes that are over."""


class Reach:
    """Lets bans and mutes count at all tables that play, also for those who sit down later."""

    def __init__(self, book: Book, sessions: Sessions) -> None:
        self._book = book
        self._sessions = sessions
        sessions.added = self._added

    def _added(self, host: HostedTable) -> None:
        host.seats.held = partial(self._held, host)

    def _held(self, host: HostedTable, player: int) -> None:
        """Look at somebody who has, takes or comes back to a seat."""
        seat = host.clients.seats[player]
        if seat.kind is not Kind.CLIENT:
            return
        if ban := self._book.find(MeasureKind.BAN, seat.network, seat.name):
            host.seats.remove(player, why=ban.text)
        elif mute := self._book.find(MeasureKind.MUTE, seat.network, seat.name):
            host.seats.mute(player, muted=True, why=mute.end)

    def look_again(self, lifted: Iterable[Measure] = ()) -> None:
        """Let the book count as it is now, after some of its measures were lifted or ended."""
        over = {each.key for each in lifted}
        for host in self._sessions.running:
            for player, seat in enumerate(host.clients.seats):
                if not over.isdisjoint(keys_of(MeasureKind.MUTE, seat.network, seat.name)):
                    host.seats.mute(player, muted=False)
                self._held(host, player)

    async def run(self) -> None:
        """Let those speak again whose mutes are over, until cancelled."""
        while True:
            await trio.sleep(_LOOK_EVERY)
            if over := self._book.take_over():
                self.look_again(over)
