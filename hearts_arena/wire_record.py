"""The record of a match that was played at a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hearts.game.deal import commitment
from hearts.game.events import Action, Deal, Pass
from hearts.game.record import commitment_line, format_action, header_lines, scores_line
from hearts.game.rules import Rules
from hearts.game.scoring import Four


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
