"""The wishes of a person before there is a table, as the pages give them, and the memory of the
latest entries; never a password."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from hearts.game.rules import DEFAULT_END_SCORE, END_SCORES, STANDARD, Rules, parse_rules
from hearts.session.client_events import TablesListed
from hearts.session.messages import NO_CLOCK_ALONE, TURN_LIMITS, Options
from hearts.settings.readers import LEVELS
from hearts.wire.text import is_legible, is_visible
from hearts_client.commands.arguments import name_text
from hearts_client.library.client import DEFAULT_PORT
from hearts_client.library.reach import DEFAULT_TAUNT_PORT, Tls
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


class ShowStandings(Struct, frozen=True, gc=False):
    guest: Guest


class WatchWish(Struct, frozen=True, gc=False):
    guest: Guest
    wanted: str
    """Its name or the number of its game; empty for the only one that plays."""
    listed: int = 0
    """The number of its game, if it was chosen from the list of tables."""


class PlayDay(Struct, frozen=True, gc=False):
    """Play the deal of the day, or look at what came of it."""

    guest: Guest


class OpenTableWish(Struct, frozen=True, gc=False):
    guest: Guest


class OwnNameWish(Struct, frozen=True, gc=False):
    """Claim the name of a guest at their server, or take it back."""

    guest: Guest


class Resume(Struct, frozen=True):
    saved: SavedSession


class StartWish(Enum):
    """A wish that needs no more words."""

    LESSON = auto()
    RULES = auto()
    STATISTICS = auto()
    RECORDS = auto()
    MISTAKES = auto()
    OPTIONS = auto()
    PROFILES = auto()
    QUIT = auto()


AtServer = Join | OpenTableWish | ShowTables | ShowStandings | WatchWish | PlayDay
"""The wishes for which a server may ask for a password."""
Wish = AtServer | PlayAlone | ArrangeAlone | OwnNameWish | Resume | StartWish
"""A wish that pages give."""


_LONGEST_HOST = 253
"""Characters of a name in the domain name system."""
_EndScore = Annotated[int, Meta(ge=END_SCORES.start, lt=END_SCORES.stop)]


class Memory(Struct, frozen=True, gc=False):
    """The values that are remembered from one run of the program to the next."""

    host: Annotated[str, Meta(max_length=_LONGEST_HOST)] = "localhost"
    port: Annotated[int, Meta(ge=1, le=65535)] = DEFAULT_PORT
    tls: Tls | None = None
    taunt_port: Annotated[int, Meta(ge=0, le=65535)] = DEFAULT_TAUNT_PORT
    """The port of the server's chat; 0 for none."""
    name: str = ""
    table: str = ""
    """The name of the table that was opened last; its rules and so on follow."""
    rules: str | None = None
    """None for the host's own."""
    end_score: _EndScore | None = None
    computers: Annotated[int, Meta(ge=0, le=3)] = 0
    level: Annotated[int, Meta(ge=0, le=max(LEVELS.values()))] = 0
    turn_limit: Annotated[int, Meta(ge=TURN_LIMITS.start, lt=TURN_LIMITS.stop)] | None = None
    alone_rules: str = str(STANDARD)
    alone_end_score: _EndScore = DEFAULT_END_SCORE

    def alone(self, name: str, deal: str = "") -> PlayAlone:
        """Give the wish for a game alone, as the last one was."""
        return PlayAlone(name, parse_rules(self.alone_rules), self.alone_end_score, deal)

    def after(self, wish: object) -> Memory:
        """Return the memory when something was wished for before the table."""
        match wish:
            case PlayAlone(name, rules, end_score):
                rules_text = str(rules)
                return replace(self, name=name, alone_rules=rules_text, alone_end_score=end_score)
            case ArrangeAlone(name):
                return replace(self, name=name)
            case Join(guest, table, options) if options is not None:
                return replace(
                    self._at(guest),
                    table=table,
                    rules=None if options.rules is None else str(options.rules),
                    end_score=options.end_score,
                    computers=len(options.computers),
                    level=options.levels[-1],
                    turn_limit=None if options.turn_limit == NO_CLOCK_ALONE else options.turn_limit,
                )
            case (
                Join(guest)
                | ShowTables(guest)
                | OpenTableWish(guest)
                | OwnNameWish(guest)
                | PlayDay(guest)
            ):
                return self._at(guest)
            case _:
                return self

    def _at(self, guest: Guest) -> Memory:
        return replace(
            self,
            host=guest.host,
            port=guest.port,
            tls=guest.tls,
            taunt_port=guest.taunt_port,
            name=guest.name,
        )


def _host(host: str) -> str:
    if not is_legible(host) or not is_visible(host):
        raise ValueError("this is the name of no host")
    return host


def _name(name: str) -> str:
    return name_text(name) if name else ""


def _rules(text: str) -> str:
    return str(parse_rules(text))


MEMORY_CHECKS: Mapping[str, Callable[[Any], object]] = {
    "host": _host,
    "tls": lambda tls: Tls(tls.ca),
    "name": _name,
    "table": _name,
    "rules": _rules,
    "alone_rules": _rules,
}
"""Take what a file has in place of a value."""
