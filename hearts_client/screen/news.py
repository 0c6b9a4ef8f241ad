"""Which of the sentences about a table are worth a notice beside a picture that shows the rest."""

from __future__ import annotations

from hearts.dealer.client_events import DealerEvent
from hearts.game.events import (
    CardPlayed,
    CardsReceived,
    ChosenBy,
    HandBegun,
    TrickBegun,
    TricksDone,
    TrickTaken,
    YourHand,
)
from hearts.session.client_events import (
    CaughtUp,
    ChoiceRefused,
    ConnectionLost,
    ScoresSoFar,
    Seated,
    SessionEnded,
    WaitingForPlayers,
)
from hearts.session.messages import Scores, TableInfo
from hearts.session.table_words import (
    InvitableCount,
    InvitableMessage,
    InvitationMessage,
    ServerNotice,
    TableMessage,
    Waiting,
)
from hearts_client.words.narrator import Narrator
from hearts_client.words.story import Story

from .canvas import Ink


def news(event: DealerEvent, lines: list[str], story: Story) -> list[tuple[str, Ink]]:
    """What is said about an event; ``lines`` is what ``story`` tells of it in the line client.

    The picture shows cards, scores, seats and whose turn it is, so nothing is said about those.
    """
    roster = story.roster
    match event:
        case (
            YourHand()
            | HandBegun()
            | TrickBegun()
            | TableInfo()
            | Seated()
            | ScoresSoFar()
            | Waiting()
            | TableMessage()
            | InvitableMessage()
            | InvitableCount()
            | InvitationMessage()
            | WaitingForPlayers()
            | ServerNotice()
        ):
            return []
        case CardPlayed(player, _, ChosenBy.CLOCK) if player == roster.me:
            return _said(lines, Ink.ALARM)
        case CardPlayed():
            return _said(story.broken_lines(event), Ink.NOTICE)
        case CardsReceived(cards) if isinstance(story, Narrator):
            return _said([story.received_line(cards)], Ink.NOTICE)
        case TrickTaken(winner):
            return _said([f"{roster.does(winner, 'take')} the trick."], Ink.DIM)
        case TricksDone():
            return _said(lines, Ink.FLASH)
        case Scores():
            return _said(story.winners_lines(), Ink.STRONG)
        case CaughtUp():
            return [] if roster.me < 0 else [("You are back.", Ink.NOTICE)]
        case ConnectionLost() | ChoiceRefused() | SessionEnded():
            return _said(lines, Ink.ALARM)
        case _:
            return _said(lines, Ink.NOTICE)


def _said(lines: list[str], ink: Ink) -> list[tuple[str, Ink]]:
    return [(line, ink) for line in lines if line.strip()]
