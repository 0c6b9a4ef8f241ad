"""What a fault of the client is put down to, and what its next right answer shows."""

from __future__ import annotations

from collections.abc import Callable

from hearts_conformance.checks import Check, ClientFault, Marks
from hearts_conformance.session import checks as shared
from hearts_conformance.session.doubts import Doubts

from . import checks


class Suspicion:
    """Remembers what was done to the client last, which is to blame if it goes wrong now."""

    def __init__(self, marks: Marks, doubts: Doubts, own: Callable[[], Check | None]) -> None:
        """``own`` is what fails where something goes wrong that went right in earlier scripts."""
        self._marks = marks
        self._own = own
        self._doubts = doubts
        self._faults = marks.played[-1].faults
        self._why: Check | None = None
        self._proving: list[Check] = []

    def turn_to(self, check: Check, *, proves: bool = True) -> None:
        """This is to blame from now on; ``proves`` says that the next right answer shows it."""
        self._why = check
        if proves:
            self._proving.append(check)

    def clear(self) -> None:
        """The client has gone on as it should."""
        for check in self._proving:
            self._marks.show(check)
        self._proving.clear()
        self._why = None

    def hung_up(self, check: Check, came: str) -> ClientFault:
        """The fault of a client that has ended the connection where this was due.

        It is a fault of its own, unless it is the first one, and something has led to it.
        """
        self._doubts.settle()
        if self._marks.played[-1].faults == self._faults:
            fault = self.fault(check, came)
            if self._why or fault.check is not check or check in checks.RETRIES.values():
                return fault
        return ClientFault(shared.STAYS, f"{came}: {check.asks}")

    def fault(self, check: Check, came: str) -> ClientFault:
        """A check has failed, or what it is put down to."""
        self._doubts.settle()
        marks = self._marks
        why = None if marks[check].failed else self._why
        if why is None:
            # A client that is wrong about its hand comes to an end of its choices somewhere.
            why = marks.first_failed([checks.LOST, checks.TAKEN, checks.LEGAL])
        if why is None and marks[check].shown and not marks[check].failed:
            why = self._own()
        return (
            ClientFault(check, came) if why is None else ClientFault(why, f"{check.asks}: {came}")
        )
