"""Somebody who is asked for opinions, and gives them when the test wants it."""

from __future__ import annotations

import random

from hearts.bots.hints import hint
from hearts.bots.levels import strong
from hearts.game.view import View
from hearts.table.inputs import Question
from hearts_client.session.analyst import GiveOpinion, Opinion


class OpinionDesk:
    """What was asked, and who waits for it."""

    def __init__(self) -> None:
        self._asked: list[tuple[Question, View, GiveOpinion]] = []

    def ask(self, question: Question, view: View, heard: GiveOpinion) -> None:
        """Asks for an opinion."""
        self._asked.append((question, view, heard))

    @property
    def waiting(self) -> list[Question]:
        return [question for question, _, _ in self._asked]

    def answer(self, *, agrees: bool = True) -> Opinion:
        """Answer the oldest question as a small search does; a pass as the hint does if it
        ``agrees``, and else with the lowest cards.
        """
        question, view, heard = self._asked.pop(0)
        if question is Question.PASS:
            passed = hint(view, Question.PASS).cards if agrees else view.cards[:3]
            opinion = Opinion("strong", passed=passed)
        else:
            outlook = strong(random.Random(1).random, worlds=4).outlook(view)
            opinion = Opinion("strong", outlook)
        heard(opinion)
        return opinion

    def fail(self) -> None:
        self._asked.pop(0)[2](None)
