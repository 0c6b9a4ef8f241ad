"""The record of a match that was played at a table, and the choices that a stand-in makes there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from hearts.bots import SimpleBot
from hearts.game.deal import commitment
from hearts.game.events import Action, ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.record import commitment_line, format_action, header_lines, scores_line
from hearts.game.rules import Rules
from hearts.game.scoring import Four
from hearts.game.view import View
from hearts.table import Choice, Question

_STAND_IN = SimpleBot()


def record_text(
    rules: Rules,
    end_score: int,
    names: Sequence[str],
    actions: Iterable[Action],
    scores: Sequence[Four],
) -> str:
    """The record of whole hands, whatever hand of a game the first of them is.

    ``scores`` are those after each hand.
    """
    lines = header_lines(rules, end_score, names)
    # Each deal but the first follows the scores of the hand before.
    before = iter([[], *([scores_line(four)] for four in scores)])
    for action in _in_order(actions):
        if isinstance(action, Deal):
            lines += next(before)
            assert action.secret is not None
            lines.append(commitment_line(commitment(action.secret)))
        lines.append(format_action(action))
    lines += next(before)
    return "".join(f"{line}\n" for line in lines)


def _in_order(actions: Iterable[Action]) -> Iterator[Action]:
    """The same with the passes of each hand by seats: which came first is a matter of speed."""
    passes: list[Pass] = []
    for action in actions:
        if isinstance(action, Pass):
            passes.append(action)
            continue
        yield from sorted(passes, key=lambda made: made.player)
        passes.clear()
        yield action


def stand_in_choice(question: Question, view: View, by: ChosenBy) -> Choice:
    """What a stand-in chooses."""
    player = view.player
    match question:
        case Question.CARD:
            return Play(player, _STAND_IN.choose_card(view), by)
        case Question.PASS:
            return Pass(player, _STAND_IN.choose_pass(view), by)
        case Question.MOON:
            return ChooseMoon(player, _STAND_IN.choose_moon(view), by)
        case Question.AGAIN | Question.CUT:
            raise AssertionError("nobody is asked about that in a match")
        case _:
            assert_never(question)
