"""What a person said the last time, so that he need not say it again; never a password."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from hearts.errors import InvalidRules
from hearts.game.rules import DEFAULT_END_SCORE, END_SCORES, STANDARD, Rules, parse_rules
from hearts.session.messages import TURN_LIMITS, Options
from hearts.wire.text import is_legible, is_visible
from hearts_client.commands.arguments import name_text
from hearts_client.library.client import DEFAULT_PORT
from hearts_client.library.reach import Tls

from .json_fields import Fields, as_text, as_whole, or_none
from .wish import ArrangeAlone, Guest, Join, OpenTable, PlayAlone, ShowTables

_LONGEST_HOST = 253
"""Characters of a name in the domain name system."""


class Memory(Struct, frozen=True, gc=False):
    """What is remembered from one run of the program to the next."""

    host: str = "localhost"
    port: int = DEFAULT_PORT
    tls: Tls | None = None
    """None for clear text."""
    name: str = ""
    """The name of the person; empty for none yet."""
    table: str = ""
    """The name of the table that was opened last."""
    options: Options = field(default_factory=Options)
    """How that table was to play."""
    alone_rules: Rules = STANDARD
    alone_end_score: int = DEFAULT_END_SCORE

    def after(self, wish: object) -> Memory:
        """The memory when something was wished for before the table."""
        match wish:
            case PlayAlone(name, rules, end_score):
                return replace(self, name=name, alone_rules=rules, alone_end_score=end_score)
            case ArrangeAlone(name):
                return replace(self, name=name)
            case Join(guest, table, options) if options is not None:
                return replace(self._at(guest), table=table, options=options)
            case Join(guest) | ShowTables(guest) | OpenTable(guest):
                return self._at(guest)
            case _:
                return self

    def _at(self, guest: Guest) -> Memory:
        return replace(self, host=guest.host, port=guest.port, tls=guest.tls, name=guest.name)


def wishes_of(count: int, rules: Rules | None, end: int | None, limit: int | None) -> Options:
    """Wishes for a table with ``count`` computers, which have the last seats."""
    return Options(frozenset(range(4 - count, 4)), rules, end, limit)


def to_dict(memory: Memory) -> dict[str, object]:
    """The form of the memory in a file."""
    options, tls = memory.options, memory.tls
    return {
        "host": memory.host,
        "port": memory.port,
        # Who trusted any server once shall say so again.
        "tls": None if tls is None else {"ca": None if tls.ca is None else str(tls.ca.absolute())},
        "name": memory.name,
        "table": memory.table,
        "rules": None if options.rules is None else str(options.rules),
        "end_score": options.end_score,
        "computers": len(options.computers),
        "turn_limit": options.turn_limit,
        "alone_rules": str(memory.alone_rules),
        "alone_end_score": memory.alone_end_score,
    }


def from_dict(data: Mapping[str, object]) -> tuple[Memory, list[str]]:
    """The memory of a file, and what is wrong there; a field that is wrong is as by default."""
    fields, usual = Fields(data), Memory()
    end_score = as_whole(END_SCORES.start, END_SCORES.stop - 1)
    turn_limit = as_whole(TURN_LIMITS.start, TURN_LIMITS.stop - 1)
    memory = Memory(
        host=fields.take("host", _host, usual.host),
        port=fields.take("port", as_whole(1, 65535), usual.port),
        tls=fields.take("tls", or_none(_tls), usual.tls),
        name=fields.take("name", _name, usual.name),
        table=fields.take("table", _name, usual.table),
        options=wishes_of(
            fields.take("computers", as_whole(0, 3), 0),
            fields.take("rules", or_none(_rules), None),
            fields.take("end_score", or_none(end_score), None),
            fields.take("turn_limit", or_none(turn_limit), None),
        ),
        alone_rules=fields.take("alone_rules", _rules, usual.alone_rules),
        alone_end_score=fields.take("alone_end_score", end_score, usual.alone_end_score),
    )
    return memory, fields.problems


def _host(value: object) -> str:
    host = as_text(value)
    if len(host) > _LONGEST_HOST or not is_legible(host) or not is_visible(host):
        raise ValueError("this is the name of no host")
    return host


def _name(value: object) -> str:
    return name_text(as_text(value)) if value != "" else ""


def _rules(value: object) -> Rules:
    try:
        return parse_rules(as_text(value))
    except InvalidRules as error:
        raise ValueError(str(error)) from None


def _tls(value: object) -> Tls:
    if not isinstance(value, dict):
        raise ValueError("give null, or an object with a ca")
    path = _path(value.get("ca"))
    return Tls(None if path is None else Path(path))


_path: Callable[[object], str | None] = or_none(as_text)
