"""The server's side of the client's seat, which says more or other things where a script wants."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import cycle

from hearts.dealer.numbers import DealerState, MessageType, PlayerKind, Presence
from hearts.dealer.seat import DealerSeat, Introduced
from hearts.dealer.structures import PlayerInfo
from hearts.errors import Reason
from hearts.table import Change, DealDisclosed, Kind, Question, TableEvent
from hearts.table.seat import Seat

from .script import DealerScript, Extra

_UNKNOWN_TYPES = (250, 0, 136, -7, 2**31 - 1, 99)
_UNKNOWN_SIZES = (4096, 0, 3, 64)
_LATER_FIELDS = bytes.fromhex("00000001 0000000261 00 ffffffff 2a")
"""What a later version may add to a payload."""
_PLAUSIBLE = {Question.CARD: Reason.FOLLOW_SUIT}
"""The reason that is given for a legal choice; -1 for the others."""


@dataclass(frozen=True, slots=True)
class Query:
    """The header that an answer has to show."""

    type: int
    number: int


class KitSeat(DealerSeat):
    """The seat of the client under test."""

    def __init__(self, player: int, script: DealerScript) -> None:
        super().__init__(player)
        self._script = script
        self._unknown = cycle(_UNKNOWN_TYPES)
        self._sizes = cycle(_UNKNOWN_SIZES)

    @property
    def sequence(self) -> int:
        """That of the latest frame."""
        return self._sequence

    def query(self, question: Question) -> Query:
        """The open query for a choice."""
        query = self._queries.find(question)
        assert query is not None
        return Query(query.type, query.number)

    def tell(self, event: TableEvent) -> bytes:
        """The bytes of an event."""
        if self._script.wrong_proof and isinstance(event, DealDisclosed):
            event = replace(event, secret=bytes(byte ^ 1 for byte in event.secret))
        return super().tell(event)

    def refuse_legal(self, question: Question) -> bytes:
        """Say of an answer that is legal that it is not; its query is open again."""
        query = self._queries.find(question)
        assert query is not None
        query.meaningless = question is Question.MOON
        return self.refuse(_PLAUSIBLE.get(question, Reason.NOT_HELD))

    def asides(self, question: Question, others: Sequence[PlayerInfo]) -> bytes:
        """What may come while the client is asked."""
        player = self.player
        state = {
            Question.PASS: DealerState.passing(player),
            Question.CARD: DealerState.playing(player),
            Question.MOON: DealerState.SUMMING_HAND,
            Question.AGAIN: DealerState.SUMMING_GAME,
            Question.CUT: DealerState.SHUFFLING,
        }[question]
        other = others[(player + 1) % 4]
        gone = replace(other, presence=Presence.AWAY)
        return b"".join(
            (
                self.waiting(state, 1 << player, 1000, 50_000),
                self.change(Change.LEFT, gone),
                self.notice("The conformance kit plays on."),
                self.change(Change.BACK, other),
                self.waiting(state, 1 << player, 6000, 45_000),
            )
        )

    def _frame(self, type: int, payload: bytes) -> bytes:
        match self._script.extra:
            case Extra.UNKNOWN:
                frame = super()._frame(type, payload)
                return frame + super()._frame(next(self._unknown), bytes(next(self._sizes)))
            case Extra.LONGER if type != MessageType.PONG:
                return super()._frame(type, payload + _LATER_FIELDS)
            case _:
                return super()._frame(type, payload)


def people(
    seats: Iterable[Seat], me: int, said: Introduced | None, *, forming: bool = False
) -> list[PlayerInfo]:
    """Who sits at the table; nobody but the client while it is forming."""
    found = []
    for player, seat in enumerate(seats):
        if player == me and said is not None:
            info = PlayerInfo(player, said.kind, said.level, name=seat.name, comment=said.comment)
        elif forming and player != me:
            info = PlayerInfo(player, PlayerKind.FREE, presence=Presence.AWAY)
        else:
            kind = PlayerKind.CPU if seat.kind is Kind.COMPUTER else PlayerKind.EXTERNAL_NETWORK
            info = PlayerInfo(player, kind, name=seat.name)
        found.append(info)
    return found
