"""What everybody may know of whoever has a seat, or of nobody."""

from __future__ import annotations

from hearts.dealer.numbers import PlayerKind, Presence
from hearts.dealer.seat import Introduced
from hearts.dealer.structures import PlayerInfo as PlayerInfo


def computer(player: int, name: str) -> PlayerInfo:
    """A computer has the seat."""
    return PlayerInfo(player, PlayerKind.CPU, name=name)


def nobody(player: int) -> PlayerInfo:
    """The seat is free."""
    return PlayerInfo(player, PlayerKind.FREE, presence=Presence.AWAY)


def person(
    player: int, name: str, said: Introduced | None, presence: Presence = Presence.THERE
) -> PlayerInfo:
    """A client has the seat; ``said`` is what it has said about its player, if anything."""
    if said is None:
        return PlayerInfo(player, PlayerKind.EXTERNAL_NETWORK, presence=presence, name=name)
    return PlayerInfo(player, said.kind, said.level, presence, name, said.comment)
