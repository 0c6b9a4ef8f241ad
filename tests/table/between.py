"""A table between two hands or two games."""

from __future__ import annotations

from typing import Any

from hearts.game.cuts import hash_of
from hearts.game.rules import parse_rules
from hearts.table.inputs import Chosen, Cut
from hearts.table.seat import Kind
from tests.table.desk import HOLD, NUMBERS, Desk

CLIENT, COMPUTER = Kind.CLIENT, Kind.COMPUTER
JACK = parse_rules("jack")


def a_hand_away(cards: int = 51, **settings: Any) -> Desk:
    """A table in the last trick of its first hand: the next card leads to another deal."""
    desk = Desk(HOLD, **settings)
    desk.play(cards)
    return desk


def out_of_grace(desk: Desk, *players: int) -> None:
    """Players whose connections are lost, and who are away for as long as the others must wait."""
    for player in players:
        desk.leave(player)
    desk.now += desk.table.setting.grace


def show(desk: Desk, *players: int) -> None:
    """Let players show their values, and say the same hash for the next deal."""
    for player in players:
        value = NUMBERS[player]
        desk.give(Chosen(player, Cut(player, value, hash_of(value))))


def game_over(**settings: object) -> Desk:
    """A table at which player 0 is asked about another game."""
    desk = Desk(HOLD, end=1, **settings)  # type: ignore[arg-type]
    desk.play(52)
    return desk
