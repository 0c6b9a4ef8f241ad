"""Limits on the unfinished tables of a network, and the choice of the one to give way. No clock.

A table counts for the network that it was opened from, but not while two people are connected to
it: many homes can share one address, and people who play together are no flood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, Protocol, TypeVar

from .networks import PerNetwork, networks_of

FIRST_TABLES = 4
"""Tables of a network that never have to give way to others."""
_SHARED = 2
_MOST_WIDTHS = 3


class OpenTable(Protocol):
    """A table that is forming or playing."""

    @property
    def opener(self) -> str:
        """The network that the table was opened from; empty if it is not known."""

    @property
    def client_count(self) -> int:
        """The people who are connected."""


class PlayingTable(OpenTable, Protocol):
    """A table that plays."""

    @property
    def game_number(self) -> int:
        """A later game has a higher one."""

    @property
    def paused_at(self) -> float | None:
        """The time since which nobody is connected; None if somebody is."""


TableT = TypeVar("TableT", bound=PlayingTable)
ItemT = TypeVar("ItemT")
OpenT = TypeVar("OpenT", bound=OpenTable)


class TablesByNetwork(Generic[OpenT]):
    """Tables by the widest network that they were opened from, so that nobody looks at all."""

    def __init__(self) -> None:
        self._tables: dict[str, dict[int, OpenT]] = {}

    def add(self, game_number: int, table: OpenT) -> None:
        self._tables.setdefault(networks_of(table.opener)[-1], {})[game_number] = table

    def remove(self, game_number: int, opener: str) -> None:
        widest = networks_of(opener)[-1]
        tables = self._tables.get(widest, {})
        if tables.pop(game_number, None) is not None and not tables:
            del self._tables[widest]

    def around(self, opener: str) -> Iterable[OpenT]:
        """Give the tables whose widest network is that of an address."""
        return self._tables.get(networks_of(opener)[-1], {}).values()


def counts_for_opener(table: OpenTable) -> bool:
    return bool(table.opener) and table.client_count < _SHARED


def full_network(opener: str, tables: Iterable[OpenTable], limits: PerNetwork) -> str | None:
    """Return a network of an address that has all the unfinished tables that it may have, or
    None.
    """
    mine = networks_of(opener)
    allowed = limits.of(mine)
    if not any(allowed):
        return None
    counts = [0] * len(mine)
    for table in tables:
        theirs = networks_of(table.opener)
        # Most tables are of somebody else altogether, and cost no more than this.
        if theirs[-1] == mine[-1] and counts_for_opener(table):
            for width, network in enumerate(mine):
                counts[width] += network == theirs[width]
    for network, count, limit in zip(mine, counts, allowed, strict=True):
        if limit and count >= limit:
            return network
    return None


def gives_way(tables: Sequence[TableT], latest: float) -> TableT | None:
    """Choose the table that ends first to make room; None if there is none.

    Nobody has been connected to it since ``latest``, and it is not among the first FIRST_TABLES of
    its network. Of such tables it is the one of the largest network that was left longest ago.
    """
    opened = Counter(table.opener for table in tables)
    if not opened or max(opened.values()) <= FIRST_TABLES:
        return None
    of_network: dict[str, list[TableT]] = {}
    for table in sorted(tables, key=lambda table: table.game_number):
        if opened[table.opener] > FIRST_TABLES and counts_for_opener(table):
            of_network.setdefault(table.opener, []).append(table)
    for found in sorted(of_network.values(), key=len, reverse=True):
        left = [
            (table.paused_at, table.game_number, table)
            for table in found[FIRST_TABLES:]
            if table.paused_at is not None and table.paused_at <= latest
        ]
        if left:
            *_, longest = min(left)
            return longest
    return None


def in_turn(items: Iterable[ItemT], opener: Callable[[ItemT], str]) -> list[ItemT]:
    """Return the items of each network in turn: the first one of each, then the second ones."""
    ordered = list(items)
    # Within a wide network its narrow ones have come in turn already, and stay so.
    for width in range(_MOST_WIDTHS):
        seen: Counter[str] = Counter()
        ranked = []
        for item in ordered:
            networks = networks_of(opener(item))
            network = networks[min(width, len(networks) - 1)]
            ranked.append((seen[network], item))
            seen[network] += 1
        ranked.sort(key=lambda pair: pair[0])
        ordered = [item for _, item in ranked]
    return ordered
