"""Judges the choices of the client: what a legal one shows, and what an illegal one fails."""

from __future__ import annotations

from abc import ABC, abstractmethod

from hearts.errors import Reason
from hearts.table.inputs import Choice, Question
from hearts_conformance.checks import Marks

from .host import Host, card_text
from .kept_link import Cause


class Judge(ABC):
    """Follows the client's hand, and judges what it chooses of it.

    A client may find legal cards by trying (SocketSpec.md section 4.4), and then some fit another
    hand by chance. So it is wrong about its hand only if more first tries fit than do not.
    """

    def __init__(self, host: Host, marks: Marks) -> None:
        self._doubts: list[tuple[str, str, str]] = []
        """The illegal cards of this scenario that a client with another hand could have played."""
        self._verdict: tuple[str | None, str] | None = None
        """The checks for the tries of this choice, since the first one."""
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

    def _doubt(self, wrong: str | None, otherwise: str, came: str) -> None:
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
            self._doubts.append((wrong, otherwise, came))

    def settle(self) -> None:
        """Decide about the cards that were doubted."""
        tries = self._marks.first_tries
        for wrong, otherwise, came in self._doubts:
            self._marks.fail(wrong if tries[True] > tries[False] else otherwise, came)
        self._doubts.clear()

    def _seen(self) -> str:
        """Word the rules, the trick and the hand."""
        view = self._host.view
        return (
            f"rules {view.rules}, trick {card_text(view.trick)}, "
            f"hand {card_text(view.hand)}, legal {card_text(view.legal)}"
        )
