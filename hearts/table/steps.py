"""The lines that a table stores: the actions of its games, and what lies between two games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from hearts.events import Action, By
from hearts.record import format_action, parse_action

from .messages import AnswerAgain


@dataclass(frozen=True, slots=True)
class AskAgain:
    """A game is over, and this player decides about another one; None for nobody."""

    player: int | None


Step = Action | AskAgain | AnswerAgain


def format_step(step: Step) -> str:
    """A step as one line."""
    match step:
        case AnswerAgain(player, yes, by):
            return f"again {player} {'yes' if yes else 'no'} {by.value}".rstrip()
        case AskAgain(player):
            return f"ask-again {-1 if player is None else player}"
        case _:
            return format_action(step)


def parse_step(line: str) -> Step:
    """The step of a line. Raises CorruptRecord for any other text."""
    step = _BETWEEN_GAMES.get(line)
    return parse_action(line) if step is None else step


def _between_games() -> Iterator[Step]:
    for asked in (0, 1, 2, 3, None):
        yield AskAgain(asked)
    for player, yes, by in product((-1, 0, 1, 2, 3), (True, False), By):
        yield AnswerAgain(player, yes, by)


_BETWEEN_GAMES = {format_step(step): step for step in _between_games()}
