"""Who gets which seat of a forming table: a free one, or one whose holder does not register."""

from __future__ import annotations

from collections.abc import Sequence

import trio

from hearts.hosting.client import HostedClient
from hearts.session.messages import Refusal
from hearts.session.registration import RegistrationEnded

from .forming import FormingTable, Sitter
from .registering import Registering, wide_network

TABLES_LOOKED_AT = 16
"""Tables at which it is looked whether a taken seat yields; so a crowd costs the others little."""
_MOST_RIVALS = 12
"""Those who share seats of a table; beyond that the one who came first has to go."""


class Seating:
    """Gives seats of forming tables, and takes them away."""

    __slots__ = ("_registering",)

    def __init__(self, registering: Registering) -> None:
        self._registering = registering

    def seat_at(self, tables: Sequence[FormingTable], client: HostedClient) -> Sitter | None:
        """A seat at the first of these tables that has a free one, or else one that yields."""
        for table in tables:
            free = table.free_seats
            if free:
                return self.sit(client, table, free[0])
        now, network = trio.current_time(), wide_network(client)
        for table in tables[:TABLES_LOOKED_AT]:
            for player in range(4):
                if self.yields_at(table, player, network) <= now:
                    return self.sit(client, table, player)
        return None

    def sit(self, client: HostedClient, table: FormingTable, player: int) -> Sitter:
        """Give a client a seat, or a share of one that another holds unregistered."""
        sitter = Sitter(client, table, player, trio.current_time())
        if table.sitters[player] is None:
            table.sitters[player] = sitter
        else:
            if len(table.rivals) == _MOST_RIVALS:
                self.evict(table.rivals.pop(0), "others wait for the seat too; connect again")
            table.rivals.append(sitter)
        if not table.private:
            self._registering.sits(sitter)
        return sitter

    def evict(self, sitter: Sitter, why: str) -> None:
        """Take a seat away; why is told in place of the next reply."""
        sitter.evicted = RegistrationEnded(Refusal.TABLE_TAKEN, why)
        self._registering.is_done(sitter)

    def yields_at(self, table: FormingTable, player: int, network: str) -> float:
        """When a newcomer of a network is given a seat that is taken; ``inf`` for never."""
        return table.yields_at(player, lambda holder: self._registering.in_the_way(holder, network))
