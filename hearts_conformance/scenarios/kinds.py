"""The kinds of scenarios, and what their rows have in common."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from hearts.game.rules import parse_rules
from hearts.table.inputs import Question
from hearts_conformance.session import deals
from hearts_conformance.session.script import Script, Twist

PASS, CARD, MOON, AGAIN = Question.PASS, Question.CARD, Question.MOON, Question.AGAIN
CUT = Question.CUT
PLAIN, DEALER = "plain", "dealer"
NO_PASS = parse_rules("pass=never")
CHOICE = parse_rules("moon=choice,pass=never")
CLUBS = (deals.ALL_CLUBS,)

dealer = partial(Script, dialect=DEALER)
moon = partial(Script, rules=CHOICE, deals=CLUBS)
"""A moon that counts as the client chooses."""


def at(twist: Twist, *places: tuple[Question, int]) -> Mapping[tuple[Question, int], Twist]:
    """Return the same twist for several choices."""
    return dict.fromkeys(places, twist)
