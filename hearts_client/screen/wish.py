"""What a person wants before there is a table, as the pages give it."""

from __future__ import annotations

from dataclasses import dataclass, field

from hearts.game.rules import DEFAULT_END_SCORE, STANDARD, Rules
from hearts.session.messages import Options
from hearts_client.library.reach import Tls
from hearts_client.session.saved import SavedSession


@dataclass(frozen=True, slots=True)
class Guest:
    """Where somebody wants to play, and as whom."""

    host: str
    port: int
    name: str
    tls: Tls | None = None
    """None for clear text."""
    password: str = field(default="", repr=False)
    """Empty for none."""


@dataclass(frozen=True, slots=True)
class PlayAlone:
    """A game against three computers, here."""

    name: str
    rules: Rules = STANDARD
    end_score: int = DEFAULT_END_SCORE
    deal: str = ""
    """The code of the first deal; empty for a new one."""


@dataclass(frozen=True, slots=True)
class ArrangeAlone:
    """Choose the rules of a game alone."""

    name: str


@dataclass(frozen=True, slots=True)
class Join:
    """Sit down at a table of a server."""

    guest: Guest
    table: str = ""
    """Its name; empty for the next free seat."""
    options: Options | None = None
    """How the table shall play if this opens it; None for the host's own."""


@dataclass(frozen=True, slots=True)
class ShowTables:
    """See the list of tables of a server."""

    guest: Guest


@dataclass(frozen=True, slots=True)
class Watch:
    """Watch a table of a server."""

    guest: Guest
    wanted: str
    """Its name or the number of its game; empty for the only one that plays."""


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Choose the rules of a table, and open it."""

    guest: Guest


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on with a game that was left."""

    saved: SavedSession


@dataclass(frozen=True, slots=True)
class ShowStatistics:
    """See the figures of the games that were played."""


@dataclass(frozen=True, slots=True)
class ShowRecords:
    """See the games that were played, and replay one."""


@dataclass(frozen=True, slots=True)
class ShowOptions:
    """See the settings, and change them."""


@dataclass(frozen=True, slots=True)
class Quit:
    """End the program."""


Wish = (
    PlayAlone
    | ArrangeAlone
    | Join
    | ShowTables
    | Watch
    | OpenTable
    | Resume
    | ShowStatistics
    | ShowRecords
    | ShowOptions
    | Quit
)
"""What the start screen gives."""


@dataclass(frozen=True, slots=True)
class Refresh:
    """Ask the server for its tables again."""


@dataclass(frozen=True, slots=True)
class JoinTable:
    """Take a free seat at a table of the list."""

    name: str


@dataclass(frozen=True, slots=True)
class WatchTable:
    """Watch a table of the list that plays."""

    game_number: int


@dataclass(frozen=True, slots=True)
class NewTable:
    """Open another table."""


@dataclass(frozen=True, slots=True)
class Back:
    """Go back to where one came from."""


LobbyWish = Refresh | JoinTable | WatchTable | NewTable | Back
"""What the list of tables gives."""
