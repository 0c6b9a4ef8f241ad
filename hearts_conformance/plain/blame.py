"""What a fault is put down to: a client that is out of step fails everywhere behind it."""

from __future__ import annotations

from collections.abc import Callable

from hearts_conformance.checks import Check, ClientFault, Marks
from hearts_conformance.session import checks as shared
from hearts_conformance.session.script import Script, Twist

from . import checks
from .judge import PlainJudge
from .messages import RETRIES


class Blame:
    """Knows what was done to the client of late, and what it has got wrong before."""

    def __init__(
        self, script: Script, marks: Marks, judge: PlainJudge, own: Callable[[], Check | None]
    ) -> None:
        """``own`` is what fails where something goes wrong that went right in earlier scripts."""
        self._script = script
        self._marks = marks
        self._judge = judge
        self._own = own
        self._faults = marks.played[-1].faults
        self.joined = False
        """Whether several messages went out in one write."""
        self.why: Check | None = None
        """What is to be blamed until the client is seen to be in step."""
        self.proving: list[Check] = []
        """What is shown by the next choice that is right."""

    def prove(self) -> None:
        """The client is in step."""
        for check in self.proving:
            self._marks.show(check)
        self.proving.clear()
        self.why = None

    def keeps_step(self) -> None:
        """An ack came that is right: no choice is missing before it, and none is too many."""
        if self.why in (checks.OWED, checks.CROSSED):
            self._marks.show(self.why)
            self.why = self.proving[-1] if self.proving else None

    def hung_up(self, check: Check, came: str) -> ClientFault:
        """The fault of a client that has ended the connection where this was due.

        It is a fault of its own, unless it is the first one, and something has led to it.
        """
        self._judge.doubts.settle()
        if self._marks.played[-1].faults == self._faults:
            fault = self.fault(check, came)
            if self.why or fault.check is not check or check in RETRIES.values():
                return fault
        return ClientFault(shared.STAYS, f"{came}: {check.asks}")

    def fault(self, check: Check, came: str) -> ClientFault:
        """The fault of this check, or of what has led to it."""
        self._judge.doubts.settle()
        why = None if check is checks.QUIET_STATUS else self.out_of_step()
        if why is None and not self._marks[check].failed:
            why = self.why
        if why is None and self._judge.holding.passed and self._marks[checks.PLACES].failed:
            why = checks.PLACES
        if why is None and self._marks[check].shown and not self._marks[check].failed:
            why = self._own()
        return (
            ClientFault(check, came) if why is None else ClientFault(why, f"{check.asks}: {came}")
        )

    def out_of_step(self) -> Check | None:
        """What was found earlier that would put the client out of step here too."""
        causes = [checks.QUIET_STATUS, checks.ONE_CHOICE, checks.QUIET_ACK]
        if self.joined:
            causes.append(shared.JOINED)
        if self._script.drops or Twist.FORCE_FIRST in self._script.twists.values():
            causes.append(checks.OWED)
        return self._marks.first_failed(causes)
