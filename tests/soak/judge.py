"""What is looked at when a session has ended: what its clients saw, and what is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from tests.independent.referee import Referee
from tests.independent.rules import Foul

from . import evidence
from .plan import PlayerStanding
from .player import Player

if TYPE_CHECKING:
    from .hall import Hall

JOURNAL_TRIES = 100


class SessionJudge:
    """Judges one session, whose players have come to its end."""

    def __init__(
        self,
        hall: Hall,
        players: Sequence[Player],
        judged: Callable[[], None],
        fault: Callable[[str], None],
    ) -> None:
        """One of two is called at the end: ``judged``, or ``fault`` with what was wrong."""
        self._hall = hall
        self._done = [player for player in players if player.standing is PlayerStanding.DONE]
        self._judged = judged
        self._fault = fault

    def judge(self) -> None:
        """Begin; the store may be asked several times."""
        try:
            seats = {player.seat: player.joined.facts for player in self._done}
            report = Referee(seats, came_back=True).judge()
        except Foul as foul:
            self._fault(str(foul))
            return
        self._hall.count("games", report.games)
        self._compare(report.hands, JOURNAL_TRIES)

    def _compare(self, hands: int, tries: int) -> None:
        done, journal = self._done, self._hall.plan.journal
        if journal is not None:
            ticket = done[0].ticket
            assert ticket is not None
            try:
                stored = evidence.load(journal, ticket.game)
                marks = evidence.check(stored, {p.seat: p.parts for p in done})
                if not evidence.is_complete(stored) or evidence.hands_of(stored) != hands:
                    raise Foul(f"{hands} hands were played, {evidence.hands_of(stored)} are stored")
            except evidence.UnreadableJournal as error:
                if not tries:
                    self._fault(f"the journal: {error}")
                    return
                self._hall.later(0.1, partial(self._compare, hands, tries - 1))
                return
            except Foul as foul:
                self._fault(str(foul))
                return
            for mark in evidence.MARKS:
                self._hall.count(f"by {mark}", marks[mark])
        self._hall.count("sessions")
        self._judged()
