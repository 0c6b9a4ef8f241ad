"""How many tables there may be: on the whole server, and of one network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from hearts.limits import PerNetwork, full_network
from hearts.limits.tables import OpenTable
from hearts.session.messages import Refusal
from hearts.session.registration import RegistrationEnded

from .named_tables import NamedTables


class TableLimits:
    """Says whether one more table may be opened."""

    def __init__(
        self,
        make_room: Callable[[], bool],
        max_tables: int,
        tables_per_network: PerNetwork,
        tables: NamedTables,
    ) -> None:
        """``make_room`` ends a table that nobody plays at, and says whether there was one."""
        self._make_room = make_room
        self._max_tables = max_tables
        self._tables_per_network = tables_per_network
        self._tables = tables
        self.closed = ""
        """Why no new table begins; "" if one may."""

    @property
    def table_count(self) -> int:
        """Tables that count towards the limit. One whose player 0 is still registering does not:
        after a restart most of these are of players who are about to come back to their own."""
        # What ends has made room already, though nobody has heard of it yet.
        playing = sum(not host.is_closed for host in self._tables.playing.values())
        forming = sum(table.opened for table in self._tables.forming.values())
        return playing + self._tables.awaited.count + forming

    def check_room(self) -> None:
        """Raises RegistrationEnded if the server has no room for one more table."""
        if self.closed:
            raise RegistrationEnded(Refusal.SERVER_FULL, self.closed)
        if self.table_count >= self._max_tables and not self._make_room():
            raise RegistrationEnded(Refusal.SERVER_FULL)

    def check_network(self, opener: str) -> None:
        """Raises RegistrationEnded if the network of an opener has as many as it may."""
        full = full_network(opener, self._unfinished(), self._tables_per_network)
        if full is not None:
            why = f"{full} has opened as many tables as one network may; finish or join one"
            raise RegistrationEnded(Refusal.SERVER_FULL, why)

    def _unfinished(self) -> Iterator[OpenTable]:
        forming = (table for table in self._tables.forming.values() if table.opened)
        return chain(forming, self._tables.playing.values(), self._tables.awaited.tables)
