"""The conversation with a client, as a run needs it, in whatever dialect."""

from __future__ import annotations

from typing import Protocol

from hearts.hosting.rejoin import Return
from hearts_conformance.checks import Check
from hearts_conformance.line import Line

from .script import Twist


class Dropped(Exception):
    """The connection is to be lost here; :attr:`twist` says how."""

    def __init__(self, twist: Twist) -> None:
        super().__init__(twist.name)
        self.twist = twist


class Talk(Protocol):
    """The conversation with a client that has its seat, over all its connections."""

    @property
    def ended(self) -> bool:
        """Whether the client has been told that the session is over."""
        ...

    def miscount(self, hands: int) -> Check | None:
        """The check that fails if the client says that it has had the Scores of so many hands."""
        ...

    def seat(self, line: Line, provisional: int) -> None:
        """The client has its seat, on this line; it was given another Player ID before."""
        ...

    async def begin(self) -> None:
        """The client has its seat for the first time."""
        ...

    def recall(self, claimed: Return) -> None:
        """The client is back."""
        ...

    async def run(self) -> None:
        """Say what there is to say, until the session is over. Raises ClientFault and Dropped."""
        ...
