"""The client's connection as its table knows it: what it is told is kept until the kit says it."""

from __future__ import annotations

from typing import Protocol

from hearts.errors import Reason
from hearts.hosting.ports import ClientSeat
from hearts.table.effects import Ask, TableEvent

Cause = TableEvent | Ask | Reason
"""The origin of bytes for the client: an event, a question, or a refusal."""


class KeptLink:
    """Keeps what a seat says, message by message, with what it comes from."""

    backlog = 0

    def __init__(self) -> None:
        self.ending = False
        self._said: list[tuple[Cause | None, bytes]] = []

    def keep(self, cause: Cause, data: bytes) -> bytes:
        """Keep bytes that come from something in the game; what is left to be written: nothing."""
        self._said.append((cause, data))
        return b""

    def take(self) -> list[tuple[Cause | None, bytes]]:
        """Give what was kept since the last time, in order."""
        said, self._said = self._said, []
        return said

    # What a table wants of a connection

    def write(self, data: bytes) -> None:
        if data:
            self._said.append((None, data))

    def catch_up(self) -> bytes:
        return b""

    def allow(self, size: int) -> None:
        """Do nothing: any number of bytes may wait for the kit."""

    def flush(self) -> None:
        """Do nothing: the kit itself sends what is kept."""

    def rest(self, *, talks: bool) -> None:
        """Do nothing: the kit reads whatever comes."""

    quick_ack = end = flush


class KeptSeat(ClientSeat, Protocol):
    link: KeptLink
