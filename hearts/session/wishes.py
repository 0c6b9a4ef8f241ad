"""Wishes of a client besides choosing, in words of no dialect.

A wish is a value with its player and its object. Those about the play of a table are inputs of the
table (:mod:`hearts.table`). The others are below, and the lobby of a server answers them
(DealerSpec.md section 14.8). Either is granted, or declined with a fault.
"""

from __future__ import annotations

from msgspec import Struct

from hearts.table.inputs import Wish as PlayWish


class LobbyWish(Struct, frozen=True, gc=False):
    """A wish that is not about play."""

    player: int
    """The player who has it, 0-3, or 4 for a watcher."""


class ChatWhileForming(LobbyWish, frozen=True, gc=False):
    """Say something to those who wait at the same forming table."""

    text: str


class StartTable(LobbyWish, frozen=True, gc=False):
    """Let computers take the free seats of the forming table."""


class MoveSeat(LobbyWish, frozen=True, gc=False):
    """Have another seat of the forming table, one that is free."""

    seat: int


class SendAway(LobbyWish, frozen=True, gc=False):
    """Take the seat of a guest at the private table that the client opened, while it forms."""

    seat: int


class SetLevel(LobbyWish, frozen=True, gc=False):
    """Have the computer of a seat of the forming table play at a level; 0 for the host's own."""

    seat: int
    level: int


class AskHost(LobbyWish, frozen=True, gc=False):
    """Ask something of the host, in words: ``report WHO``."""

    text: str


class BeInvitable(LobbyWish, frozen=True, gc=False):
    """Let others invite the client to their forming tables, or do not."""

    wanted: bool


class AskForInvitable(LobbyWish, frozen=True, gc=False):
    """Ask for the players who can be invited."""


class Invite(LobbyWish, frozen=True, gc=False):
    """Ask one of them to come to the client's forming table."""

    number: int


class AnswerInvitation(LobbyWish, frozen=True, gc=False):
    """Come to the table that the client is invited to, or do not."""

    agreed: bool


class AskForTables(LobbyWish, frozen=True, gc=False):
    """Ask for all public tables."""


class AskForTable(LobbyWish, frozen=True, gc=False):
    """Ask for a table; for the client's own one, also for each change from now on."""

    table: str = ""
    """Its name; empty for the client's own."""


Asked = (
    ChatWhileForming
    | StartTable
    | MoveSeat
    | SendAway
    | SetLevel
    | AskHost
    | BeInvitable
    | AskForInvitable
    | Invite
    | AnswerInvitation
    | AskForTables
    | AskForTable
)
"""The wishes that the lobby of a server answers."""
Wish = PlayWish | Asked
