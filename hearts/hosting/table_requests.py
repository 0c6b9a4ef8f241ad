"""What a client asks beside its play, and what is told of tables, for whoever answers it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from hearts.dealer.message import Message as Message
from hearts.dealer.messages import (
    InvitableCount,
    InvitableMessage,
    InvitationMessage,
    InvitationOver,
    PlayerCommentMessage,
    SeatMoved,
    ServerNotice,
    TableMessage,
    TablesMessage,
    Taken,
)
from hearts.dealer.numbers import DealerState
from hearts.dealer.requests import TYPES
from hearts.dealer.requests import AnswerInvitation as AnswerInvitation
from hearts.dealer.requests import BeInvitable as BeInvitable
from hearts.dealer.requests import HostRequest as HostRequest
from hearts.dealer.requests import Invite as Invite
from hearts.dealer.requests import MoveSeat as MoveSeat
from hearts.dealer.requests import SayWhileForming as SayWhileForming
from hearts.dealer.requests import StartTable as StartTable
from hearts.dealer.requests import TellInvitable as TellInvitable
from hearts.dealer.requests import TellTable as TellTable
from hearts.dealer.requests import TellTables as TellTables
from hearts.dealer.structures import PlayerInfo, RulesInfo
from hearts.errors import Fault
from hearts.table import Setting


class TableRequests(Protocol):
    """Answers what one client asks beside its play."""

    def ask(self, request: HostRequest, /) -> Sequence[Message] | Fault:
        """The answer, or why there is none."""

    def leave(self) -> None:
        """The client leaves for good before its table has begun."""


def table_told(
    name: str,
    setting: Setting,
    players: Sequence[str],
    *,
    private: bool,
    open_seats: int,
    game_number: int = 0,
    opener: int | None = None,
    left_ms: int | None = None,
) -> TableMessage:
    """A table as it is told to clients; without a game number it forms."""
    rules = RulesInfo(setting.rules, setting.end_score)
    limit = 1000 * setting.turn_limit
    return TableMessage(
        name, game_number, private, opener, open_seats, left_ms, rules, limit, tuple(players)
    )


def tables_told(count: int) -> TablesMessage:
    """So many tables were told of."""
    return TablesMessage(count)


def comment_told(player: int, text: str) -> PlayerCommentMessage:
    """Something that a player says while the table forms."""
    return PlayerCommentMessage(player, text)


def seat_told(player: int) -> SeatMoved:
    """The client has another seat of the table that forms."""
    return SeatMoved(player)


INVITATION = InvitationMessage
"""What asks a player to come to another table."""


def invitable_told(number: int, info: PlayerInfo) -> InvitableMessage:
    """Somebody can be invited by this number."""
    return InvitableMessage(number, info)


def invitable_count_told(count: int) -> InvitableCount:
    """So many who can be invited were told of."""
    return InvitableCount(count)


def invitation_told(
    name: str,
    setting: Setting,
    players: Sequence[str],
    *,
    private: bool,
    inviter: int,
    left_ms: int,
) -> InvitationMessage:
    """A player is asked to come to a table that forms."""
    rules = RulesInfo(setting.rules, setting.end_score)
    limit = 1000 * setting.turn_limit
    return InvitationMessage(
        left_ms, DealerState.INIT, inviter, name, private, rules, limit, tuple(players)
    )


def invitation_over_told(number: int, agreed: bool, why: str) -> InvitationOver:
    """An invitation is settled."""
    return InvitationOver(number, agreed, why)


def notice_told(text: str) -> ServerNotice:
    """Something that no other message tells."""
    return ServerNotice(text)


def taken_told(request: type[HostRequest]) -> Taken:
    """A request is taken."""
    return Taken(TYPES[request])
