"""Frames in which a program talks with a bot in a process of its own.

A frame is a length and a value in msgpack. The process says READY, then gets one question
after the other and answers each. It gets the view of a seat and nothing else of a table.
"""

from __future__ import annotations

from math import inf

from msgspec import MsgspecError, Struct, msgpack

from hearts.game.cards import CARDS, Card
from hearts.game.events import ChooseMoon, Pass, Play
from hearts.game.game import PASS_SIZE
from hearts.game.view import View
from hearts.table.inputs import Choice, Question

HEADER = 4
"""Bytes of a length."""
READY = b"ready"

_CHOICES = {Question.CARD: Play, Question.PASS: Pass, Question.MOON: ChooseMoon}


class Asked(Struct, frozen=True):
    """The choice that a bot is asked for, and the view to choose from."""

    question: Question
    view: View
    seconds: float = inf
    """Seconds that it may take, if the bot's own are no less."""
    level: str = ""
    """The level of the bot; empty for the only one that there is."""


def card_from(kind: type, number: object) -> Card:
    """Return the card of a number: an int of our own class is all that msgspec does not know."""
    if kind is not Card or not isinstance(number, int) or not 0 <= number < len(CARDS):
        raise ValueError("no card")
    return CARDS[number]


def frame(body: bytes) -> bytes:
    """Return a body with its length before it."""
    return len(body).to_bytes(HEADER) + body


def body_of_question(
    question: Question,
    view: View,
    *,
    seconds: float = inf,
    level: str = "",
) -> bytes:
    """Return the body that asks for a choice."""
    return msgpack.encode(Asked(question, view, seconds, level), enc_hook=int)


def question_of(body: bytes) -> Asked:
    """Read the question that a body holds."""
    return msgpack.decode(body, type=Asked, dec_hook=card_from)


def body_of_answer(answer: Choice) -> bytes:
    """Make the body of an answer."""
    return msgpack.encode(answer, enc_hook=int)


def choice_from(body: bytes, question: Question, view: View) -> Choice | None:
    """Return the choice that a body holds; None if it is none that can be made."""
    try:
        choice: Choice = msgpack.decode(body, type=_CHOICES[question], dec_hook=card_from)
    except MsgspecError:
        return None
    match choice:
        case Play(player, card):
            may = bool(view.legal >> card & 1)
        case Pass(player, cards):
            may = len(set(cards)) == len(cards) == PASS_SIZE
            may = may and all(view.hand >> card & 1 for card in cards)
        case ChooseMoon(player):
            may = True
        case _:
            return None
    return choice if may and player == view.player else None
