"""Somebody who is asked for opinions, and gives them when the test wants it."""

from __future__ import annotations

import random

from hearts.bots.levels import strong
from hearts.bots.passing import cards_to_pass
from hearts.game.view import View
from hearts.table import Question
from hearts_client.session.analyst import Heard, Opinion


class OpinionDesk:
    """What was asked, and who waits for it."""

    def __init__(self) -> None:
        self._asked: list[tuple[Question, View, Heard]] = []

    def ask(self, question: Question, view: View, heard: Heard) -> None:
        """Asks for an opinion."""
        self._asked.append((question, view, heard))

    @property
    def waiting(self) -> list[Question]:
        """What is not answered yet."""
        return [question for question, _, _ in self._asked]

    def answer(self) -> Opinion:
        """Answer the oldest question as a small search does."""
        question, view, heard = self._asked.pop(0)
        if question is Question.PASS:
            opinion = Opinion("strong", passed=cards_to_pass(view.hand, view.rules))
        else:
            outlook = strong(random.Random(1).random, worlds=4).outlook(view)
            opinion = Opinion("strong", outlook)
        heard(opinion)
        return opinion

    def fail(self) -> None:
        """The oldest question has no answer."""
        self._asked.pop(0)[2](None)
