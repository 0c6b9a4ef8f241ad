"""The notices of a table: the texts about events, shown as long as they are worth seeing."""

from __future__ import annotations

from collections import deque
from collections.abc import Container

from hearts.game import events
from hearts.session import client_events, table_words
from hearts.session.client_events import DealerEvent
from hearts.session.messages import Scores, TableInfo
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.pictures.sights import Flash
from hearts_client.words.narrator import Narrator
from hearts_client.words.story import Story

Notice = tuple[str, Ink]

_KEPT = 200
_FLASH_STAYS = 2.5


class Ticker:
    """The news of a table. Times are in seconds, of any clock."""

    def __init__(self) -> None:
        self.history: deque[Notice] = deque(maxlen=_KEPT)
        self._fresh: deque[tuple[Notice, float, object]] = deque(maxlen=_KEPT)
        self._flash: tuple[Flash, float] | None = None

    def note(self, text: str, ink: Ink) -> None:
        """Keep a text that can be read later, but need not be seen now."""
        self.history.append((text, ink))

    def tell(self, text: str, ink: Ink, until: float, about: object = None, kept: str = "") -> None:
        """Show a notice until a time; if it comes twice in a row, the later time counts.

        ``about`` is the moment that it is about, if nobody wants to see it after that moment.
        ``kept`` is a text to be read later in place of ``text``.
        """
        notice = (text, ink)
        self.note(kept or text, ink)
        if self._fresh and self._fresh[-1][0] == notice:
            self._fresh.pop()
        self._fresh.append((notice, until, about))

    def light(self, flash: Flash, now: float) -> None:
        self._flash = (flash, now + _FLASH_STAYS)

    def darken(self) -> None:
        """End the flash: it was about something that is over."""
        self._flash = None

    def notices(self, now: float, moments: Container[object] = ()) -> tuple[Notice, ...]:
        """Give the notices worth seeing, the latest last; ``moments`` are those not yet over."""
        return tuple(
            notice
            for notice, until, about in self._fresh
            if until > now and (about is None or about in moments)
        )

    def flash(self, now: float) -> Flash | None:
        return self._flash[0] if self._flash is not None and self._flash[1] > now else None


def news(event: DealerEvent, lines: list[str], story: Story) -> list[tuple[str, Ink]]:
    """Give the notices about an event; ``lines`` are those of ``story`` in the line client.

    The picture shows cards, scores, seats and the player on turn, so there are none about these.
    """
    roster = story.roster
    match event:
        case (
            events.YourHand()
            | events.HandBegun()
            | events.TrickBegun()
            | TableInfo()
            | client_events.Seated()
            | client_events.ScoresSoFar()
            | table_words.Waiting()
            | table_words.TableMessage()
            | table_words.InvitableMessage()
            | table_words.InvitableCount()
            | table_words.InvitationMessage()
            | client_events.WaitingForPlayers()
            | table_words.ServerNotice()
        ):
            return []
        case events.CardPlayed(player, _, events.ChosenBy.CLOCK) if player == roster.me:
            return _said(lines, Ink.ALARM)
        case events.CardPlayed():
            return _said(story.broken_lines(event), Ink.NOTICE)
        case events.CardsReceived(cards) if isinstance(story, Narrator):
            return _said([story.received_line(cards)], Ink.NOTICE)
        case events.TrickTaken(winner):
            return _said([f"{roster.does(winner, 'take')} the trick."], Ink.DIM)
        case events.TricksDone():
            return _said(lines, Ink.FLASH)
        case Scores():
            return _said(story.winners_lines(), Ink.STRONG)
        case client_events.CaughtUp():
            return [] if roster.me < 0 else [("You are back.", Ink.NOTICE)]
        case (
            client_events.ConnectionLost()
            | client_events.ChoiceRefused()
            | client_events.SessionEnded()
        ):
            return _said(lines, Ink.ALARM)
        case _:
            return _said(lines, Ink.NOTICE)


def _said(lines: list[str], ink: Ink) -> list[tuple[str, Ink]]:
    return [(line, ink) for line in lines if line.strip()]
