"""What a step of the table wants done, and the lines that are not durable yet."""

from __future__ import annotations

from collections import deque

from hearts.game.proof import parse_notice

from .effects import Announce, Change, Changed, Effect, Ended, Notify, Persist, Stopped, TellAll
from .events import TableEvent
from .steps import Step, format_step


class Outbox:
    """The one place into which a table and its parts put their effects, so they stay in order."""

    __slots__ = ("effects", "is_closed", "proposed")

    def __init__(self) -> None:
        self.effects: list[Effect] = []
        """What is to be carried out, in order."""
        self.proposed: deque[str] = deque()
        """The lines that are to be stored and are not durable yet, the oldest first."""
        self.is_closed = False
        """Whether the table takes no more input."""

    def propose(self, step: Step) -> None:
        """Let a step be stored; it is done when it is durable."""
        line = format_step(step)
        self.proposed.append(line)
        self.effects.append(Persist(line))

    def tell_all(self, event: TableEvent) -> None:
        """Tell every player something that all may see."""
        self.effects.append(TellAll(event))

    def announce(self, text: str, about: int | None = None) -> None:
        """Tell everybody in words; ``about`` is the player who comes or goes."""
        self.effects.append(Announce(text, about))

    def said_of_deals(self) -> list[str]:
        """The announcements of deals among the effects (:mod:`hearts.game.proof`), in order."""
        said = [effect.text for effect in self.effects if isinstance(effect, Announce)]
        return [text for text in said if parse_notice(text) is not None]

    def notify(self, text: str) -> None:
        """Tell everybody in words, over every way that there is."""
        self.effects.append(Notify(text))

    def changed(self, player: int, change: Change) -> None:
        """Something has happened to a seat."""
        self.effects.append(Changed(player, change))

    def end(self, why: str) -> None:
        """The session is over."""
        self.is_closed = True
        self.effects.append(Ended(why))

    def stop(self) -> None:
        """The table stops, and can be taken up again."""
        self.is_closed = True
        self.effects.append(Stopped("the server shuts down"))
