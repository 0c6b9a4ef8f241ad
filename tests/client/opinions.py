"""Somebody who is asked for opinions, and gives them when the test wants it."""

from __future__ import annotations

from hearts.game.cards import Card
from hearts.game.view import View
from hearts.judging.judge import SwiftJudge
from hearts.judging.outlook import Outlook
from hearts_client.session.analyst import GiveOutlook


class OpinionDesk:
    """What was asked, and who waits for it."""

    def __init__(self) -> None:
        self.waiting: list[tuple[View, GiveOutlook, tuple[Card, ...]]] = []

    def ask(
        self, view: View, give: GiveOutlook, chosen: tuple[Card, ...] = (), *, judges: bool = False
    ) -> None:
        """Asks for an opinion."""
        self.waiting.append((view, give, chosen))

    def answer(self) -> Outlook:
        """Answer the oldest question, from two deals."""
        view, give, chosen = self.waiting.pop(0)
        outlook = SwiftJudge(2, seed=1).look_beside(view, chosen)
        give(outlook)
        return outlook

    def fail(self) -> None:
        self.waiting.pop(0)[1](None)
