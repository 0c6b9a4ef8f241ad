"""The requirement that a fault is put down to: a client out of step fails everywhere after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hearts_conformance.checks import ClientFault, Marks

from .judge import Doubts


class Attribution:
    """Knows what was done to the client last, and what it has got wrong before."""

    def __init__(
        self,
        marks: Marks,
        doubts: Doubts,
        causes: Callable[[str], Iterable[str]],
        own: Callable[[], str],
    ) -> None:
        """``causes`` are the checks that are to blame for a fault if they have failed before.

        ``own`` is what fails where something goes wrong that went right in earlier scripts.
        """
        self._marks = marks
        self._doubts = doubts
        self._causes = causes
        self._own = own
        self._faults = marks.played[-1].faults
        self.why: str | None = None
        """The check that is to blame until the client is seen to be in step."""
        self.proving: list[str] = []
        """The checks that the next right choice shows."""

    def turn_to(self, check: str) -> None:
        """Suspect this check from now on; the next right choice shows it."""
        self.why = check
        self.proving.append(check)

    def prove(self) -> None:
        """Note that the client is in step."""
        for check in self.proving:
            self._marks.show(check)
        self.proving.clear()
        self.why = None

    def fault(self, check: str, came: str) -> ClientFault:
        """Make the fault of this check, or of what has led to it."""
        self._doubts.settle()
        marks = self._marks
        cause = marks.first_failed(self._causes(check))
        if cause is None and not marks[check].failed:
            cause = self.why or (self._own() if marks[check].shown else None)
        if not cause:
            return ClientFault(check, came)
        return ClientFault(cause, f"{marks[check].check.asks}: {came}")

    def hung_up(self, check: str, came: str) -> ClientFault:
        """Make the fault of a client that has ended the connection where this was due.

        It is a fault of its own, unless it is the first one, and something has led to it.
        """
        self._doubts.settle()
        if self._marks.played[-1].faults == self._faults:
            fault = self.fault(check, came)
            if self.why or fault.check != check or check.startswith("retry."):
                return fault
        return ClientFault("stream.stays", f"{came}: {self._marks[check].check.asks}")
