"""The messages between a host and their running server at the console.

The console is the Unix socket ``console`` in the data dir, for the server's own user alone. A line
is one JSON object in UTF-8 and ends with LF. The host sends one request, of at most LONGEST_LINE
bytes, and reads lines until the server closes. ``tables`` is answered by a line for each table.
The last line always says ``done`` or ``refused``, in words for people::

    > {"do":"remove","game":17,"seat":1}
    < {"is":"done","text":"Bob is removed from seat 1 of game 17"}

What is missing from a line has its default; a key that nobody knows is an error in a request, and
is to be skipped in an answer.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Literal, TypeVar, assert_never

from msgspec import Meta, MsgspecError, Struct, json

from hearts.errors import HeartsError

LONGEST_LINE = 4096
"""Bytes of a request, with its end."""

SaidT = TypeVar("SaidT")
GameNumber = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Seat = Annotated[int, Meta(ge=0, le=3)]
Hours = Annotated[int, Meta(ge=1, le=87_600)]


class _Request(Struct, frozen=True, gc=False, tag_field="do", forbid_unknown_fields=True):
    """A wish of the host."""


class LookAround(_Request, frozen=True, tag="tables"):
    """Ask for the tables, and the people at them."""


class SayToTables(_Request, frozen=True, tag="say"):
    """Tell something to the players and watchers of one table, or of all tables that play."""

    text: str
    game: GameNumber | None = None


class EndTable(_Request, frozen=True, tag="end"):
    """End a table for good, in the middle of its hand."""

    game: GameNumber


class RemoveFromSeat(_Request, frozen=True, tag="remove"):
    """Take a player from a table; they cannot come back to their seat."""

    game: GameNumber
    seat: Seat


class MutePlayer(_Request, frozen=True, tag="mute"):
    """Mute a player in the chat, or unmute them."""

    who: str
    """Their name, GAME/SEAT, such as ``17/1``, or an address."""
    muted: bool = True
    hours: Hours | None = None
    """None for good."""
    why: str = ""
    """The reason that they are told."""


class WarnPlayer(_Request, frozen=True, tag="warn"):
    """Tell one player something that nobody else hears."""

    who: str
    """Their name, or GAME/SEAT, such as ``17/1``."""
    why: str


class BanPerson(_Request, frozen=True, tag="ban"):
    """Let a person in no more, nor anybody of their network; they lose their seats."""

    who: str
    """Their name, GAME/SEAT, such as ``17/1``, or an address."""
    hours: Hours | None = None
    why: str = ""


class LiftBan(_Request, frozen=True, tag="unban"):
    """Let the people of a network in again."""

    network: str


class LookAtBans(_Request, frozen=True, tag="bans"):
    """Ask for those who are banned or muted."""


class AppointModerator(_Request, frozen=True, tag="moderator"):
    """Let the owner of a name act in the place of the host, or no more; without a name, ask for
    those who may.
    """

    name: str = ""
    remove: bool = False


class LookAtActs(_Request, frozen=True, tag="acts"):
    """Ask for the acts of host and moderators, the latest last."""


class LookAtReports(_Request, frozen=True, tag="reports"):
    """Ask for what players have reported of others, the latest last."""


class LookAtNames(_Request, frozen=True, tag="names"):
    """Ask for the names that are claimed, or for all that is stored about one, or end a claim."""

    act: Literal["free", "give-up", "export", "invite"] | None = None
    """None to list them; give-up takes the name out of what is stored as well; invite lets a
    newcomer claim it, or any without a name.
    """
    name: str = ""


class InviteToTable(_Request, frozen=True, tag="invite"):
    """Invite a player who waits for that to a table that forms; done when they have answered."""

    who: str
    """The player's name, or the number of SeatLine."""
    table: str


class AskInvitation(_Request, frozen=True, tag="invitation"):
    """Ask for what friends have to type, with the password."""


Request = (
    LookAround
    | SayToTables
    | EndTable
    | RemoveFromSeat
    | MutePlayer
    | WarnPlayer
    | BanPerson
    | LiftBan
    | LookAtBans
    | AppointModerator
    | LookAtActs
    | LookAtReports
    | LookAtNames
    | InviteToTable
    | AskInvitation
)


class TableStage(Enum):
    """The stage of a table."""

    FORMING = "forming"
    PLAYING = "playing"
    PAUSED = "paused"
    """Nobody is connected."""


class SeatKind(Enum):
    """The kind of player who has a seat."""

    PERSON = "person"
    """A client; it may be a program."""
    COMPUTER = "computer"
    NOBODY = "nobody"


class SeatLine(Struct, frozen=True, gc=False, omit_defaults=True):
    """A seat of a table, with its holder."""

    seat: int
    kind: SeatKind
    name: str = ""
    address: str = ""
    """The address of its client; empty if it is not connected."""
    connected: bool = False
    played_for: bool = False
    """True if a stand-in plays for a person."""
    muted: bool = False
    is_program: bool = False
    """True if the client has said that it is a program, or its name is claimed for one."""
    invitable: int = 0
    """The number by which a person is invited who waits to come to another table; 0 for nobody."""


class TableLine(Struct, frozen=True, gc=False, omit_defaults=True, tag_field="is", tag="table"):
    """A table. No card of a hand that is played can be told from this."""

    name: str
    state: TableStage
    private: bool
    since: int
    """The time at which it was opened (one that forms) or began, as Unix time in seconds."""
    seats: tuple[SeatLine, SeatLine, SeatLine, SeatLine]
    game: int = 0
    """Its game number; 0 while it is forming."""
    hand: int = 0
    """The hand of the game, from 1; 0 before the first deal."""
    trick: int = 0
    """The trick of the hand, from 1; 0 before the first one."""
    watchers: int = 0


class Done(Struct, frozen=True, gc=False, tag_field="is", tag="done"):
    """It is done; nothing follows."""

    text: str


class NotDone(Struct, frozen=True, gc=False, tag_field="is", tag="refused"):
    """It cannot be done; nothing follows."""

    text: str


Answer = TableLine | Done | NotDone

REQUESTS: json.Decoder[Request] = json.Decoder(Request)
ANSWERS: json.Decoder[Answer] = json.Decoder(Answer)


class BadLine(HeartsError, ValueError):
    """A line that is no request, or no answer."""


def decode(decoder: json.Decoder[SaidT], line: bytes) -> SaidT:
    """Read a line of REQUESTS or of ANSWERS. Raises BadLine."""
    try:
        return decoder.decode(line)
    except (MsgspecError, ValueError, RecursionError) as error:
        raise BadLine(str(error)) from None


def encode(said: Request | Answer) -> bytes:
    return json.encode(said) + b"\n"


def in_words(request: Request) -> str:
    match request:
        case LookAround():
            return "tables"
        case SayToTables(text, None):
            return f"say {text}"
        case SayToTables(text, game):
            return f"say --table {game} {text}"
        case EndTable(game):
            return f"end {game}"
        case RemoveFromSeat(game, seat):
            return f"remove {game} {seat}"
        case MutePlayer(who, False):
            return f"mute --off {who}"
        case MutePlayer(who, _, hours, why) | BanPerson(who, hours, why):
            act = "ban" if isinstance(request, BanPerson) else "mute"
            return f"{act} {who}{(hours and f' --hours {hours}') or ''}{why and f' --why {why}'}"
        case WarnPlayer(who, why):
            return f"warn {who} {why}"
        case LiftBan(network):
            return f"unban {network}"
        case LookAtBans():
            return "bans"
        case AppointModerator(name, remove):
            return f"moderator {'--remove ' if remove else ''}{name}".strip()
        case LookAtActs():
            return "acts"
        case LookAtReports():
            return "reports"
        case LookAtNames(None):
            return "names"
        case LookAtNames(act, name):
            return f"names {act} {name}"
        case InviteToTable(who, table):
            return f"invite {who} --table {table}"
        case AskInvitation():
            return "invitation"
        case _:
            assert_never(request)
