"""The wishes of a person before there is a table, as the pages give them."""

from __future__ import annotations

from enum import Enum, auto

from msgspec import Struct

from hearts.game.rules import DEFAULT_END_SCORE, STANDARD, Rules
from hearts.session.client_events import TablesListed
from hearts.session.messages import Options
from hearts_client.session.saved import SavedSession
from hearts_client.session.visit import Guest


class PlayAlone(Struct, frozen=True, gc=False):
    name: str
    rules: Rules = STANDARD
    end_score: int = DEFAULT_END_SCORE
    deal: str = ""
    """The code of the first deal; empty for a new one."""


class ArrangeAlone(Struct, frozen=True, gc=False):
    """Choose the rules of a game alone."""

    name: str


class Join(Struct, frozen=True, gc=False):
    guest: Guest
    table: str = ""
    """Its name; empty for the next free seat."""
    options: Options | None = None
    """The wishes for the table if this opens it; None for the host's own."""
    is_listed: bool = False
    """True if it was chosen from the list of tables."""
    waits: bool = False
    """True if others may invite the person to their tables while it forms."""


class ShowTables(Struct, frozen=True, gc=False):
    guest: Guest
    looked_at: str = ""
    """The name of the table at which the person begins; empty for the first one."""
    listed: TablesListed | None = None
    """The tables; None to ask for them."""


class WatchWish(Struct, frozen=True, gc=False):
    guest: Guest
    wanted: str
    """Its name or the number of its game; empty for the only one that plays."""
    listed: int = 0
    """The number of its game, if it was chosen from the list of tables."""


class OpenTableWish(Struct, frozen=True, gc=False):
    guest: Guest


class Resume(Struct, frozen=True):
    saved: SavedSession


class StartWish(Enum):
    """A wish that needs no more words."""

    STATISTICS = auto()
    RECORDS = auto()
    OPTIONS = auto()
    PROFILES = auto()
    QUIT = auto()


Wish = PlayAlone | ArrangeAlone | Join | ShowTables | WatchWish | OpenTableWish | Resume | StartWish
"""A wish that pages give."""
