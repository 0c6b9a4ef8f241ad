"""Which of the sentences about a table are worth a notice beside a picture that shows the rest."""

from __future__ import annotations

from hearts.dealer.client_events import DealerEvent
from hearts.dealer.messages import ServerNotice, Waiting
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
from hearts_client.words.company import Company

from .canvas import Ink


def news(event: DealerEvent, lines: list[str], company: Company) -> list[tuple[str, Ink]]:
    """What is said about an event; ``lines`` is what the line client would say.

    The picture shows cards, scores, seats and whose turn it is, so nothing is said about those.
    """
    match event:
        case (
            YourHand()
            | HandBegun()
            | TrickBegun()
            | TableInfo()
            | Seated()
            | ScoresSoFar()
            | Waiting()
            | WaitingForPlayers()
            | ServerNotice()
        ):
            return []
        case CardPlayed(player, _, by):
            is_late = by is ChosenBy.CLOCK and player == company.me
            return _said(lines if is_late else lines[1:], Ink.ALARM if is_late else Ink.NOTICE)
        case CardsReceived():
            return _said(lines[:1], Ink.NOTICE)
        case TrickTaken(winner):
            return _said([f"{company.does(winner, 'take')} the trick."], Ink.DIM)
        case TricksDone():
            return _said(lines, Ink.FLASH)
        case Scores(winners=winners):
            return _said(lines[-1:], Ink.STRONG) if winners else []
        case CaughtUp():
            return [] if company.me < 0 else [("You are back.", Ink.NOTICE)]
        case ConnectionLost() | ChoiceRefused() | SessionEnded():
            return _said(lines, Ink.ALARM)
        case _:
            return _said(lines, Ink.NOTICE)


def _said(lines: list[str], ink: Ink) -> list[tuple[str, Ink]]:
    return [(line, ink) for line in lines if line.strip()]
