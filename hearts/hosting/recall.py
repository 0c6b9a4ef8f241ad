"""Telling a client that comes back what it missed, a little at a time.

A long session is the work of seconds. So it is told a few steps at a time, and between two times
the tables that play get their turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hearts.session.table_words import PlayerInfo
from hearts.table import Question, TableEvent

from .client import HostedClient
from .seats import ClientSeat

STEPS_AT_ONCE = 64
"""Steps that are told at once; a hand has 53 to 57."""


class Recall:
    """What one client is still to be told, over the connection that it came back on."""

    def __init__(
        self,
        client: HostedClient,
        seat: ClientSeat,
        steps: Iterator[Sequence[TableEvent | Question]],
        infos: Sequence[PlayerInfo],
    ) -> None:
        """``infos`` are what the client was told of players 0-3 before."""
        self.client = client
        self.seat = seat
        self.infos = infos
        self._steps = steps
        self.is_over = False
        """Whether the client has been told everything, or is gone."""
        client.recall(seat)

    def tell_some(self) -> None:
        """Tell a few steps."""
        link = self.client.link
        if link.ending:
            self.is_over = True
            return
        for count, missed in enumerate(self._steps, 1):
            for item in missed:
                link.write(self.seat.recall(item))
            # A choice that the next steps decide must not be taken from the client.
            if count >= STEPS_AT_ONCE and not self.seat.owes_recalled_choice:
                break
        else:
            self.is_over = True
        link.flush()
