"""What is looked at when a session has ended: what its clients saw, and what is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tests.independent.referee import Referee
from tests.independent.rules import Foul

from . import evidence
from .plan import PlayerStanding
from .player import SoakSeat

if TYPE_CHECKING:
    from .hall import Hall

JOURNAL_TRIES = 100


def judge(
    hall: Hall,
    players: Sequence[SoakSeat],
    judged: Callable[[], None],
    fault: Callable[[str], None],
) -> None:
    """Judge a session whose players have come to its end; the store may be asked several times.

    One of two is called at the end: ``judged``, or ``fault`` with what was wrong.
    """
    done = [player for player in players if player.standing is PlayerStanding.DONE]
    try:
        report = Referee({one.seat: one.joined.facts for one in done}, came_back=True).judge()
    except Foul as foul:
        fault(str(foul))
        return
    hall.count("games", report.games)

    def compare(tries: int) -> None:
        journal = hall.plan.journal
        if journal is not None:
            ticket = done[0].ticket
            assert ticket is not None
            try:
                stored = evidence.load(journal, ticket.game)
                marks = evidence.check(stored, {one.seat: one.parts for one in done})
                hands = evidence.hands_of(stored)
                if not evidence.is_complete(stored) or hands != report.hands:
                    raise Foul(f"{report.hands} hands were played, {hands} are stored")
            except evidence.UnreadableJournal as error:
                if tries:
                    hall.later(0.1, lambda: compare(tries - 1))
                else:
                    fault(f"the journal: {error}")
                return
            except Foul as foul:
                fault(str(foul))
                return
            for mark in evidence.MARKS:
                hall.count(f"by {mark}", marks[mark])
        hall.count("sessions")
        judged()

    compare(JOURNAL_TRIES)
