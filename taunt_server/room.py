"""Who is in which game, and who hears what. Nothing crosses from one game to another."""

from __future__ import annotations

from typing import Protocol

from hearts.taunt import encode_delivery

CONNECTIONS_PER_SEAT = 4
"""Connections that one seat may have at once: a player's own, and old ones that are half-open."""


class Member(Protocol):
    """A registered connection, as the rooms see it."""

    @property
    def game_number(self) -> int:
        """The game it registered for."""

    @property
    def player(self) -> int:
        """The seat it registered for, 0-3."""

    def send(self, data: bytes) -> None:
        """Send without waiting and without raising."""


class Rooms:
    """The registered connections of all games; a game without any has no room."""

    __slots__ = ("_rooms",)

    def __init__(self) -> None:
        self._rooms: dict[int, list[Member]] = {}

    def __len__(self) -> int:
        return len(self._rooms)

    def join(self, member: Member) -> bool:
        """Let a connection hear its game; ``False`` where its seat has CONNECTIONS_PER_SEAT."""
        room = self._rooms.get(member.game_number, [])
        if sum(other.player == member.player for other in room) >= CONNECTIONS_PER_SEAT:
            return False
        self._rooms.setdefault(member.game_number, room).append(member)
        return True

    def leave(self, member: Member) -> None:
        """Forget a connection; nothing happens if it is not there."""
        room = self._rooms.get(member.game_number)
        if room is None or member not in room:
            return
        room.remove(member)
        if not room:
            del self._rooms[member.game_number]

    def relay(self, game_number: int, player: int, text: str) -> None:
        """Hand a taunt to everybody of a game, its author's connections included.

        ``player`` is -1 for an announcement. A game that nobody hears is no error.
        """
        room = self._rooms.get(game_number)
        if room is None:
            return
        data = encode_delivery(player, text)
        for member in room:
            member.send(data)
