"""What a client asks of its host, and not of the game: of tables, of one that forms, to leave.

DealerSpec.md section 14.8. A host that has no answer says that it is not possible now.
"""

from __future__ import annotations

from msgspec import Struct

from . import answers
from .answers import Answer
from .numbers import MessageType


class SayWhileForming(Struct, frozen=True, gc=False):
    """Say something to those who wait at the same forming table."""

    text: str


class StartTable(Struct, frozen=True, gc=False):
    """Let computers take the free seats of the forming table."""


class MoveSeat(Struct, frozen=True, gc=False):
    """Have another seat of the forming table, one that is free."""

    player: int
    """The seat that is wanted, 0-3."""


class BeInvitable(Struct, frozen=True, gc=False):
    """Let others invite the client to their forming tables, or do not."""

    wanted: bool


class TellInvitable(Struct, frozen=True, gc=False):
    """Tell of those who can be invited."""


class Invite(Struct, frozen=True, gc=False):
    """Ask one of them to come to the client's forming table."""

    number: int


class AnswerInvitation(Struct, frozen=True, gc=False):
    """Come to the table that the client is invited to, or do not."""

    agreed: bool


class TellTables(Struct, frozen=True, gc=False):
    """Tell of all public tables."""


class TellTable(Struct, frozen=True, gc=False):
    """Tell of a table; of the client's own from now on whenever somebody comes or leaves."""

    name: str
    """Empty for the client's own."""


HostRequest = (
    SayWhileForming
    | StartTable
    | MoveSeat
    | BeInvitable
    | TellInvitable
    | Invite
    | AnswerInvitation
    | TellTables
    | TellTable
)

TYPES: dict[type[HostRequest], MessageType] = {
    SayWhileForming: MessageType.PLAYER_COMMENT,
    StartTable: MessageType.START_TABLE,
    MoveSeat: MessageType.MOVE_SEAT,
    BeInvitable: MessageType.INVITABLE,
    TellInvitable: MessageType.ASK_INVITABLE,
    Invite: MessageType.INVITE,
    AnswerInvitation: MessageType.INVITATION,
    TellTables: MessageType.ASK_TABLES,
    TellTable: MessageType.ASK_TABLE,
}
"""The message that each came in."""


def host_request(request: Answer) -> HostRequest:
    """What a frame of a client asks of its host."""
    match request:
        case answers.CommentRequest(text):
            return SayWhileForming(text)
        case answers.StartTableRequest():
            return StartTable()
        case answers.MoveSeatRequest(player):
            return MoveSeat(player)
        case answers.InvitableRequest(wanted):
            return BeInvitable(wanted)
        case answers.AskInvitableRequest():
            return TellInvitable()
        case answers.InviteRequest(number):
            return Invite(number)
        case answers.AskTablesRequest():
            return TellTables()
        case answers.AskTableRequest(name):
            return TellTable(name)
        case _:
            raise AssertionError(f"a {type(request).__name__} is no request")
