"""Hints at the full screen: at once by rule with a reason, and by a search when that is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from hearts.bots.hints import hint
from hearts.table import Question
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.pictures.theme import Theme
from hearts_client.session.analyst import Ask, Opinion
from hearts_client.words.hints import hint_in_words
from hearts_client.words.opinions import outlook_line, pass_line

from .choosing import Choosing
from .shown_table import ShownTable


class GivesHint(Protocol):
    """Says something at once; ``about`` is the moment with which it is out of date."""

    def __call__(self, text: str, ink: Ink, about: object = None) -> None: ...


class Hinting:
    """The hints of one seat."""

    def __init__(
        self,
        table: ShownTable,
        choosing: Choosing,
        theme: Theme,
        tell: GivesHint,
        moment: Callable[[], object],
        ask: Ask | None,
    ) -> None:
        """``moment`` is that of the choice that is to be made now, and ``ask`` asks who searches,
        if anybody does."""
        self._table = table
        self._choosing = choosing
        self._theme = theme
        self._tell = tell
        self._moment = moment
        self._ask = ask

    def give(self) -> None:
        """Say what to choose, and go to that card."""
        asked = self._choosing.asked
        if asked not in (Question.PASS, Question.CARD, Question.MOON):
            self._tell("There is nothing to choose now.", Ink.DIM)
            return
        view, moment = self._table.picture.view(), self._moment()
        advice = hint(view, asked)
        line = hint_in_words(advice, self._theme.style, self._table.name)
        self._tell(line, Ink.NOTICE, moment)
        if asked is Question.CARD:
            self._choosing.picker.go_to(advice.cards[0])
        is_forced = asked is Question.CARD and len(view.legal_cards) == 1
        if self._ask is None or asked is Question.MOON or is_forced:
            return

        def heard(opinion: Opinion | None) -> None:
            # The cursor stays: who has read the first line may be about to press Enter.
            is_open = self._moment() == moment
            if is_open and opinion is not None and opinion.adds_to(advice.cards):
                self._tell(_in_words(opinion, self._theme), Ink.NOTICE, moment)

        self._ask(asked, view, heard)


def _in_words(opinion: Opinion, theme: Theme) -> str:
    """What a bot thinks, in one line."""
    if opinion.outlook is None:
        return pass_line(opinion.level, opinion.passed, theme.style)
    return outlook_line(opinion.level, opinion.outlook, theme.style)
