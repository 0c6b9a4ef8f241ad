"""The wishes of a person before there is a table, as the pages give them."""

from __future__ import annotations

from enum import Enum, auto

from msgspec import Struct

from hearts.game.rules import DEFAULT_END_SCORE, STANDARD, Rules
from hearts.session.messages import Options
from hearts_client.session.saved import SavedSession
from hearts_client.session.visit import Guest


class PlayAlone(Struct, frozen=True, gc=False):
    """A game against three computers, here."""

    name: str
    rules: Rules = STANDARD
    end_score: int = DEFAULT_END_SCORE
    deal: str = ""
    """The code of the first deal; empty for a new one."""


class ArrangeAlone(Struct, frozen=True, gc=False):
    """Choose the rules of a game alone."""

    name: str


class Join(Struct, frozen=True, gc=False):
    """Sit down at a table of a server."""

    guest: Guest
    table: str = ""
    """Its name; empty for the next free seat."""
    options: Options | None = None
    """The wishes for the table if this opens it; None for the host's own."""
    is_listed: bool = False
    """True if it was chosen from the list of tables."""
    waits: bool = False
    """True if others may invite the person to their tables while it forms."""


class WaitForInvitation(Struct, frozen=True, gc=False):
    """Let others invite one to their tables, from a table of one's own."""

    guest: Guest


class ShowTables(Struct, frozen=True, gc=False):
    """See the list of tables of a server."""

    guest: Guest


class WatchWish(Struct, frozen=True, gc=False):
    """Watch a table of a server."""

    guest: Guest
    wanted: str
    """Its name or the number of its game; empty for the only one that plays."""


class OpenTableWish(Struct, frozen=True, gc=False):
    """Choose the rules of a table, and open it."""

    guest: Guest


class Resume(Struct, frozen=True):
    """Go on with a game that was left."""

    saved: SavedSession


class StartWish(Enum):
    """A wish that needs no more words."""

    STATISTICS = auto()
    RECORDS = auto()
    OPTIONS = auto()
    PROFILES = auto()
    QUIT = auto()
    """The end of the program."""


Wish = (
    PlayAlone
    | ArrangeAlone
    | Join
    | ShowTables
    | WatchWish
    | OpenTableWish
    | WaitForInvitation
    | Resume
    | StartWish
)
"""The wishes that the start screen gives."""


class JoinTableWish(Struct, frozen=True, gc=False):
    """Take a free seat at a table of the list."""

    name: str


class WatchTable(Struct, frozen=True, gc=False):
    """Watch a table of the list that plays."""

    game_number: int


class Go(Enum):
    """A way from a page that gives something else too."""

    BACK = auto()
    REFRESH = auto()
    """To the same tables, as the server has them then."""
    NEW_TABLE = auto()


LobbyWish = JoinTableWish | WatchTable | Go
"""The wishes that the list of tables gives."""
