"""What everybody at a table is told of its seats, in frames: no more than can be followed.

While a change waits, newcomers are shown what the others were told, so that the changes that come
then make sense to everybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from hearts.limits import NewsLimiter
from hearts.session.table_words import PlayerInfo, PlayerKind, Presence
from hearts.table import Change

Told = tuple[Change, PlayerInfo]

_OFTEN = (Change.LEFT, Change.BACK, Change.STAND_IN, Change.INTRODUCED)
"""What a client alone can bring about, as often as it likes."""


class SeatNews:
    """Which changes of four seats are told, and when."""

    def __init__(self) -> None:
        self.waiting: NewsLimiter[int, PlayerInfo] = NewsLimiter()
        """What has to wait, by player."""

    def shown(self, info: PlayerInfo) -> PlayerInfo:
        """What everybody at the table knows of a player of whom ``info`` is true."""
        return self.waiting.told_before(info.player) or info

    @staticmethod
    def since(then: Iterable[PlayerInfo], now: Iterable[PlayerInfo]) -> Iterator[Told]:
        """The changes that lead from what was shown of players to what is shown of them now."""
        for told, info in zip(then, now, strict=True):
            if info.kind is told.kind or PlayerKind.COMPUTER not in (info.kind, told.kind):
                yield from _steps(told, info)
            else:
                yield Change.COMPUTER if info.kind is PlayerKind.COMPUTER else Change.TAKEN, info

    def happened(self, info: PlayerInfo, change: Change, now: float) -> list[Told]:
        """What is to be told at once of a change, after which ``info`` is true of its player."""
        player = info.player
        if change not in _OFTEN:
            self.waiting.was_told(player, info)
        elif not self.waiting.offer(player, info, now):
            return []
        return [(change, info)]

    def take(self, now: float) -> list[Told]:
        """What waited and is due."""
        return [step for _, told, info in self.waiting.take(now) for step in _steps(told, info)]

    def settle(self, player: int) -> list[Told]:
        """What waits of a player, for he is about to lose his seat."""
        told, info = self.waiting.told_before(player), self.waiting.waiting(player)
        if told is None or info is None:
            return []
        self.waiting.was_told(player, info)
        return list(_steps(told, info))


def _steps(told: PlayerInfo, info: PlayerInfo) -> Iterator[Told]:
    """The changes that lead from what was told to what is so; what came in between is left out."""
    presence = told.presence
    if info.presence is Presence.THERE != presence:
        yield Change.BACK, replace(told, presence=Presence.THERE)
    if info.presence is Presence.AWAY and presence is Presence.STAND_IN:
        yield Change.BACK, replace(told, presence=Presence.THERE)
        presence = Presence.THERE
    if info.presence is not Presence.THERE and presence is Presence.THERE:
        yield Change.LEFT, replace(told, presence=Presence.AWAY)
        presence = Presence.AWAY
    if info.presence is Presence.STAND_IN and presence is Presence.AWAY:
        yield Change.STAND_IN, replace(told, presence=Presence.STAND_IN)
    if info != replace(told, presence=info.presence):
        yield Change.INTRODUCED, info
