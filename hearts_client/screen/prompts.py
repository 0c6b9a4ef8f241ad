"""What the person is asked, in one line, and the keys that answer it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from hearts.game.cards import Card
from hearts.game.game import PASS_SIZE
from hearts.game.rules import STANDARD, Rules
from hearts.game.scoring import points_by, tallies
from hearts.game.view import View
from hearts.table import Question
from hearts_client.words.amounts import points_in_words
from hearts_client.words.style import Style, suit_word

from .view_model import LabelledKey

SEAT_LINE = "You are asked for your seat: /yield gives it up, /stay keeps it."


def question_line(
    question: Question,
    view: View | None,
    marked: Sequence[Card],
    style: Style,
    name: Callable[[int], str],
    rules: Rules = STANDARD,
) -> str:
    """What a question comes to; ``marked`` are the cards that are marked for the pass.

    ``view`` is None before the first hand, and ``name`` gives what a player is called.
    """
    moon = points_by(rules).moon
    match question:
        case Question.PASS:
            assert view is not None
            target = name(view.direction.target(view.player))
            if len(marked) == PASS_SIZE:
                return f"Enter passes {style.cards(marked)} to {target}."
            return f"Mark three cards for {target} ({len(marked)} marked)."
        case Question.CARD:
            assert view is not None
            return _card_line(view)
        case Question.MOON:
            return f"{moon} points to each of the others (+), or {moon} off your own score (-)?"
        case Question.AGAIN:
            return "Another game? y or n"
        case Question.CUT:
            raise AssertionError("the library cuts by itself")
        case _:
            assert_never(question)


def _card_line(view: View) -> str:
    if not view.trick:
        return "Your turn: you lead."
    led = view.trick[0].suit
    if any(card.suit is led for card in view.cards):
        return f"Your turn: follow {suit_word(led)}."
    what = (
        "so play what you like" if view.legal == view.hand else "but not every card may be played"
    )
    return f"Your turn: you have no {suit_word(led)}, {what}."


def claim_line(view: View) -> str:
    """What it means to claim the rest."""
    tricks = view.hand.bit_count()
    points = tallies((view.hand | view.unseen, 0, 0, 0), view.rules)[0]
    return f"All {tricks} tricks left are yours, with {points_in_words(points)}. Enter claims them."


def choices(
    question: Question | None,
    passes: bool,
    is_auto: bool,
    can_claim: bool = False,
    rules: Rules = STANDARD,
) -> list[LabelledKey]:
    """The keys that answer; ``passes`` says that the marked cards can be passed.

    ``is_auto`` says that a computer plays the hand out, ``can_claim`` that the rest of the hand
    can be claimed.
    """
    match question:
        case Question.PASS if passes:
            return [
                LabelledKey("enter", "pass"),
                LabelledKey(" ", "unmark"),
                LabelledKey("i", "hint"),
            ]
        case Question.PASS:
            return [LabelledKey(" ", "mark"), LabelledKey("i", "hint")]
        case Question.CARD:
            finish = "take back" if is_auto else "finish hand"
            return [
                LabelledKey("enter", "play"),
                LabelledKey("i", "hint"),
                LabelledKey("f", finish),
                *([LabelledKey("e", "claim")] if can_claim else []),
            ]
        case Question.MOON:
            moon = points_by(rules).moon
            return [
                LabelledKey("+", f"{moon} to each of the others"),
                LabelledKey("-", f"{moon} off my score"),
            ]
        case Question.AGAIN:
            return [LabelledKey("y", "another game"), LabelledKey("n", "no more")]
        case Question.CUT | None:
            return [LabelledKey("f", "take the hand back")] if is_auto else []
        case _:
            assert_never(question)
