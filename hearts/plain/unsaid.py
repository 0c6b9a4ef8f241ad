"""What the plain dialect has no words for.

A table says the same to the seats of all dialects. What a plain client cannot be told is no bytes.
"""

from __future__ import annotations

from hearts.errors import LocalProtocolError
from hearts.game.events import HandBegun
from hearts.table import (
    AbortProposed,
    AbortRefused,
    CutSettled,
    DealDisclosed,
    DealPromised,
    HandAborted,
    RestClaimed,
    RulesAgreed,
    RulesProposed,
    RulesRefused,
    SeatKept,
    SeatWanted,
)
from hearts.table.inputs import Wish

UnsaidEvent = (
    HandBegun
    | DealPromised
    | CutSettled
    | DealDisclosed
    | RestClaimed
    | RulesProposed
    | RulesAgreed
    | RulesRefused
    | SeatWanted
    | SeatKept
    | AbortProposed
    | AbortRefused
    | HandAborted
)
"""Events of a table that no plain client is told."""


class Unsaid:
    """The side of a plain seat that says nothing."""

    __slots__ = ()

    has_words = False
    """Whether the dialect has words for more than the game."""
    follows = False
    idle = pieces = 0
    """A client can send little more than what it owes, so nothing needs to be counted."""

    def leave_unsaid(self, event: UnsaidEvent) -> bytes:
        """Nobody hears of it."""
        return b""

    def take_replies(self) -> bytes:
        """Nothing is answered at once."""
        return b""

    def take_requests(self) -> tuple[()]:
        """Nobody asks for anything."""
        return ()

    def decline_request(self, request: object, fault: object) -> bytes:
        """Nobody asks for anything."""
        return b""

    def say(self, message: object) -> bytes:
        """There is no such message."""
        return b""

    def ask_for_host(self, query: object) -> bytes:
        """Nobody can be asked."""
        return b""

    def settle_for_host(self, query: object) -> None:
        """Nobody was asked."""

    def granted(self, wish: object) -> bytes:
        """Nobody can wish for anything."""
        return b""

    def share(self, public: object) -> None:
        """What everybody sees is not kept: each event is said by itself."""

    def stand(self, standing: object) -> None:
        """Where the players stand is told with the Scores alone."""

    def replay(self, begins: bool) -> bytes:
        """The past is not marked; what a client owes for it tells it apart."""
        return b""

    def forming(self, infos: object, open_seats: int, waited_ms: int, left_ms: int) -> bytes:
        """Nobody hears of a table before it begins."""
        return b""

    def change(self, change: object, info: object) -> bytes:
        """Nobody hears of a seat; the chat tells of it."""
        return b""

    def waiting(self, state: object, players: int, waited_ms: int, left_ms: int) -> bytes:
        """Nobody hears whom the table waits for."""
        return b""

    def decline(self, declined: object) -> bytes:
        """Nobody can wish for anything."""
        return b""

    def notice(self, text: str) -> bytes:
        """The chat tells it."""
        return b""

    def abort(self, later: bool, why: str) -> bytes:
        """The connection ends, and that is all."""
        return b""

    def refused(self, code: int, why: str) -> bytes:
        """A refusal is said in the words of the registration."""
        return b""


class UnsaidByClient:
    """The side of a plain client's session that cannot be said."""

    has_words = False
    """Whether the dialect has words for more than the game."""
    owes_cut = False
    """The dialect has no words for cuts."""

    def show_cut(self) -> None:
        """Raise LocalProtocolError, for no cut is ever owed."""
        raise LocalProtocolError("the plain dialect has no words for cuts")

    def vote(self, agreed: bool) -> None:
        """Raises LocalProtocolError: nobody asks for it in this dialect."""
        raise LocalProtocolError("no rules are proposed in the plain dialect")

    def give_seat(self, agreed: bool) -> None:
        """Raises LocalProtocolError: nobody asks for it in this dialect."""
        raise LocalProtocolError("nobody is asked for a seat in the plain dialect")

    def answer_invitation(self, agreed: bool) -> None:
        """Raises LocalProtocolError: nobody is invited in this dialect."""
        raise LocalProtocolError("nobody is invited in the plain dialect")

    def request(self, request: object) -> None:
        """The plain dialect has no requests. Raises LocalProtocolError."""
        raise LocalProtocolError("the plain dialect has no word for that")

    def wish(self, wish: Wish) -> None:
        """Raises LocalProtocolError: this dialect has no words for it."""
        raise LocalProtocolError("the plain dialect has no words for that; use the dealer dialect")
