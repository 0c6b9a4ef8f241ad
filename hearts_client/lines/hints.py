"""Hints line by line: what a good player would do, and what a bot that searches expects."""

from __future__ import annotations

from collections.abc import Callable

from hearts.bots.hints import hint
from hearts.table import Question
from hearts_client.library.client import Client
from hearts_client.session.analyst import Ask, Opinion
from hearts_client.words.hints import hint_in_words
from hearts_client.words.narrator import Narrator
from hearts_client.words.opinions import outlook_lines, pass_line
from hearts_client.words.style import Style


class Hints:
    """The hints of one person."""

    def __init__(
        self,
        client: Client,
        style: Style,
        narrator: Narrator,
        say: Callable[[list[str]], None],
        ask: Ask | None,
    ) -> None:
        """``say`` prints lines that come later; ``ask`` asks who searches, if anybody does."""
        self._client = client
        self._style = style
        self._narrator = narrator
        self._say = say
        self._ask = ask

    def give(self, question: Question) -> list[str]:
        """The hint by rule; what a bot expects is said when it is there, if it is still asked."""
        if question not in (Question.PASS, Question.CARD, Question.MOON):
            return ["There is no hint for that."]
        view = self._client.view
        advice = hint(view, question)
        line = hint_in_words(advice, self._style, self._narrator.name)
        is_forced = question is Question.CARD and len(view.legal_cards) == 1
        if self._ask is not None and question is not Question.MOON and not is_forced:

            def heard(opinion: Opinion | None) -> None:
                is_open = self._client.asked is question and self._client.view == view
                if is_open and opinion is not None and opinion.adds_to(advice.cards):
                    self._say(_in_words(opinion, self._style))

            self._ask(question, view, heard)
        return [line]


def _in_words(opinion: Opinion, style: Style) -> list[str]:
    if opinion.outlook is None:
        return [pass_line(opinion.level, opinion.passed, style)]
    return outlook_lines(opinion.level, opinion.outlook, style)
