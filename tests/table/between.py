"""A table between two hands or two games."""

from __future__ import annotations

from hearts.game.rules import parse_rules
from hearts.table import (
    Able,
    Kind,
    Question,
    TellAll,
)
from tests.table.desk import HOLD, Desk

CLIENT, COMPUTER = Kind.CLIENT, Kind.COMPUTER
JACK = parse_rules("jack")


def a_hand_away(**settings: object) -> Desk:
    """A table in the last trick of its first hand: the next card leads to another deal."""
    desk = Desk(HOLD, **settings)  # type: ignore[arg-type]
    play(desk, 51)
    return desk


def play(desk: Desk, cards: int) -> None:
    """So many cards, by whoever is on turn."""
    for _ in range(cards):
        desk.choose(desk.on_turn, Question.CARD)


def able(desk: Desk, *players: int, cuts: bool = False) -> None:
    for player in players:
        desk.give(Able(player, votes=True, wants_to_cut=cuts))


def told_to_all(desk: Desk, kind: type) -> list[object]:
    return [e.event for e in desk.all_of(TellAll) if isinstance(e.event, kind)]


def game_over(**settings: object) -> Desk:
    """A table at which player 0 is asked about another game."""
    desk = Desk(HOLD, end=1, **settings)  # type: ignore[arg-type]
    play(desk, 52)
    return desk
