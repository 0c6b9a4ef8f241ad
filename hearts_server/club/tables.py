"""All tables that play in a club of nodes, as one of the nodes knows them; no input or output.

Names, limits, the list and game numbers go by it where this node is the lobby. So a table is
forgotten only when the database says that its session has ended, whoever says so before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import inf

from msgspec import Struct

from hearts.hosting.store import Session
from hearts.limits import gives_way
from hearts_server.lobby.known_tables import (
    KnownForming,
    KnownInvitable,
    KnownTable,
    known_session,
)

from .news import News

UNTOLD_LIMIT = 5.0
"""Seconds after which a table that its owner has not told of is looked for."""
FRESH = 2.0
"""Seconds for which news say that a node takes tables."""
UNEVEN = 4
"""Tables, beside a quarter, that a node may have above the least busy one and still get another.
So much comes about by chance if people reach all nodes alike, and then hardly a table has to be
where none of them has come. If all of them reach one node, the others still get their part."""


class _Placed(Struct):
    """A table, and who has it."""

    table: KnownTable
    life: int
    since: float
    """The time at which it got there; ``inf`` until its session is stored for certain."""
    is_told: bool
    """Whether that life has told of it, and not that it has it no more."""
    is_gone: bool = False
    """Whether it has told that: nobody is to be led there, but its name is not free yet."""
    paused_at: float | None = None
    """Since when that life tells of nobody who is connected."""
    gives_way: bool = False
    """Whether it is to end to make room."""

    @property
    def game_number(self) -> int:
        return self.table.game_number

    @property
    def opener(self) -> str:
        return self.table.opener

    @property
    def client_count(self) -> int:
        return self.table.client_count


class _Heard(Struct, frozen=True):
    """The last news of a node."""

    news: News
    when: float
    is_own: bool


class ClubTables:
    """The tables that play, by game number and by name."""

    def __init__(self) -> None:
        self._placed: dict[int, _Placed] = {}
        self._names: dict[str, int] = {}
        self._heard: dict[int, _Heard] = {}

    def __iter__(self) -> Iterator[KnownTable]:
        return (placed.table for placed in self._placed.values() if not placed.is_gone)

    def __len__(self) -> int:
        """Those that take room."""
        return sum(not (placed.is_gone or placed.gives_way) for placed in self._placed.values())

    def named(self, name: str) -> KnownTable | None:
        """The one of this name."""
        return self.numbered(self._names.get(name, 0))

    def numbered(self, game_number: int) -> KnownTable | None:
        """The one that plays this game."""
        placed = self._placed.get(game_number)
        return None if placed is None else placed.table

    def owner(self, game_number: int) -> int:
        """The life that has a game, as far as it is known; 0 if it is not."""
        placed = self._placed.get(game_number)
        return 0 if placed is None else placed.life

    @property
    def forming(self) -> Sequence[KnownForming]:
        """Tables that form at another node."""
        others = (heard.news for heard in self._heard.values() if not heard.is_own)
        return [table for news in others for table in news.forming]

    @property
    def invitable(self) -> Sequence[KnownInvitable]:
        """Those who wait there to be invited."""
        others = (heard.news for heard in self._heard.values() if not heard.is_own)
        return [invitable for news in others for invitable in news.invitable]

    def has_heard(self, life: int) -> bool:
        """Whether this life has told anything."""
        return life in self._heard

    # What becomes known

    def place(self, session: Session, life: int) -> None:
        """A session begins at a node, if it can be stored."""
        self._put(known_session(session), life, inf, is_told=False)

    def stored(self, game_number: int, now: float) -> None:
        """It is stored."""
        placed = self._placed.get(game_number)
        if placed is not None:
            placed.since = now

    def refused(self, game_number: int) -> None:
        """It cannot be."""
        if game_number in self._placed:
            self._forget(game_number)

    def hear(self, life: int, news: News, now: float, *, is_own: bool = False) -> None:
        """A node tells what it has; ``is_own``: this one."""
        self._heard[life] = _Heard(news, now, is_own)
        for table in news.tables:
            self._put(table, life, now, is_told=True)
        gone = set(news.gone)
        if news.is_whole:
            told = {table.game_number for table in news.tables}
            gone |= {
                number
                for number, placed in self._placed.items()
                if placed.life == life and placed.is_told and number not in told
            }
        for number in gone:
            placed = self._placed.get(number)
            if placed is not None and placed.life == life:
                placed.is_told, placed.is_gone = False, True
                placed.since = now - UNTOLD_LIMIT

    def _put(self, table: KnownTable, life: int, now: float, *, is_told: bool) -> None:
        placed = _Placed(table, life, now, is_told)
        before = self._placed.get(table.game_number)
        if is_told and not table.connected:
            placed.paused_at = now
            if before is not None and before.life == life and before.paused_at is not None:
                placed.paused_at, placed.gives_way = before.paused_at, before.gives_way
        self._placed[table.game_number] = placed
        self._names[table.name] = table.game_number

    def list_all(self, going_on: Iterable[tuple[Session, int]], now: float) -> None:
        """These are all sessions that go on, with the lives that have them."""
        found = list(going_on)
        numbers = {session.game_number for session, _ in found}
        for number in [*self._placed.keys() - numbers]:
            self._forget(number)
        for session, life in found:
            if session.game_number not in self._placed:
                self._put(known_session(session), life, now, is_told=False)

    def doubtful(self, lives: Collection[int], now: float) -> list[int]:
        """The games of which it has to be looked up who has them, if they go on at all."""
        return [
            number
            for number, placed in self._placed.items()
            # What may not be stored yet would be taken for over.
            if placed.since < inf
            and (
                placed.life not in lives
                or (not placed.is_told and now - placed.since >= UNTOLD_LIMIT)
            )
        ]

    def settle(self, asked: Iterable[int], owners: Mapping[int, int]) -> None:
        """Of the games that were looked up, these go on, and those lives have them."""
        for number in asked:
            placed = self._placed.get(number)
            if placed is None:
                continue
            if number not in owners:
                self._forget(number)
            elif owners[number] != placed.life:
                placed.life, placed.is_gone = owners[number], False
                # Its players may be on their way back there.
                placed.paused_at, placed.gives_way = None, False

    def _forget(self, number: int) -> None:
        placed = self._placed.pop(number)
        if self._names.get(placed.table.name) == number:
            del self._names[placed.table.name]

    def forget_others(self, lives: Collection[int]) -> list[int]:
        """Only these lives are live; those that were told of before, and whose tables are others'
        by and by."""
        gone = [life for life in self._heard if life not in lives]
        for life in gone:
            del self._heard[life]
        return gone

    # Making room

    def make_room(self, latest: float) -> bool:
        """Choose a table that is to end, at which nobody plays since then; whether there is one."""
        open_ = [each for each in self._placed.values() if not (each.is_gone or each.gives_way)]
        found = gives_way(open_, latest)
        if found is not None:
            found.gives_way = True
        return found is not None

    @property
    def to_end(self) -> list[int]:
        """The games of the tables that are to end."""
        return [number for number, placed in self._placed.items() if placed.gives_way]

    # Who plays

    def node_for(self, doors: Iterable[int], own: int, now: float) -> int:
        """The node that is to have a table whose people have come by these doors.

        Of the nodes that take tables, and have not many more than the least busy one, it is the one
        by which most have come: what the others have to say need not be carried between nodes.
        The own one if none takes any.
        """
        counts = {
            life: 0
            for life, heard in self._heard.items()
            if heard.news.takes_tables and now - heard.when < FRESH
        }
        for placed in self._placed.values():
            if placed.life in counts:
                counts[placed.life] += 1
        fewest = min(counts.values(), default=0)
        came = Counter(doors)
        # Of several the least busy one, the own one, and then the oldest.
        return min(
            (life for life, count in counts.items() if count <= fewest + fewest // 4 + UNEVEN),
            key=lambda life: (-came[life], counts[life], life != own, life),
            default=own,
        )
