"""A client: its connection, and the seat it plays once its table has begun."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from hearts.credentials import SeatCredentials
from hearts.errors import RemoteProtocolError
from hearts.net import Link
from hearts.plain.messages import Refusal
from hearts.plain.registration import Refused, Registration
from hearts.plain.seat import EARLY_LIMIT, PlainSeat
from hearts.table import CaughtUp, Input, Left

log = logging.getLogger(__name__)


class Client:
    """One connection, from its registration to its end.

    A fault of the client ends its connection and reaches nobody else: its table only hears that
    it has left.
    """

    __slots__ = ("_early", "_give", "link", "registration", "seat", "who")

    def __init__(self, link: Link, who: str) -> None:
        """``who`` names the connection in the log."""
        self.link = link
        self.who = who
        self.registration = Registration()
        self.seat: PlainSeat
        """The seat in play; there is none before :meth:`attach`."""
        self._give: Callable[[Input], None] | None = None
        self._early = b""

    def attach(
        self,
        give: Callable[[Input], None],
        seat: PlainSeat,
        credentials: SeatCredentials,
        names: Sequence[str],
    ) -> None:
        """The client's table begins: answer its Process ID; its choices go to ``give``."""
        self.seat = seat
        self._give = give
        self.link.write(seat.welcome(credentials, names))
        seat.early, self._early = self._early, b""

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
        log.info("refused who=%s code=%d why=%r", self.who, refused.refusal, str(refused))
        self.link.write(self.registration.refuse(refused))
        self.link.end()

    def drop(self, why: str) -> None:
        """End the connection for a fault of the client."""
        log.info("dropped who=%s why=%r", self.who, why)
        self.link.end()
        self.left()

    def finish(self) -> None:
        """End the connection because the session is over."""
        self._give = None
        self.link.end()

    def left(self) -> None:
        """The connection has ended: tell the table, if there is one."""
        if self._give is not None:
            give, self._give = self._give, None
            give(Left(self.seat.player))
