"""The lines that a table stores: the actions of its games, and what lies between two games."""

from __future__ import annotations

from dataclasses import dataclass

from hearts.errors import CorruptRecord
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
    if line.startswith("play "):
        return parse_action(line)
    words = line.split(" ")
    try:
        match words:
            case ["again", player, "yes" | "no" as answer, *mark]:
                by = By(mark[0]) if mark else By.PLAYER
                return AnswerAgain(int(player), answer == "yes", by)
            case ["ask-again", player]:
                return AskAgain(int(player) if player != "-1" else None)
    except ValueError:
        raise CorruptRecord(f"cannot read {line[:80]!r}") from None
    return parse_action(line)
