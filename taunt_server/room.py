"""Rooms: the connections of each game, and the taunts they hear. Nothing crosses between games."""

from __future__ import annotations

from collections import OrderedDict
from typing import Protocol

from msgspec import Struct

from hearts.game.deal import parse_notice
from hearts.limits.buckets import put_last
from hearts.taunt.messages import encode_delivery
from hearts.wire.credentials import SERVER_PLAYER, SeatCredentials

CONNECTIONS_PER_SEAT = 4
"""Connections that one seat may have at once: a player's own, and old ones that are half-open."""
DEALS_KEPT = 8
"""Notices about deals that somebody hears who registers after they came, the last of a game."""
OTHERS_KEPT = 4
"""The same of all other notices: however many come, a commitment stays."""
NOTICES_KEPT = DEALS_KEPT + OTHERS_KEPT
LINES_KEPT = 12
"""Taunts of a game that are kept for a report, for NOTICES_SECONDS at most. Those of GAMES_KEPT
games take about 12 MiB."""
MUTED_KEPT = 4096
"""Seats that are muted at the same time; beyond that the one that was muted first may speak."""
NOTICES_SECONDS = 600.0
"""Seconds for which the notices of a game are kept that nobody hears."""
GAMES_KEPT = 4096
"""Games whose notices are kept; the one whose last notice is oldest goes first.

A notice takes at most 136 bytes as it is sent and about 220 in memory, so all of them take about
11 MiB at most.
"""
GAMES_WITH_HOLDERS = 16_384
"""Games whose changed seats are remembered; the one that was used longest ago goes first. About
6 MiB at most. A game is used by each notice and registration, so one that is played stays."""
REPLACED_NOTICE = "Somebody else has your seat now."


class Member(Protocol):
    """A registered connection, as the rooms see it."""

    @property
    def shown(self) -> SeatCredentials:
        """The numbers of the seat that it registered for."""

    def send(self, data: bytes) -> None:
        """Send without waiting and without raising."""

    def send_farewell(self, data: bytes) -> None:
        """Send the last bytes and end; it has left its room then."""


class _Kept(Struct, frozen=True, gc=False):
    """A notice that is kept."""

    data: bytes
    is_deal: bool


class Rooms:
    """The registered connections of all games; a game without any has no room.

    The game server's notices are kept for a while, for connections that come later. The last
    taunts of a game are kept as well, for reports to the host alone. No clock: time is handed in,
    as seconds.
    """

    def __init__(self) -> None:
        self._rooms: dict[int, list[Member]] = {}
        # By game and player: the Process ID that has a seat which another one had before.
        self._holders: OrderedDict[int, dict[int, int]] = OrderedDict()
        # By game and player: the Process ID of who is muted there, the end and the reason.
        self._muted: OrderedDict[tuple[int, int], tuple[int, str]] = OrderedDict()
        # By game: when each of its last taunts came, its player, and its bytes.
        self._lines: OrderedDict[int, list[tuple[float, int, bytes]]] = OrderedDict()
        # By game, the one that was quiet for longest first: since when, and its notices.
        self._notices: OrderedDict[int, tuple[float, tuple[_Kept, ...]]] = OrderedDict()

    def join(self, member: Member) -> bool:
        """Let a connection hear its game; ``False`` if its seat has CONNECTIONS_PER_SEAT."""
        room = self._rooms.get(member.shown.game_number, [])
        if sum(other.shown.player == member.shown.player for other in room) >= CONNECTIONS_PER_SEAT:
            return False
        self._rooms.setdefault(member.shown.game_number, room).append(member)
        return True

    def leave(self, member: Member) -> None:
        room = self._rooms.get(member.shown.game_number)
        if room is None or member not in room:
            return
        room.remove(member)
        if not room:
            del self._rooms[member.shown.game_number]

    def give_seat(self, game_number: int, player: int, process_id: int) -> None:
        """Give a seat to this Process ID alone; connections of the holder before are let go."""
        before = self._holders.pop(game_number, {})
        seats = before | {player: process_id}
        put_last(self._holders, game_number, seats, GAMES_WITH_HOLDERS)
        if before.get(player) != process_id and game_number in self._lines:
            # Nobody answers for what another has said at the same seat.
            kept = [line for line in self._lines[game_number] if line[1] != player]
            self._lines[game_number] = kept
            if not kept:
                del self._lines[game_number]
        for member in tuple(self._rooms.get(game_number, ())):
            if member.shown.player == player and member.shown.process_id != process_id:
                member.send_farewell(encode_delivery(SERVER_PLAYER, REPLACED_NOTICE))

    def is_holder(self, game_number: int, player: int, process_id: int) -> bool:
        """Return True if the seat still belongs to the player with this Process ID."""
        return self._use(game_number).get(player, process_id) == process_id

    def _use(self, game_number: int) -> dict[int, int]:
        """Give the holders of a game, and note its use: unused games are forgotten first."""
        if game_number in self._holders:
            self._holders.move_to_end(game_number)
        return self._holders.get(game_number, {})

    def mute(self, game_number: int, player: int, process_id: int, why: str) -> None:
        """Let nobody hear what this player says; the next player who has the seat may speak."""
        put_last(self._muted, (game_number, player), (process_id, why), MUTED_KEPT)

    def unmute(self, game_number: int, player: int) -> None:
        self._muted.pop((game_number, player), None)

    def why_muted(self, member: Member) -> str | None:
        """Return the end and the reason, which may be empty; None if a player may speak."""
        shown = member.shown
        process_id, why = self._muted.get((shown.game_number, shown.player), (None, ""))
        return why if process_id == shown.process_id else None

    def relay(self, game_number: int, player: int, text: str, now: float) -> None:
        """Hand a taunt to everybody of a game, its author's connections included.

        A game that nobody hears is no error.
        """
        self._forget(now)
        data = encode_delivery(player, text)
        self._send(game_number, data)
        kept = [*self._lines.get(game_number, ()), (now, player, data)][-LINES_KEPT:]
        put_last(self._lines, game_number, kept, GAMES_KEPT)

    def lines(self, game_number: int, now: float) -> list[bytes]:
        """Return the last taunts of those who have the seats of a game, the oldest first."""
        kept = self._lines.get(game_number, ())
        return [data for when, _, data in kept if now - when < NOTICES_SECONDS]

    def tell(self, seat: SeatCredentials, text: str) -> None:
        """Hand a notice to one player alone."""
        for member in self._rooms.get(seat.game_number, ()):
            if member.shown == seat:
                member.send(encode_delivery(SERVER_PLAYER, text))

    def announce(self, game_number: int, text: str, now: float) -> None:
        """Hand the game server's notice to everybody of a game, and keep it for later.

        A notice about a deal that is kept already was heard by everybody, and is not said again:
        the game server repeats it, because it does not know what is kept.
        """
        self._forget(now)
        self._use(game_number)
        _, notices = self._notices.pop(game_number, (now, ()))
        if len(self._notices) == GAMES_KEPT:
            self._notices.popitem(last=False)
        notice = _Kept(encode_delivery(SERVER_PLAYER, text), parse_notice(text) is not None)
        if not (notice.is_deal and notice in notices):
            notices = _with(notices, notice)
            self._send(game_number, notice.data)
        self._notices[game_number] = now, notices

    def notices(self, game_number: int, now: float) -> bytes:
        self._forget(now)
        _, notices = self._notices.get(game_number, (now, ()))
        return b"".join(notice.data for notice in notices)

    def _send(self, game_number: int, data: bytes) -> None:
        for member in self._rooms.get(game_number, ()):
            member.send(data)

    def _forget(self, now: float) -> None:
        while self._lines and now - next(iter(self._lines.values()))[-1][0] >= NOTICES_SECONDS:
            self._lines.popitem(last=False)
        while self._notices:
            game_number, (since, notices) = next(iter(self._notices.items()))
            if now - since < NOTICES_SECONDS:
                break
            del self._notices[game_number]
            if game_number in self._rooms:
                self._notices[game_number] = now, notices


def _with(notices: tuple[_Kept, ...], notice: _Kept) -> tuple[_Kept, ...]:
    """Return the notices with one more, in place of the oldest of its kind if there are too
    many.
    """
    alike = [kept for kept in notices if kept.is_deal == notice.is_deal]
    if len(alike) == (DEALS_KEPT if notice.is_deal else OTHERS_KEPT):
        notices = tuple(kept for kept in notices if kept is not alike[0])
    return (*notices, notice)
