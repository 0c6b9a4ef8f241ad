"""What the person is asked, in one line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from hearts.game.cards import Card
from hearts.game.game import PASS_SIZE
from hearts.game.scoring import tallies
from hearts.game.view import View
from hearts.table import Question
from hearts_client.words.amounts import points_in_words
from hearts_client.words.style import Style, suit_word

SEAT_LINE = "You are asked for your seat: /yield gives it up, /stay keeps it."


def question_line(
    question: Question,
    view: View | None,
    marked: Sequence[Card],
    style: Style,
    name: Callable[[int], str],
) -> str:
    """What a question comes to; ``marked`` are the cards that are marked for the pass.

    ``view`` is None before the first hand, and ``name`` gives what a player is called.
    """
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
            return "26 points to each of the others (+), or 26 off your own score (-)?"
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
