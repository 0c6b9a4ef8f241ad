"""What went wrong, in words that say what to do."""

from __future__ import annotations

from hearts.session.client_events import RegistrationRefused
from hearts.session.messages import Refusal

FINAL = frozenset({Refusal.NO_SUCH_GAME, Refusal.TABLE_TAKEN})
"""A player who comes back is told these if the game is over or the seat is not his."""


def complaint(error: BaseException, *, came_back: bool, password: str) -> str:
    """One line for the person.

    ``came_back`` says whether a saved game was to go on, and ``password`` how one is given.
    """
    text = str(error)
    if not isinstance(error, RegistrationRefused):
        return text
    text = f"the server refuses: {text}"
    if error.code == Refusal.BAD_PASSWORD:
        text += f"; {password}"
    if came_back and error.code in FINAL:
        text += ". That game is not saved any longer"
    elif came_back:
        text += ". The game stays saved: try again later"
    return text
