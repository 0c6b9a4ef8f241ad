"""The memory of what a person said the last time; never a password."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct, field, to_builtins
from msgspec.structs import replace

from hearts.game.rules import DEFAULT_END_SCORE, END_SCORES, STANDARD, Rules, parse_rules
from hearts.session.messages import TURN_LIMITS, Options
from hearts.wire.text import is_legible, is_visible
from hearts_client.commands.arguments import name_text
from hearts_client.library.client import DEFAULT_PORT
from hearts_client.library.reach import DEFAULT_TAUNT_PORT, Tls
from hearts_client.screen.wish import (
    ArrangeAlone,
    Join,
    OpenTableWish,
    PlayAlone,
    ShowTables,
    WaitForInvitation,
)
from hearts_client.session.visit import Guest

from .json_file import take_fields

_LONGEST_HOST = 253
"""Characters of a name in the domain name system."""


class Memory(Struct, frozen=True, gc=False):
    """The values that are remembered from one run of the program to the next."""

    host: str = "localhost"
    port: int = DEFAULT_PORT
    tls: Tls | None = None
    """None for clear text."""
    taunt_port: int = DEFAULT_TAUNT_PORT
    """That of the server's chat; 0 for none."""
    name: str = ""
    """The name of the person; empty for none yet."""
    table: str = ""
    """The name of the table that was opened last."""
    options: Options = field(default_factory=Options)
    """The wishes for that table."""
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
            case Join(guest) | ShowTables(guest) | OpenTableWish(guest) | WaitForInvitation(guest):
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


def wishes_of(count: int, rules: Rules | None, end: int | None, limit: int | None) -> Options:
    """Wishes for a table with ``count`` computers, which have the last seats."""
    return Options(frozenset(range(4 - count, 4)), rules, end, limit)


class _Trust(Struct, frozen=True, gc=False):
    ca: Path | None = None
    # No "insecure": who trusted any server once shall say so again.


_EndScore = Annotated[int, Meta(ge=END_SCORES.start, lt=END_SCORES.stop)]


class _MemoryFile(Struct, frozen=True, gc=False):
    """The form of the memory in a file."""

    host: Annotated[str, Meta(max_length=_LONGEST_HOST)] = "localhost"
    port: Annotated[int, Meta(ge=1, le=65535)] = DEFAULT_PORT
    tls: _Trust | None = None
    taunt_port: Annotated[int, Meta(ge=0, le=65535)] = DEFAULT_TAUNT_PORT
    name: str = ""
    table: str = ""
    rules: str | None = None
    end_score: _EndScore | None = None
    computers: Annotated[int, Meta(ge=0, le=3)] = 0
    turn_limit: Annotated[int, Meta(ge=TURN_LIMITS.start, lt=TURN_LIMITS.stop)] | None = None
    alone_rules: str = str(STANDARD)
    alone_end_score: _EndScore = DEFAULT_END_SCORE


def to_dict(memory: Memory) -> dict[str, object]:
    """The form of the memory in a file."""
    options, tls = memory.options, memory.tls
    file = _MemoryFile(
        memory.host,
        memory.port,
        None if tls is None else _Trust(tls.ca),
        memory.taunt_port,
        memory.name,
        memory.table,
        None if options.rules is None else str(options.rules),
        options.end_score,
        len(options.computers),
        options.turn_limit,
        str(memory.alone_rules),
        memory.alone_end_score,
    )
    data: dict[str, object] = to_builtins(file, enc_hook=lambda path: str(path.absolute()))
    return data


def from_dict(data: Mapping[str, object]) -> tuple[Memory, list[str]]:
    """The memory of a file, and what is wrong there; a field that is wrong is as by default."""
    checks = {"host": _host, "name": _name, "table": _name, "rules": _rules, "alone_rules": _rules}
    file, problems = take_fields(data, _MemoryFile, checks)
    rules = None if file.rules is None else parse_rules(file.rules)
    memory = Memory(
        file.host,
        file.port,
        None if file.tls is None else Tls(file.tls.ca),
        file.taunt_port,
        file.name,
        file.table,
        wishes_of(file.computers, rules, file.end_score, file.turn_limit),
        parse_rules(file.alone_rules),
        file.alone_end_score,
    )
    return memory, problems


def _host(host: str) -> str:
    if not is_legible(host) or not is_visible(host):
        raise ValueError("this is the name of no host")
    return host


def _name(name: str) -> str:
    return name_text(name) if name else ""


def _rules(text: str) -> str:
    return str(parse_rules(text))
