"""What a client was asked over one connection, and what became of it."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from msgspec import Struct

from hearts.errors import Fault
from hearts.table import Question

_CHOICES = tuple(Question)
FATES_KEPT = 256
"""Settled queries that are remembered; an answer to an older one is to none at all."""


class Query(Struct):
    """Something that a client was asked, as long as it is open."""

    type: int
    number: int
    """The sequence of its frame."""
    question: Question | None
    """The choice that is asked for; None if it is not one of the game's."""
    tries: int = 0
    """Answers that were refused."""
    answered: bool = False
    """Whether an answer came and was not refused."""
    meaningless: bool = False
    """Whether the latest answer meant nothing."""


class Queries:
    """The queries that are open, and the fates of the latest that are settled."""

    __slots__ = ("_fates", "_oldest", "_open")

    def __init__(self) -> None:
        self._open: dict[Question | int, Query] = {}
        """At most one for each choice of the game, and for each type that asks for none."""
        self._fates = array("I")
        """Twice the number of each query that is settled, and 1 more if its answer did that. A
        table with four clients would hold 100 kB of dicts and numbers."""
        self._oldest = 0
        """The place of the fate that is forgotten next, once there are enough."""

    def __iter__(self) -> Iterator[Query]:
        return iter(self._open.values())

    def __len__(self) -> int:
        return len(self._open)

    @property
    def has_choice(self) -> bool:
        """True while a query for a choice of the game is open."""
        return not self._open.keys().isdisjoint(_CHOICES)

    def open(self, query: Query) -> None:
        """A query was asked; one of its kind that is still open is settled by that."""
        what = query.type if query.question is None else query.question
        if what in self._open:
            self.settle(what, by_player=False)
        self._open[what] = query

    def find(self, what: Question | int) -> Query | None:
        """The open query for a choice of the game, or of a type that asks for none."""
        return self._open.get(what)

    def settle(self, what: Question | int, *, by_player: bool) -> None:
        """The query is decided, if there is one; ``by_player`` if by its answer."""
        query = self._open.pop(what, None)
        if query is None:
            return
        fate = 2 * query.number + by_player
        if len(self._fates) < FATES_KEPT:
            self._fates.append(fate)
        else:
            self._fates[self._oldest] = fate
            self._oldest = (self._oldest + 1) % FATES_KEPT

    def take(self, number: int, type: int) -> Query | Fault:
        """The query that an answer is to, or why it is to none."""
        for query in self._open.values():
            if query.number == number:
                if query.answered:
                    return Fault.ANSWERED
                return query if query.type == type else Fault.WRONG_TYPE
        if 2 * number + 1 in self._fates:
            return Fault.ANSWERED
        return Fault.TOO_LATE if 2 * number in self._fates else Fault.NOT_ASKED
