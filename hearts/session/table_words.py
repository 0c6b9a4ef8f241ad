"""Neutral values about tables and their players, for both dialects.

The host says it to its clients, and a client hears it. A dialect has bytes for it, or passes over
it: the dealer dialect has a row for each (:mod:`hearts.dealer.beside`), the plain one has
none.
"""

from __future__ import annotations

from enum import Enum
from typing import final

from msgspec import Struct
from msgspec.structs import replace

from hearts.errors import Fault
from hearts.game.rules import Rules
from hearts.table.effects import Change
from hearts.table.inputs import Input, Question

from .wishes import Asked, Wish


class PlayerKind(Enum):
    """The kind of player in a seat."""

    FREE = "free"
    COMPUTER = "computer"
    """A computer of the server."""
    PROGRAM = "program"
    PERSON = "person"
    NOT_SAID = "not said"
    """As for every plain client."""


class Presence(Enum):
    """The presence of somebody at a seat."""

    AWAY = "away"
    THERE = "there"
    STAND_IN = "stand-in"
    """Away, and a stand-in plays."""


class PlayerInfo(Struct, frozen=True, gc=False):
    """All that everybody may know of the player in a seat, or of a free seat."""

    player: int
    kind: PlayerKind
    level: int = 0
    """Their own estimate of their play; for a computer, and a free seat that one may take, the
    number of a level (block -15), or 0 for the host's own."""
    presence: Presence = Presence.THERE
    name: str = ""
    comment: str = ""


class Introduction(Struct, frozen=True, gc=False):
    """A player's description of themselves."""

    kind: PlayerKind = PlayerKind.NOT_SAID
    level: int = 0
    cuts: bool = False
    """True if they add a value to each deal."""
    comment: str = ""
    next_hash: bytes = b""
    """The hash of their value for the next deal, 32 bytes; empty if they do not cut."""


def still_program(before: Introduction | None, said: Introduction) -> Introduction:
    """Return an introduction that follows another one: a program stays a program."""
    if before is None or before.kind is not PlayerKind.PROGRAM:
        return said
    return replace(said, kind=PlayerKind.PROGRAM)


@final
class Introduced(Struct, frozen=True, gc=False):
    """A player has said who they are."""

    player: int
    said: Introduction


class Description(Struct, frozen=True, array_like=True):
    """The part of an introduction that is kept with the seat; what was not said has its default."""

    kind: PlayerKind = PlayerKind.NOT_SAID
    level: int = 0
    comment: str = ""


UNSAID = Description()
"""They have said nothing."""


class AbortLater(Enum):
    """The steps that may follow a game that is broken off."""

    NOTHING = "nothing"
    """The session is over."""
    COME_BACK = "come back"
    """The session can be come back to later."""
    ANOTHER_GAME = "another game"
    """Another game, at once."""


# To everybody at a table


class RegisterOpponents(Struct, frozen=True, gc=False):
    """The players in seats 0-3."""

    players: tuple[PlayerInfo, ...]


class PlayerChange(Struct, frozen=True, gc=False):
    """Something has happened to a seat."""

    change: Change | None
    """None for a change that only a later version knows."""
    info: PlayerInfo
    """The state after it."""


class Waiting(Struct, frozen=True, gc=False):
    """The players that the table waits for, or the free seats."""

    question: Question | None
    """The question to them; None while the table forms and waits for players."""
    players: tuple[int, ...]
    """The players who are waited for, or the free seats of a table that forms."""
    waited: int
    """Milliseconds since it waits."""
    left: int | None
    """Milliseconds until it goes on without them, or computers take the free seats; None for
    never."""


class ServerNotice(Struct, frozen=True, gc=False):
    """A notice in words, for news that has no message of its own."""

    text: str


class AbortGame(Struct, frozen=True, gc=False):
    """The table ends before its players are done."""

    later: AbortLater
    why: str


class Replay(Struct, frozen=True, gc=False):
    """The past begins, or it is over."""

    begins: bool


# Of tables that somebody has asked for


class TableMessage(Struct, frozen=True, gc=False):
    """A table as it is now: the client's own, or one that it has asked for."""

    table: str
    """Its name."""
    game_number: int
    """0 while it is forming."""
    private: bool
    opener: int | None
    """The player who may start it with computers; None if nobody may."""
    open_seats: int
    left: int | None
    """Milliseconds until computers take the free seats; None for never."""
    rules: Rules
    end_score: int
    turn_limit: int
    """Seconds for each choice; 0 for no limit."""
    names: tuple[str, ...]
    """Of players 0-3; empty for a seat that nobody has."""


class TablesMessage(Struct, frozen=True, gc=False):
    """The end of the list of tables, with the number of tables."""

    count: int


class PlayerCommentMessage(Struct, frozen=True, gc=False):
    """Something that a player says while the table is forming."""

    player: int
    text: str


class SeatMoved(Struct, frozen=True, gc=False):
    """The client has another seat of the table that forms."""

    player: int


class InvitableMessage(Struct, frozen=True, gc=False):
    """Somebody who can be invited to a table that forms."""

    number: int
    """The number by which they are invited."""
    info: PlayerInfo


class InvitableCount(Struct, frozen=True, gc=False):
    """The end of a list of players who can be invited, with the number of them."""

    count: int


class InvitationMessage(Struct, frozen=True, gc=False):
    """The client is invited to a table that forms, and is to say whether it comes."""

    left: int | None
    """Milliseconds to answer in."""
    inviter: int
    """The player of that table who invites."""
    table: str
    private: bool
    rules: Rules
    end_score: int
    turn_limit: int
    """Seconds for each choice; 0 for no limit."""
    names: tuple[str, ...]
    """The names of players 0-3 there; empty for a seat that nobody has."""
    number: int = 0
    """The number of the player who is invited; a client is not told it."""


class InvitationOver(Struct, frozen=True, gc=False):
    """An invitation is settled; told to the player who was invited, and to the inviter."""

    number: int
    """The number of the player who was invited."""
    agreed: bool
    why: str


# Of wishes


class Taken(Struct, frozen=True, gc=False):
    """A wish is taken; its effects come when they happen."""

    wish: type[Wish] | None
    """None for one that only a later version knows."""


class Declined(Struct, frozen=True, gc=False):
    """Something that a client sent is not taken, and nothing else has happened."""

    wish: type[Wish] | None
    """None for an answer to a question."""
    fault: Fault
    why: str = ""
    """The server's words."""


class Refused(Struct, frozen=True, gc=False):
    """The registration is refused; the server ends the connection."""

    code: int
    reason: str
    """The server's words; empty if it gave none."""


TableNews = (
    RegisterOpponents
    | PlayerChange
    | Waiting
    | ServerNotice
    | AbortGame
    | TableMessage
    | TablesMessage
    | PlayerCommentMessage
    | SeatMoved
    | InvitableMessage
    | InvitableCount
    | InvitationMessage
    | InvitationOver
    | Taken
    | Declined
)
"""All that a client hears beside the game."""
Beside = TableNews | Replay | Refused
"""All that it may be told, with what only its connection has to know."""
Given = Input | Introduced | Asked
"""All that a client's bytes may mean."""


def computer(player: int, name: str, level: int = 0) -> PlayerInfo:
    return PlayerInfo(player, PlayerKind.COMPUTER, level, name=name)


def nobody(player: int, level: int = 0) -> PlayerInfo:
    return PlayerInfo(player, PlayerKind.FREE, level, presence=Presence.AWAY)


def person(
    player: int, name: str, said: Description = UNSAID, presence: Presence = Presence.THERE
) -> PlayerInfo:
    """Describe the player of a seat with a client, with their words about themselves."""
    return PlayerInfo(player, said.kind, said.level, presence, name, said.comment)


def description(said: Introduction | PlayerInfo | None) -> Description:
    """Return the part of a player's words, or of the news about them, that is kept."""
    return UNSAID if said is None else Description(said.kind, said.level, said.comment)
