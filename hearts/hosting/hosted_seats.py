"""The four seats of a hosted table, as they change: the news of it, and the acts of the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hearts.session.table_words import Introduced, still_program
from hearts.table.effects import Change
from hearts.table.inputs import Input
from hearts.table.seat import Kind
from hearts.table.table import Table

from .ports import Log
from .rejoin import Rejoin
from .seated_clients import SeatedClients, Told
from .table_chat import TableChat
from .watchers import Watchers


class HostedSeats:
    """Tells everybody at a table of the change of a seat, and changes seats for the host."""

    def __init__(
        self,
        table: Table,
        clients: SeatedClients,
        watchers: Watchers,
        rejoin: Rejoin,
        chat: TableChat,
        log: Log,
    ) -> None:
        self._table = table
        self._clients = clients
        self._watchers = watchers
        self._rejoin = rejoin
        self._chat = chat
        self._log = log
        self.held: Callable[[int], None] = lambda player: None
        """Called when a person has a seat at the begin, takes one or comes back to it."""
        self._removing: dict[int, list[Callable[[], None]]] = {}
        """The functions to call when the removal of a player is durable, by player."""

    def introduce(self, introduced: Introduced, now: float) -> Input:
        """Take the words of a client about its player; return the input that the table needs."""
        player = introduced.player
        client = self._clients.client(player)
        assert client is not None
        client.introduced = still_program(client.introduced, introduced.said)
        self._clients.meet(player, client)
        self.changed(player, Change.INTRODUCED, now)
        able = client.ability
        assert able is not None
        return able

    def changed(self, player: int, change: Change, now: float) -> None:
        """Tell the clients concerned, at once or later, that something has happened to a seat."""
        news = self._clients.news
        if change in (Change.COMPUTER, Change.TAKEN):
            self._notify(news.settle(player))
            made = self._table.past.seat_changes[player]
            self._clients.change_seat(player, made.name, made.kind, made.process_id)
            self._chat.seat_changed(player)
            self._rejoin.give_away(player)
            # The seat may have been given up before the host took it.
            self._notify_removed(player)
            if change is Change.TAKEN:
                self._rejoin.seat_newcomer(player)
        elif change is Change.LEFT:
            name = self._clients.names[player]
            self._log.info("left", game=self._rejoin.game_number, player=player, name=name)
        info = self._clients.info(player)
        self._notify(news.happened(info, change, now))
        if change in (Change.TAKEN, Change.BACK):
            self.held(player)

    def send_due(self, now: float) -> None:
        self._notify(self._clients.news.take(now))

    def _notify(self, told: Sequence[Told]) -> None:
        for change, info in told:
            self._clients.changed(change, info)
            self._watchers.changed(change, info)

    def remove(
        self, player: int, removed: Callable[[], None] = lambda: None, why: str = ""
    ) -> bool:
        """Take a player (0-3) from the table for good; True if a person had the seat.

        They hear ``why``, or that the host has removed them.
        They are gone, and ``removed`` is called, when that is durable. Then a stand-in plays for
        them until the hand is over, and after that the seat is a computer's.
        """
        seat = self._table.seats[player]
        if self._rejoin.is_closed or seat.kind is not Kind.CLIENT or seat.is_removed:
            return False
        waiting = self._removing.setdefault(player, [])
        waiting.append(removed)
        if len(waiting) == 1:
            self._rejoin.remove(player, why)
        return True

    def removed(self, player: int) -> None:
        name = self._clients.names[player]
        self._log.info("removed", game=self._rejoin.game_number, player=player, name=name)
        self._rejoin.shut_out(player)
        self._chat.shut_out(player)
        self._notify_removed(player)

    def _notify_removed(self, player: int) -> None:
        for removed in self._removing.pop(player, ()):
            removed()

    def mute(self, player: int, *, muted: bool, why: str = "") -> bool:
        """Mute a player in the chat, or unmute them; they hear until when, and ``why``.

        True if a person has the seat; otherwise nothing is done.
        """
        seat = self._clients.seats[player]
        if self._rejoin.is_closed or seat.kind is not Kind.CLIENT:
            return False
        self._chat.mute(player, seat.process_id, muted=muted, why=why)
        return True
