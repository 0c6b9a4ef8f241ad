"""A table between two hands or two games."""

from __future__ import annotations

from typing import Any

from hearts.game.cuts import hash_of
from hearts.game.rules import parse_rules
from hearts.table import Able, Chosen, Cut, Kind, Question, TellAll
from tests.table.desk import HOLD, Desk

CLIENT, COMPUTER = Kind.CLIENT, Kind.COMPUTER
JACK = parse_rules("jack")
NUMBERS = tuple(bytes([player]) * 32 for player in (10, 11, 12, 13))
"""The value that each player shows, for every deal."""


def a_hand_away(cards: int = 51, **settings: Any) -> Desk:
    """A table in the last trick of its first hand: the next card leads to another deal."""
    desk = Desk(HOLD, **settings)
    play(desk, cards)
    return desk


def play(desk: Desk, cards: int) -> None:
    """So many cards, by whoever is on turn."""
    for _ in range(cards):
        desk.choose(desk.on_turn, Question.CARD)


def out_of_grace(desk: Desk, *players: int) -> None:
    """Players whose connections are lost, and who are away for as long as the others must wait."""
    for player in players:
        desk.leave(player)
    desk.now += desk.table.setting.grace


def able(desk: Desk, *players: int, cuts: bool = False) -> None:
    """Say for players whether they cut."""
    for player in players:
        desk.give(Able(player, votes=True, next_hash=hash_of(NUMBERS[player]) if cuts else b""))


def show(desk: Desk, *players: int) -> None:
    """Let players show their values, and say the same hash for the next deal."""
    for player in players:
        value = NUMBERS[player]
        desk.give(Chosen(player, Cut(player, value, hash_of(value))))


def told_to_all(desk: Desk, kind: type) -> list[object]:
    return [e.event for e in desk.all_of(TellAll) if isinstance(e.event, kind)]


def game_over(**settings: object) -> Desk:
    """A table at which player 0 is asked about another game."""
    desk = Desk(HOLD, end=1, **settings)  # type: ignore[arg-type]
    play(desk, 52)
    return desk
