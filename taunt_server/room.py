"""Who is in which game, and who hears what. Nothing crosses from one game to another."""

from __future__ import annotations

from collections import OrderedDict
from typing import Protocol

from hearts.credentials import SERVER_PLAYER
from hearts.taunt import encode_delivery

CONNECTIONS_PER_SEAT = 4
"""Connections that one seat may have at once: a player's own, and old ones that are half-open."""
NOTICES_KEPT = 12
"""Notices of a game that somebody hears who registers after they came, the last ones."""
NOTICES_SECONDS = 600.0
"""Seconds for which the notices of a game are kept that nobody hears."""
GAMES_KEPT = 4096
"""Games whose notices are kept; the one whose last notice is oldest goes first.

A notice takes at most 136 bytes as it is sent and 169 in memory, so all of them take about 10 MiB
at most.
"""


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
    """The registered connections of all games; a game without any has no room.

    The game server's notices are kept for a while, for whoever comes later; taunts never are. No
    clock: time is handed in, as seconds.
    """

    __slots__ = ("_notices", "_rooms")

    def __init__(self) -> None:
        self._rooms: dict[int, list[Member]] = {}
        # By game, the one that was quiet for longest first: since when, and its notices.
        self._notices: OrderedDict[int, tuple[float, tuple[bytes, ...]]] = OrderedDict()

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

        A game that nobody hears is no error.
        """
        self._send(game_number, encode_delivery(player, text))

    def announce(self, game_number: int, text: str, now: float) -> None:
        """Hand the game server's notice to everybody of a game, and keep it for later."""
        data = encode_delivery(SERVER_PLAYER, text)
        self._send(game_number, data)
        self._forget(now)
        _, notices = self._notices.pop(game_number, (now, ()))
        if len(self._notices) == GAMES_KEPT:
            self._notices.popitem(last=False)
        self._notices[game_number] = now, (*notices, data)[-NOTICES_KEPT:]

    def notices(self, game_number: int, now: float) -> bytes:
        """The notices that are kept of a game, as they were sent, in order."""
        self._forget(now)
        _, notices = self._notices.get(game_number, (now, ()))
        return b"".join(notices)

    @property
    def games_remembered(self) -> int:
        """How many games have notices that are kept."""
        return len(self._notices)

    def _send(self, game_number: int, data: bytes) -> None:
        for member in self._rooms.get(game_number, ()):
            member.send(data)

    def _forget(self, now: float) -> None:
        while self._notices:
            game_number, (since, notices) = next(iter(self._notices.items()))
            if now - since < NOTICES_SECONDS:
                break
            del self._notices[game_number]
            if game_number in self._rooms:
                self._notices[game_number] = now, notices
