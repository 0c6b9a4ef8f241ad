"""Gives out seats of a forming table: a free one, or one whose holder does not register.

Somebody who holds a seat and says nothing costs others their company. So their seat is given
to others too after a while, and the first who registers has it (SocketSpec.md section 3.10).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import trio
from msgspec import Struct

from hearts.hosting.client import HostedClient
from hearts.limits.networks import networks_of
from hearts.session.messages import Refusal
from hearts.session.registration import RegistrationEnded

from .forming import FormingTable, Sitter

YIELDS_AFTER = 5.0
"""Seconds after which a seat that waits for a registration is given to others as well."""
SECOND_YIELDS_AFTER = 1.0
"""The same for another network, if the seat is not the first of its network to wait."""
FRIENDS = 4
"""People of one network who may be here unregistered; with more it holds nobody else up."""
TABLES_LOOKED_AT = 16
"""Tables at which it is looked whether a taken seat yields; so a crowd costs the others little."""
_MOST_RIVALS = 12
"""Sitters who may share seats of a table; if there are more, the one who came first has to go."""


def wide_network(client: HostedClient) -> str:
    """The network that counts as one crowd: the widest one that a client lies in."""
    return networks_of(client.who)[-1]


class Registering:
    """The clients that hold a seat of a public table, or wait for one, and have not registered."""

    def __init__(self) -> None:
        # By network, in the order in which they sat down.
        self._seated: dict[str, dict[Sitter, None]] = {}
        self._waiting: Counter[str] = Counter()

    def sits(self, sitter: Sitter) -> None:
        self._seated.setdefault(wide_network(sitter.client), {})[sitter] = None

    def is_done(self, sitter: Sitter) -> None:
        network = wide_network(sitter.client)
        seated = self._seated.get(network, {})
        seated.pop(sitter, None)
        if not seated:
            self._seated.pop(network, None)

    @contextmanager
    def waits(self, network: str) -> Iterator[None]:
        """Somebody of a network waits for a seat in this block."""
        self._waiting[network] += 1
        try:
            yield
        finally:
            self._waiting[network] -= 1
            if not self._waiting[network]:
                del self._waiting[network]

    def is_crowd(self, network: str) -> bool:
        """True if more people of a network are here unregistered than friends would be."""
        return len(self._seated.get(network, ())) + self._waiting[network] > FRIENDS

    def in_the_way(self, holder: Sitter, network: str) -> float:
        """Until when somebody who holds a seat keeps it from others of a network."""
        own = wide_network(holder.client)
        if own == network:
            return holder.since + YIELDS_AFTER
        if self.is_crowd(own):
            return holder.since
        is_first = holder is next(iter(self._seated.get(own, ())), None)
        return holder.since + (YIELDS_AFTER if is_first else SECOND_YIELDS_AFTER)


class Seating(Struct, frozen=True):
    """Gives seats of forming tables, and takes them away."""

    registering: Registering

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
            self.registering.sits(sitter)
        return sitter

    def evict(self, sitter: Sitter, why: str) -> None:
        sitter.evicted = RegistrationEnded(Refusal.TABLE_TAKEN, why)
        self.registering.is_done(sitter)

    def yields_at(self, table: FormingTable, player: int, network: str) -> float:
        """Tell when a newcomer of a network is given a seat that is taken; ``inf`` for never."""
        return table.yields_at(player, lambda holder: self.registering.in_the_way(holder, network))
