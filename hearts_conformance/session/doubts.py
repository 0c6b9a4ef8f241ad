"""Illegal cards that show a client to be wrong about its hand, or only to try its cards."""

from __future__ import annotations

from hearts_conformance.checks import Marks


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
