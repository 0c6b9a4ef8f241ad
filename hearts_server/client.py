"""A client: its connection, and the seat it plays once its table has begun."""

from __future__ import annotations

from collections.abc import Callable

from hearts.errors import RemoteProtocolError
from hearts.logline import EventLog
from hearts.net import Link
from hearts.plain.messages import Refusal
from hearts.plain.registration import Refused, Registration
from hearts.plain.seat import EARLY_LIMIT, PlainSeat
from hearts.table import CaughtUp, Input, Left

from .metrics import ConnectionEnd

log = EventLog(__name__)


class Client:
    """One connection, from its registration to its end.

    A fault of the client ends its connection and reaches nobody else: its table only hears that
    it has left.
    """

    __slots__ = ("_early", "_give", "gone", "link", "outcome", "registration", "seat", "who")

    def __init__(self, link: Link, who: str) -> None:
        """``who`` names the connection in the log."""
        self.link = link
        self.who = who
        self.registration = Registration()
        self.outcome: ConnectionEnd | Refusal = ConnectionEnd.LEFT
        """How the connection ended, as far as it was this side that ended it."""
        self.seat: PlainSeat
        """The seat in play; there is none before :meth:`attach`."""
        self._give: Callable[[Input], None] | None = None
        self._early = b""
        self.gone = False
        """Whether the connection has ended."""

    def attach(self, give: Callable[[Input], None], seat: PlainSeat) -> None:
        """The client has its seat, and its choices go to ``give``."""
        self.seat = seat
        seat.early, self._early = self._early, b""
        if self.gone:
            give(Left(seat.player))
        else:
            self._give = give

    def receive(self, data: bytes) -> None:
        """Take bytes from the connection."""
        give = self._give
        if give is None:
            self._early += data
            if len(self._early) > EARLY_LIMIT:
                self._early = b""
                why = f"more than {EARLY_LIMIT} bytes came before they were due"
                self.refuse(Refused(Refusal.BAD_OPTION, why))
            return
        try:
            inputs = self.seat.receive(data)
        except RemoteProtocolError as error:
            self.drop(str(error))
            return
        for given in inputs:
            give(given)
            if type(given) is CaughtUp:
                self.link.quick_ack()
        if not self.seat.asked:
            self.link.rest()

    def wake(self) -> None:
        """Read on, now that a choice is due; first what came while nothing was."""
        data = self.link.catch_up()
        if data:
            self.receive(data)

    def take_early(self) -> None:
        """Look again at bytes that came before they were due, now that more is due."""
        if self._give is not None:
            self.receive(b"")

    def refuse(self, refused: Refused) -> None:
        """Tell the client that its registration ends here, and end the connection."""
        self.outcome = refused.refusal
        log.info("refused", address=self.who, code=int(refused.refusal), why=str(refused))
        self.link.write(self.registration.refuse(refused))
        self.link.end()

    def drop(self, why: str) -> None:
        """End the connection for a fault of the client."""
        log.info("dropped", address=self.who, why=why)
        self.outcome = ConnectionEnd.PROTOCOL
        self.link.end()
        self.left()

    def finish(self) -> None:
        """End the connection because the session is over."""
        self.outcome = ConnectionEnd.FINISHED
        self._give = None
        self.link.end()

    def left(self) -> None:
        """The connection has ended: tell the table, if there is one."""
        self.gone = True
        if self._give is not None:
            give, self._give = self._give, None
            give(Left(self.seat.player))
