"""What everybody may know of whoever has a seat, or of nobody."""

from __future__ import annotations

from hearts.dealer.numbers import PlayerKind, Presence
from hearts.dealer.seat import Introduced
from hearts.dealer.structures import PlayerInfo as PlayerInfo

from .store import UNSAID, Description


def computer(player: int, name: str) -> PlayerInfo:
    """A computer has the seat."""
    return PlayerInfo(player, PlayerKind.CPU, name=name)


def nobody(player: int) -> PlayerInfo:
    """The seat is free."""
    return PlayerInfo(player, PlayerKind.FREE, presence=Presence.AWAY)


def description(said: Introduced | PlayerInfo | None) -> Description:
    """What a player says of himself, with what he said or what everybody is told of him."""
    return UNSAID if said is None else Description(said.kind, said.level, said.comment)


def person(
    player: int, name: str, said: Description = UNSAID, presence: Presence = Presence.THERE
) -> PlayerInfo:
    """A client has the seat, whose player says this of himself."""
    return PlayerInfo(player, said.kind, said.level, presence, name, said.comment)
