"""Which of the client's choices are refused although they are legal."""

from __future__ import annotations

from collections import Counter

from hearts.errors import Reason
from hearts.table import Question

from .host import Host
from .script import Twist


def plausible(question: Question) -> Reason:
    """The reason that is given for refusing a legal choice."""
    return Reason.FOLLOW_SUIT if question is Question.CARD else Reason.NOT_HELD


class Refusals:
    """Counts the refusals that a script wants, until they can be carried out."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._wanted: Counter[Question] = Counter()

    def come_to(self, question: Question, twist: Twist | None) -> bool:
        """A legal choice came; whether it is to be refused."""
        if twist is Twist.REFUSE:
            self._wanted[question] += 1
        # With one legal card there would be no other to try.
        free = question is not Question.CARD or self._host.view.legal.bit_count() > 1
        if not self._wanted[question] or not free:
            return False
        self._wanted[question] -= 1
        return True
