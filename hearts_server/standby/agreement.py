"""The declaration of a node at its start, which has to agree with those of the others.

The node that plays goes by its own settings, so a table would change with the node if they
differed. And a node reads what others have stored, perhaps with an older or a newer program.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from enum import Enum
from math import inf

import msgspec
from msgspec import Struct

from hearts.errors import CorruptRecord
from hearts.settings.table import rows
from hearts_server.config import Config

OWN_SETTINGS = frozenset(name for name, row in rows(Config).items() if row.own)
"""The settings that each node has for itself; all others have to agree."""
_HIDDEN = frozenset({"password", "deal"})
"""The settings whose values nobody is told."""


class Declared(Struct, frozen=True):
    """The declaration of a node, which holds as long as it lives."""

    program: str
    """Its version, for people."""
    schema: int
    """The version of the database's schema that it knows."""
    oldest: int
    """The oldest version of that whose programs can be nodes beside it."""
    settings: dict[str, str]
    """The settings that have to agree, in words; hidden ones have a mark in place of the value."""

    def encode(self) -> str:
        return msgspec.json.encode(self).decode()

    @classmethod
    def decode(cls, text: str) -> Declared:
        """Read a declaration; additions of a newer program are ignored. Raises CorruptRecord."""
        try:
            return msgspec.json.decode(text, type=cls)
        except (msgspec.DecodeError, UnicodeError):
            raise CorruptRecord("not what a node declares") from None


def declared(config: Config, secret: bytes, program: str, schema: int, oldest: int) -> Declared:
    """Declare a node with these settings; nobody can compute the secret from that."""
    return Declared(program, schema, oldest, dict(_agreed(config, secret)))


def disagreement(own: Declared, others: Iterable[tuple[str, Declared]]) -> str | None:
    """Say why this node cannot begin beside others, which have names; None if it can."""
    differing: dict[str, list[str]] = {}
    for name, other in others:
        if other.schema < own.oldest or own.schema < other.oldest:
            return (
                f"node {name} is of hearts-server {other.program} and this one "
                f"of {own.program}, which cannot share a store at the same time; end all nodes of "
                "the one before you begin those of the other"
            )
        # An older program lacks some, and need not know of them.
        for setting, here in own.settings.items():
            there = other.settings.get(setting, here)
            if here == there:
                continue
            if setting in _HIDDEN:
                differing.setdefault(setting, []).append(f"another one at {name}")
            else:
                differing.setdefault(setting, [f"{here} here"]).append(f"{there} at {name}")
    if not differing:
        return None
    words = [f"{setting} ({', '.join(told)})" for setting, told in differing.items()]
    return f"settings differ from those of other nodes, and must not: {', '.join(words)}"


def _agreed(config: Config, secret: bytes) -> Iterator[tuple[str, str]]:
    for name in config.__struct_fields__:
        if name not in OWN_SETTINGS:
            text = _text(getattr(config, name))
            shown = name.replace("_", "-")
            yield shown, _mark(secret, f"{name}={text}") if name in _HIDDEN else text
    # Whose certificate it is may differ; whether players have to speak TLS may not.
    yield "tls-cert", "none" if config.tls_cert is None else "given"


def _text(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case None:
            return "none"
        case Enum():
            return str(value.value)
        case float():
            return "never" if value == inf else f"{value:g}"
        case tuple():
            return ",".join(map(_text, value)) or "none"
        case _:
            return str(value) or "none"


def _mark(secret: bytes, text: str) -> str:
    """Make a mark that is the same for the same text, and tells nothing else without the secret."""
    return hmac.new(secret, f"a setting of nodes: {text}".encode(), hashlib.sha256).hexdigest()


def secret_mark(secret: bytes) -> bytes:
    """Return a mark that is the same at all nodes with one secret, and does not tell it."""
    return hmac.new(secret, b"the club of this secret", hashlib.sha256).digest()
