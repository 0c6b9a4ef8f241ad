"""The notices of one table in the chat, and the facts about it that a taunt server needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from hearts.game.deal import parse_notice
from hearts.limits.news import NewsLimiter
from hearts.table.seat import Kind
from hearts.table.table import Table
from hearts.taunt.announcer import NOBODY

DEALS_KEPT = 8
"""Notices about deals that are told again: as many as a taunt server keeps of a game."""
OTHERS_KEPT = 4
"""The same of all other notices."""
_DEALS = -1
"""The topic of notices about deals that are repeated; others have the player they are about."""


class GameNotice(Struct, frozen=True, gc=False, tag=True):
    """Words for everybody of a game, or for one player with a Process ID only."""

    game_number: int
    text: str
    only: tuple[int, int] | None = None


class SeatHolder(Struct, frozen=True, gc=False, tag=True):
    """The new holder of a seat of a game; earlier holders are to be shut out."""

    game_number: int
    player: int
    process_id: int
    """NOBODY for a computer."""


class SeatMuted(Struct, frozen=True, gc=False, tag=True):
    """The news that a player is muted, until when and why, or no longer."""

    game_number: int
    player: int
    process_id: int
    muted: bool
    why: str = ""


Said = GameNotice | SeatHolder | SeatMuted


class TableChat:
    """The notices of one table; nobody can flood it by coming and going."""

    def __init__(self, game_number: int, table: Table, voice: Callable[[Said], None]) -> None:
        """``voice`` tells the taunt server something."""
        self._game_number = game_number
        self._table = table
        self._voice = voice
        self._muted: dict[int, SeatMuted] = {}
        self._deals = table.deal_notices[-DEALS_KEPT:]
        self._others: list[str] = []
        self.waiting: NewsLimiter[int, str] = NewsLimiter()
        """The notices that have to wait, by the player they are about."""

    def notice(self, text: str, *, passing: bool = False) -> None:
        """Say something that does not depend on what players do; a ``passing`` notice means nothing
        to players who come later."""
        self._announce(text, passing=passing or parse_notice(text) is not None)

    def announce(self, text: str, about: int | None, now: float) -> None:
        """Send a notice of the table; ``about`` is the player who comes or goes, if one does."""
        is_of_deal = about is None and parse_notice(text) is not None
        if is_of_deal:
            if text in self._deals:
                about = _DEALS
            else:
                self._deals = [*self._deals, text][-DEALS_KEPT:]
        if about is None or self.waiting.offer(about, text, now):
            self._announce(text, passing=is_of_deal)

    def send_due(self, now: float) -> None:
        for topic, _, text in self.waiting.take(now):
            self._announce(text, passing=topic == _DEALS)

    def _announce(self, text: str, *, passing: bool) -> None:
        if not passing:
            self._others = [*self._others, text][-OTHERS_KEPT:]
        self._voice(GameNotice(self._game_number, text))

    def seat_changed(self, player: int) -> None:
        self._muted.pop(player, None)
        self.waiting.forget(player)
        self._voice(SeatHolder(self._game_number, player, self._holder(player)))

    @property
    def muted(self) -> frozenset[int]:
        return frozenset(self._muted)

    def mute(self, player: int, process_id: int, *, muted: bool, why: str = "") -> None:
        said = SeatMuted(self._game_number, player, process_id, muted, why)
        if self._muted.get(player) == said:
            return
        if muted:
            self._muted[player] = said
        else:
            self._muted.pop(player, None)
        self._voice(said)

    def shut_out(self, player: int) -> None:
        """Shut a player out of the chat whom the host has removed from the table."""
        self.waiting.forget(player)
        self._voice(SeatHolder(self._game_number, player, NOBODY))

    def _holder(self, player: int) -> int:
        change = self._table.past.seat_changes[player]
        return change.process_id if change.kind is Kind.CLIENT else NOBODY

    def kept(self) -> Iterator[Said]:
        """Return the latest notices that are not about deals, for a taunt server that has just
        begun.

        It tells them to clients that come later. One that knows them already would tell them twice.
        """
        for text in self._others:
            yield GameNotice(self._game_number, text)

    def standing(self) -> Iterator[Said]:
        """Yield what a taunt server must know if it knows nothing of this table."""
        for player, seat in enumerate(self._table.seats):
            if seat.is_removed:
                yield SeatHolder(self._game_number, player, NOBODY)
            elif player in self._table.past.seat_changes:
                yield SeatHolder(self._game_number, player, self._holder(player))
        yield from self._muted.values()
        deals = self._deals.copy()
        commitment = self._table.commitment
        if commitment is not None and commitment not in deals:
            deals.append(commitment)
        for text in deals:
            yield GameNotice(self._game_number, text)
