"""Judges the choices of the client: what a legal one shows, and what an illegal one fails."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable

from hearts.errors import Reason
from hearts.table.inputs import Choice, Question
from hearts_conformance.checks import ClientFault, Marks

from .host import Host, card_text
from .kept_link import Cause


class Doubts:
    """The illegal cards of one scenario that a client with another hand could have played.

    A client may find legal cards by trying (SocketSpec.md section 4.4), and then some fit another
    hand by chance. So it is wrong about its hand only if more first tries fit than do not.
    """

    def __init__(self, marks: Marks) -> None:
        self._marks = marks
        self._open: list[tuple[str, str, str]] = []
        self._verdict: tuple[str | None, str] | None = None
        """The checks for the tries of this choice, since the first one."""

    def note(self, wrong: str | None, otherwise: str, came: str) -> None:
        """Take an illegal card: ``wrong`` fails if the client believes in the hand that it fits.

        It is None for a card that fits no other hand.
        """
        if self._verdict is None:
            self._verdict = wrong, otherwise
            self._marks.first_tries[wrong is not None] += 1
        wrong, otherwise = self._verdict
        if wrong is None:
            self._marks.fail(otherwise, came)
        else:
            self._open.append((wrong, otherwise, came))

    def begin_choice(self) -> None:
        """Count the next illegal card as a first try."""
        self._verdict = None

    def settle(self) -> None:
        """Decide about the cards that were noted."""
        tries = self._marks.first_tries
        for wrong, otherwise, came in self._open:
            self._marks.fail(wrong if tries[True] > tries[False] else otherwise, came)
        self._open.clear()


class Judge(ABC):
    """Follows the client's hand, and judges what it chooses of it."""

    def __init__(self, host: Host, marks: Marks) -> None:
        self.doubts = Doubts(marks)
        self.is_misled = False
        """A legal choice of the client was refused, so that it may try anything."""
        self._host = host
        self._marks = marks

    @abstractmethod
    def note(self, event: Cause) -> None:
        """Take in what the client is told."""

    @abstractmethod
    def _mark_legal(self, question: Question, choice: Choice) -> None:
        """Mark what a legal choice shows."""

    @abstractmethod
    def _mark_illegal(
        self, question: Question, choice: Choice | None, reason: Reason, answer: bytes
    ) -> None:
        """Mark what an illegal choice fails."""

    def why_not(self, choice: Choice | None) -> Reason | None:
        """Give the reason for which the client may not choose so; None if it may."""
        return Reason.NOT_HELD if choice is None else self._host.why_not(choice)

    def is_legal(self, question: Question, choice: Choice | None, answer: bytes) -> bool:
        """Judge a choice; None is an answer that means nothing."""
        reason = self.why_not(choice)
        if choice is not None and reason is None:
            self.is_misled = False
            self._mark_legal(question, choice)
            return True
        if not self.is_misled:
            self._mark_illegal(question, choice, reason or Reason.NOT_HELD, answer)
        return False

    def _seen(self) -> str:
        """Word the rules, the trick and the hand."""
        view = self._host.view
        return (
            f"rules {view.rules}, trick {card_text(view.trick)}, "
            f"hand {card_text(view.hand)}, legal {card_text(view.legal)}"
        )


class Attribution:
    """Knows the latest act on the client, and its faults before."""

    def __init__(
        self,
        marks: Marks,
        doubts: Doubts,
        causes: Callable[[str], Iterable[str]],
        own: Callable[[], str],
    ) -> None:
        """``causes`` gives the checks that are to blame for a fault if they have failed before.

        ``own`` gives the check that fails if something goes wrong that went right in earlier
        scripts.
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
