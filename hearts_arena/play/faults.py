"""Faults of players, as they are told to their authors."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from hearts.game.view import View
from hearts_arena.plan.plan import Plan
from hearts_client.library.bot_faults import message, moment

Say = Callable[[str], None]
"""Takes a message about harm that a player has done to itself."""
Complain = Callable[[int, str, bool], None]
"""Takes a fault of an entrant's player: the entrant, words for its author, True for a crash."""


class PlayerFault(Struct, frozen=True):
    """Something that a player has done to itself, in words for its author."""

    method: str
    what: str
    when: str = ""
    """The hand and the trick; empty if it was not asked but told something."""
    line: str = ""
    """Its own line of code, if it is known."""
    is_crash: bool = False
    """A stand-in plays from here on."""
    hand: int = -1
    """The hand, from 0 in its game; -1 if it was not asked."""

    def in_words(self, where: str) -> str:
        """Return one message; ``where`` says which match and which deal it was."""
        when = ", ".join(filter(None, (self.when, where)))
        return message(self.method, self.what, when, self.line)


def fault_of(
    method: str, what: str, line: str, view: View | None, *, is_crash: bool = False
) -> PlayerFault:
    """Return a fault of a player that was asked with this view, or told something."""
    when, hand = ("", -1) if view is None else (moment(view), view.hand_number)
    return PlayerFault(method, what, when, line, is_crash, hand)


def named(plan: Plan, say: Say) -> Complain:
    """Say each fault with the name of the entrant."""
    return lambda entrant, text, is_crash: say(f"{plan.entrants[entrant].name}: {text}")


class FirstFaults:
    """Passes on the first fault of each kind of each entrant, which makes it in every match."""

    def __init__(self, complain: Complain) -> None:
        self._complain = complain
        self._told: set[tuple[int, bool]] = set()
        """Entrants whose faults were told of, each with True for a crash."""

    def receive(self, entrant: int, text: str, is_crash: bool) -> None:
        if (entrant, is_crash) not in self._told:
            self._told.add((entrant, is_crash))
            self._complain(entrant, text, is_crash)
